#include "reporter/parts/unbuilt.h"

#include <string.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

const char *unbuilt_side(const struct summary *s, size_t *out_n)
{
	static const char said[] = "): the build ";
	const char *first = s->n_benchmarks ? s->benchmarks[0].detail : NULL, *end;
	size_t i, n;

	if (!first || !(str_starts(first, "the base (") || str_starts(first, "the head (")) ||
	    !(end = strstr(first, said)))
		return NULL;
	n = (size_t)(end - first) + sizeof(said) - 1;
	for (i = 1; i < s->n_benchmarks; i++)
		if (!s->benchmarks[i].detail || strncmp(s->benchmarks[i].detail, first, n) != 0)
			return NULL;
	*out_n = (size_t)(end - first) + 1;
	return first;
}

bool unbuilt_add(const struct summary *s, const struct render_options *opt, sentence_put *put,
		 struct buf *out)
{
	size_t n = 0;
	const char *side = unbuilt_side(s, &n);
	struct buf name = BUF_INIT;

	if (!side)
		return false;
	buf_add(&name, side, n);
	buf_adds(out, "Nothing was compared: ");
	put(buf_str(&name), opt, out);
	buf_adds(out, " does not build");
	out->failed |= name.failed;
	buf_release(&name);
	return true;
}
