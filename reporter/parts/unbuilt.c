#include "reporter/parts/unbuilt.h"

#include "lib/base/banned.h"

bool unbuilt_add(const struct summary *s, const struct render_options *opt, sentence_put *put,
		 struct buf *out)
{
	const struct unbuilt *u = &s->unbuilt;
	struct buf name = BUF_INIT;

	if (!u->base && !u->head)
		return false;
	if (u->base)
		buf_addf(&name, "the base (%.12s)", u->base);
	if (u->base && u->head)
		buf_adds(&name, " and ");
	if (u->head)
		buf_addf(&name, "the head (%.12s)", u->head);
	buf_adds(out, "Nothing was compared: ");
	put(buf_str(&name), opt, out);
	buf_adds(out, u->base && u->head ? " do not build" : " does not build");
	out->failed |= name.failed;
	buf_release(&name);
	return true;
}
