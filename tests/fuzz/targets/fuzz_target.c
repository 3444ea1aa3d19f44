/* The target of a request to pawld. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "server/http/target.h"

#include "lib/base/banned.h"

static bool is_utf8(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t left = strlen(text), len;

	for (; left; p += len, left -= len) {
		len = utf8_length(p, left);
		if (!len)
			return false;
	}
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *raw = fuzz_string(data, n);
	struct target target;
	struct err err = ERR_INIT;
	size_t i, j;

	if (target_parse(raw, &target, &err)) {
		must(err.code == ERR_SYNTAX || err.code == ERR_LIMIT);
		must(*err.text);
		free(raw);
		return 0;
	}
	fuzz_accept();
	must(raw[0] == '/');
	must(target.n_segments <= TARGET_MAX_SEGMENTS + 1);
	must(target.n_parameters <= TARGET_MAX_PARAMETERS);
	for (i = 0; i < target.n_segments && i < TARGET_MAX_SEGMENTS; i++)
		must(is_utf8(target.segments[i]));
	for (i = 0; i < target.n_parameters; i++) {
		must(is_utf8(target.parameters[i].name) && is_utf8(target.parameters[i].value));
		must(target_parameter(&target, target.parameters[i].name) ==
		     target.parameters[i].value);
		for (j = 0; j < i; j++)
			must(strcmp(target.parameters[i].name, target.parameters[j].name));
	}
	target_release(&target);
	free(raw);
	return 0;
}
