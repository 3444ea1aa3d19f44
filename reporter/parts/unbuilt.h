/*
 * unbuilt - which side did not build, so that nothing was compared.
 */
#ifndef PAWL_REPORTER_PARTS_UNBUILT_H
#define PAWL_REPORTER_PARTS_UNBUILT_H

#include "reporter/parts/sentence.h"

/*
 * Where no benchmark could be run because one side did not build: the beginning of what each says,
 * *out_n bytes such as "the base (58d83f720afb)".  NULL: that is not so.
 */
const char *unbuilt_side(const struct summary *s, size_t *out_n);

/* "Nothing was compared: the base (58d83f720afb) does not build", where that is so. */
bool unbuilt_add(const struct summary *s, const struct render_options *opt, sentence_put *put,
		 struct buf *out);

#endif
