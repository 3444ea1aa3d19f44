/*
 * sort - a plain command: parses a text file of sections, sorts the lines of each by their
 * number, prints a checksum.
 *
 * usage: sort FILE
 *
 * A line is "NUMBER WORD"; a section is SECTION lines.  A step is one section.  The checksum is
 * that of the first CHECKED sections, so that every version prints the same.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extra.h"

enum { SECTION = 250, CHECKED = 900 };

struct line {
	uint64_t number;
	const char *word;
	size_t n;
};

static int by_number(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return strncmp(x->word, y->word, x->n < y->n ? x->n : y->n);
}

/* NULL: not a line. */
static const char *parse_line(const char *s, struct line *out)
{
	out->number = 0;
	for (; *s >= '0' && *s <= '9'; s++)
		out->number = out->number * 10 + (uint64_t)(*s - '0');
	if (*s++ != ' ')
		return NULL;
	out->word = s;
	while (*s && *s != '\n')
		s++;
	out->n = (size_t)(s - out->word);
	return *s ? s + 1 : NULL;
}

static int sort_sections(const char *s, int sections)
{
	uint64_t sum = 14695981039346656037u;
	struct line lines[SECTION];

	for (int i = 0; i < sections; i++) {
		for (int k = 0; k < SECTION; k++) {
			s = parse_line(s, &lines[k]);
			if (!s)
				return 1;
		}
		qsort(lines, SECTION, sizeof(lines[0]), by_number);
		for (int k = 0; k < SECTION && i < CHECKED; k++)
			sum = (sum ^ lines[k].number ^ lines[k].n) * 1099511628211u;
	}
	(void)printf("%016" PRIx64 "\n", sum);
	return 0;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	size_t n = 0, room = 4 << 20;
	char *text = malloc(room);
	int status = 1;

	if (file && text) {
		n = fread(text, 1, room - 1, file);
		text[n] = '\0';
		status = sort_sections(text, STEPS(1));
	}
	if (status)
		(void)fputs("sort: not a file of so many sections\n", stderr);
	free(text);
	if (file)
		(void)fclose(file);
	return status;
}
