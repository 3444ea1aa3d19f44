/*
 * pack - a result as bytes: nothing of it is lost, and a benchmark is read without the others.
 *
 * What is unpacked makes the very same JSON (summary_encode()), so that a document is made only to
 *be posted or exported.  Samples are columns (column.h), a text stands once for the whole result
 * (texts.h), a column that several benchmarks have as well (shared.h).
 *
 *	"pwlp", version, its complement, lengths | head, directory | texts | shared columns | CRC-64
 *	a row for each benchmark, whose CRC-64 is in the directory
 *
 * Every byte is below one of the CRCs, and each is checked when what it covers is read.
 */
#ifndef PAWL_RECORD_PACKED_PACK_H
#define PAWL_RECORD_PACKED_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/packed/shared.h"
#include "lib/record/packed/texts.h"
#include "lib/record/summary.h"

#define PACK_VERSION 1

/*
 * Appends the packed summary.  The same summary gives the same bytes, with the same zstd.
 * Errors: ERR_LIMIT more of something than summary_decode() would take; ERR_NOMEM.
 * Cost:   O(size): 2 to 4 us a benchmark with 30 pairs.
 */
int summary_pack(const struct summary *s, struct buf *out, struct err *err);

/* A row of the directory. */
struct packed_row {
	const char *name;
	size_t start, n;
	uint64_t crc;
};

/* A packed result that was opened.  It refers to the bytes. */
struct packed {
	struct texts texts;
	struct shared shared;
	const unsigned char *head, *head_end;
	const unsigned char *rows;
	struct packed_row *v; /* as in the summary */
	size_t n;
};

#define PACKED_INIT \
	{ \
		TEXTS_INIT, SHARED_INIT, NULL, NULL, NULL, NULL, 0 \
	}

void packed_release(struct packed *p);

/*
 * Opens bytes[0..n), which may be anything and must stay.
 * Errors: ERR_CORRUPT; ERR_NEWER a newer pawl made them; ERR_IO no zstd; ERR_NOMEM.
 * Cost:   that of all but the rows.
 */
int packed_open(const void *bytes, size_t n, struct packed *out, struct err *err);

/*
 * Everything but the benchmarks; *out is initialised by it, and empty when it fails.
 * Errors: ERR_CORRUPT, ERR_NOMEM.
 */
int packed_head(const struct packed *p, struct summary *out, struct err *err);

/* The benchmark of that name; p->n when there is none. */
size_t packed_find(const struct packed *p, const char *name);

/*
 * Appends benchmark i to s.  Errors: ERR_CORRUPT, ERR_NOMEM: s is then to be released only.
 * Cost:   that of its row.
 */
int packed_bench(const struct packed *p, size_t i, struct summary *s, struct err *err);

/* All of it; *out is initialised by the call, and empty when it fails.  Errors: as packed_open().
 */
int summary_unpack(const void *bytes, size_t n, struct summary *out, struct err *err);

#endif
