/* SPDX-License-Identifier: MIT */
/*
 * sort_lines - a plain command, to be measured as a process: makes lines, sorts them, prints
 * how many there were and a checksum of their order.
 *
 * usage: sort_lines [COUNT]	default 120000
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_COUNT 120000
#define MOST 10000000
#define WIDTH 24 /* bytes of a line, with its NUL */

static void make_lines(char *lines, size_t count)
{
	uint64_t state = 88172645463325252u;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < WIDTH - 1; k++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			lines[i * WIDTH + k] = (char)('a' + state % 26);
		}
		lines[i * WIDTH + WIDTH - 1] = '\0';
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* FNV-1a over the lines as they now lie. */
static uint64_t checksum(const char *const *lines, size_t count)
{
	uint64_t sum = 14695981039346656037u;
	for (size_t i = 0; i < count; i++)
		for (const char *s = lines[i]; *s; s++)
			sum = (sum ^ (unsigned char)*s) * 1099511628211u;
	return sum;
}

static int sort_lines(size_t count)
{
	char *text = malloc(count * WIDTH);
	const char **lines = malloc(count * sizeof(*lines));
	int status = 1;
	if (text && lines) {
		make_lines(text, count);
		for (size_t i = 0; i < count; i++)
			lines[i] = text + i * WIDTH;
		qsort(lines, count, sizeof(*lines), by_text);
		(void)printf("%zu lines, %016" PRIx64 "\n", count, checksum(lines, count));
		status = 0;
	}
	free(lines);
	free(text);
	return status;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : DEFAULT_COUNT;
	if (argc > 2 || count < 1 || count > MOST) {
		(void)fprintf(stderr, "usage: %s [COUNT]\n", argv[0]);
		return 2;
	}
	return sort_lines((size_t)count);
}
