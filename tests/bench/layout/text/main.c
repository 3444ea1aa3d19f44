#include <stdio.h>
#include <stdlib.h>

#include "text.h"

#define BYTES 200000

static unsigned char input[BYTES];
static struct out out;

static void make_input(void)
{
	static const char letters[] = "etaoinshrdlu     0123<>&\".,";
	unsigned state = 1;
	size_t i;

	for (i = 0; i < BYTES; i++) {
		state = state * 1103515245u + 12345u;
		input[i] = (unsigned char)letters[(state >> 16) % (sizeof(letters) - 1)];
	}
}

static void convert(void)
{
	const unsigned char *at = input;
	struct token t;

	for (scan_next(&at, input + BYTES, &t); t.kind != KIND_END;
	     scan_next(&at, input + BYTES, &t)) {
		if (t.kind == KIND_MARK)
			escape_mark(&out, *t.at);
		else
			escape_put(&out, t.at, t.n);
		if (t.kind == KIND_WORD && t.n > 3)
			out_number(&out, words_count(t.at, t.n) & 7);
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 8, i;

	make_input();
	for (i = 0; i < rounds; i++)
		convert();
	printf("%lu\n", out.sum);
	return 0;
}
