/* A .pawlaccepted that somebody else committed. */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "lib/config/accepted.h"

#include "lib/base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *path = fuzz_file(data, n);
	struct accepted a = ACCEPTED_INIT;
	struct err err = ERR_INIT;
	size_t i;

	if (accepted_read(path, &a, &err)) {
		must(err.code == ERR_CONFIG && *err.text && fuzz_is_line(err.text));
		must(fuzz_is_line(err.hint) && !a.n);
		return 0;
	}
	fuzz_accept();
	for (i = 0; i < a.n; i++) {
		const struct accepted_change *c = &a.v[i];

		must(strlen(c->commit) == strspn(c->commit, "0123456789abcdef"));
		must(strlen(c->commit) == 40 || strlen(c->commit) == 64);
		must(*c->benchmark && *c->because && c->line >= 1);
		must(strlen(c->because) <= ACCEPTED_BECAUSE_MAX && !strchr(c->because, '\n'));
		must(!c->subject || !strchr(c->subject, '\n'));
		must(c->change >= 0 && (isinf(c->change) || c->change <= ACCEPTED_CHANGE_MAX));
	}
	accepted_release(&a);
	return 0;
}
