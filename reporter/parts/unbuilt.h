/*
 * unbuilt - which side did not build, so that nothing was compared.
 */
#ifndef PAWL_REPORTER_PARTS_UNBUILT_H
#define PAWL_REPORTER_PARTS_UNBUILT_H

#include "reporter/parts/sentence.h"

/*
 * "Nothing was compared: the base (58d83f720afb) does not build", where that is so.  False, and
 * nothing added: the result does not say it.
 */
bool unbuilt_add(const struct summary *s, const struct render_options *opt, sentence_put *put,
		 struct buf *out);

#endif
