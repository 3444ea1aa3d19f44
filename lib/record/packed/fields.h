/*
 * fields - what a packed result holds of each struct, in which order.
 *
 * The order is the format: what is added stands at an end, behind a new PACK_VERSION.
 */
#ifndef PAWL_RECORD_PACKED_FIELDS_H
#define PAWL_RECORD_PACKED_FIELDS_H

#include "lib/record/packed/codec.h"
#include "lib/record/summary.h"

/* Everything but the benchmarks. */
void fields_of_head(struct codec *c, struct summary *s);

/* Everything but the name. */
void fields_of_bench(struct codec *c, struct bench *b);

void fields_of_facts(struct codec *c, struct facts *facts);

#endif
