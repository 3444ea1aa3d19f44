/* Command lines: what was split, or came as an argv, is quoted so that it splits alike. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

static void hold_round_trip(const struct strv *words)
{
	struct strv again = STRV_INIT;
	struct buf line = BUF_INIT;
	size_t i;

	if (!words->n)
		return;
	words_quote(words->v, &line);
	must(!buf_check(&line, NULL));
	must(!words_split(buf_str(&line), &again, NULL));
	must(again.n == words->n);
	for (i = 0; i < words->n; i++)
		must(!strcmp(words->v[i], again.v[i]));
	must(!again.v[again.n]);
	strv_release(&again);
	buf_release(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct strv words = STRV_INIT, argv = STRV_INIT;
	char *text = fuzz_string(data, n), *p;
	struct err err = ERR_INIT;

	if (words_split(text, &words, &err)) {
		must(err.code == ERR_SYNTAX && !words.n);
	} else {
		fuzz_accept();
		hold_round_trip(&words);
	}
	for (p = text; p < text + n; p += strlen(p) + 1)
		must(!strv_add(&argv, p, NULL));
	hold_round_trip(&argv);
	strv_release(&words);
	strv_release(&argv);
	free(text);
	return 0;
}
