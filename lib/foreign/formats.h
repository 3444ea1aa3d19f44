/*
 * formats - the rows of the table, one file each.
 *
 * Internal to lib/foreign.
 */
#ifndef PAWL_FOREIGN_FORMATS_H
#define PAWL_FOREIGN_FORMATS_H

#include "lib/foreign/doc.h"
#include "lib/foreign/sink.h"

#define FORMAT_ROW(name) \
	bool name##_recognise(const struct foreign_doc *doc); \
	int name##_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)

FORMAT_ROW(google);
FORMAT_ROW(go);
FORMAT_ROW(hyperfine);
FORMAT_ROW(catch2);
FORMAT_ROW(junit);
FORMAT_ROW(perf);
FORMAT_ROW(callgrind);
FORMAT_ROW(nanobench);
FORMAT_ROW(criterion);
FORMAT_ROW(bmf);
FORMAT_ROW(lnt);

/* Whether any line is an event of `go test -json`. */
bool go_has_event(const struct foreign_doc *doc);
/* Appends the text that the events carry: a line of a result may come in two pieces. */
void go_join_output(const struct foreign_doc *doc, struct buf *out);

#endif
