/*
 * parts_local - what the files that make parts share.
 */
#ifndef PAWL_COLLECTOR_EXTENT_PARTS_LOCAL_H
#define PAWL_COLLECTOR_EXTENT_PARTS_LOCAL_H

#include "collector/extent/inputs.h"
#include "collector/extent/parts.h"
#include "lib/base/buf.h"

/*
 * Cuts the sections of the inputs into parts, without digests.  Errors: ERR_ABSENT the program was
 * linked from others; ERR_NOMEM.
 */
int parts_cut(struct inputs *in, struct parts *out, struct err *err);

/* The part of a section that holds a place, or NULL. */
struct part *parts_at(const struct inputs *in, const struct parts *p, size_t input, size_t section,
		      uint64_t at);

/* Whether a place of an input is code, by its section. */
bool parts_is_code(const struct inputs *in, size_t input, size_t section);

/* Notes that one part needs another.  Errors: ERR_NOMEM. */
int parts_need(struct parts *p, struct part *from, const struct part *to, struct err *err);

/* One part at a time, and what is digested of it. */
struct parts_work {
	struct inputs *in;
	struct parts *all;
	struct part *part;
	struct buf text;
	size_t *entries; /* data, and the function that it leads into the middle of, in turns */
	size_t n_entries;
};

struct place *parts_place(const struct parts_work *w); /* of the part */
void parts_odd(const struct parts_work *w, const char *why);

/* Adds what a relocation leads to; to_end: how far behind the place the instruction ends. */
int parts_name_target(struct parts_work *w, const ElfW(Rela) * r, uint64_t to_end, struct err *err);

/* Adds the function at a place of a section, and the place in it. */
int parts_name_code(struct parts_work *w, size_t input, size_t in, uint64_t at, struct err *err);

/* When all parts are done: notes what tables lead into.  Errors: ERR_NOMEM. */
int parts_need_entries(struct parts_work *w, struct err *err);

/* Fills in digests and needs.  Errors: ERR_NOMEM. */
int parts_digest(struct inputs *in, struct parts *p, struct err *err);

#endif
