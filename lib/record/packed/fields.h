/*
 * fields - what a packed result holds of each struct, in which order.
 *
 * The order is the format: what is added stands at an end, behind a new PACK_VERSION, or where a
 * result that says nothing of it ends before it (has_more()).
 */
#ifndef PAWL_RECORD_PACKED_FIELDS_H
#define PAWL_RECORD_PACKED_FIELDS_H

#include "lib/record/packed/codec.h"
#include "lib/record/summary.h"

/*
 * A field that no function here goes through would be lost by storing a result.  Whoever adds one
 * to a struct of summary.h adds it here, to random_summary.h, and then its size.
 */
#define FIELDS_ARE_ALL(what, bytes) \
	_Static_assert(sizeof(void *) != 8 || sizeof(struct what) == (bytes), \
		       "a field of struct " #what " is not packed: see fields.h")

/* Everything but the benchmarks. */
void fields_of_head(struct codec *c, struct summary *s);

/* Everything but the name. */
void fields_of_bench(struct codec *c, struct bench *b);

void fields_of_facts(struct codec *c, struct facts *facts);

#endif
