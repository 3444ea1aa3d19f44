/* A .pawlconfig that somebody else committed, as our scanner reads it. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "lib/git/config/gitconfig.h"

#include "lib/base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *path = fuzz_file(data, n);
	struct gitconfig values = GITCONFIG_INIT;
	struct err err = ERR_INIT;
	size_t i;
	int lines = 1;

	for (i = 0; i < n; i++)
		lines += data[i] == '\n';
	if (gitconfig_read_file(path, &values, &err)) {
		must(err.code == ERR_CONFIG && fuzz_is_line(err.text) && !values.n);
	} else {
		fuzz_accept();
		for (i = 0; i < values.n; i++) {
			must(values.v[i].key && !strcmp(values.v[i].origin, path));
			must(values.v[i].line >= 1 && values.v[i].line <= lines);
			must(!str_starts(values.v[i].key, "include."));
			must(!str_starts(values.v[i].key, "includeif."));
		}
	}
	gitconfig_release(&values);
	return 0;
}
