/* words - text made up here: words of a small vocabulary, in lines. */
#ifndef PAWL_TESTS_BENCH_LAYOUT_DRIVERS_WORDS_H
#define PAWL_TESTS_BENCH_LAYOUT_DRIVERS_WORDS_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t words_next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Fills out[0..n) and ends it; now and then between words what `marks` has, a text each. */
static inline void words_write(char *out, size_t n, uint32_t seed, const char *const *marks,
			       unsigned n_marks)
{
	size_t at = 0;

	while (at + 64 < n) {
		unsigned length = 2 + words_next(&seed) % 9, kind = words_next(&seed) % 24;
		const char *mark = kind < n_marks ? marks[kind] : kind == 23 ? "\n" : " ";

		while (length--)
			out[at++] = (char)('a' + words_next(&seed) % (2 + words_next(&seed) % 25));
		while (*mark)
			out[at++] = *mark++;
	}
	while (at < n)
		out[at++] = '\n';
	out[n] = '\0';
}

#endif
