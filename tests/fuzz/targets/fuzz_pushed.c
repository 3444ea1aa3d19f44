/* The lines that git hands to a pre-push hook. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "hooks/pushed.h"

#include "lib/base/banned.h"

static void hold_id(const char *id)
{
	size_t n = strlen(id);

	must(n == 0 || n == 40 || n == 64);
	must(strspn(id, "0123456789abcdef") == n);
	must(n == 0 || strspn(id, "0") < n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct pushed p;
	struct err err = ERR_INIT;
	size_t i;

	if (pushed_parse((const char *)data, n, &p, &err)) {
		must(err.code == ERR_SYNTAX && !p.n && !p.v);
	} else {
		fuzz_accept();
		for (i = 0; i < p.n; i++) {
			must(p.v[i].local_ref && p.v[i].remote_ref);
			hold_id(p.v[i].local_id);
			hold_id(p.v[i].remote_id);
		}
	}
	pushed_release(&p);
	return 0;
}
