#include "cli/option/typed.h"

#include <stdint.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

void typed_add(const struct options *o, struct buf *out)
{
	const char *given = options_setting(o, "build");
	char *const build[] = { (char *)(uintptr_t)given, NULL };

	if (given) {
		buf_adds(out, " --build ");
		words_quote(build, out);
	}
	if (o->command.n) {
		buf_adds(out, " -- ");
		words_quote(o->command.v, out);
	}
}
