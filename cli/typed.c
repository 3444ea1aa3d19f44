#include "cli/typed.h"

#include <string.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

void typed_add(const struct options *o, struct buf *out)
{
	size_t i;

	for (i = 0; i + 1 < o->settings.n; i += 2)
		if (!strcmp(o->settings.v[i], "build")) {
			char *const build[] = { o->settings.v[i + 1], NULL };

			buf_adds(out, " --build ");
			words_quote(build, out);
		}
	if (o->command.n) {
		buf_adds(out, " -- ");
		words_quote(o->command.v, out);
	}
}
