/*
 * Source: the distance of V. I. Levenshtein, "Binary codes capable of correcting deletions,
 * insertions, and reversals", Soviet Physics Doklady 10 (1966), 707-710, with F. J.
 * Damerau's swaps of neighbours, Communications of the ACM 7 (1964), 171-176.
 */
#include "lib/config/nearest.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lib/base/banned.h"

#define WORD_MAX 32   /* longer words are near nothing */
#define BEGIN_LEAST 4 /* letters that both have in front */

static int folded(char c)
{
	return tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t distance(const char *a, const char *b)
{
	size_t d[WORD_MAX + 1][WORD_MAX + 1];
	size_t n = strlen(a), m = strlen(b), i, k;

	for (i = 0; i <= n; i++)
		d[i][0] = i;
	for (k = 0; k <= m; k++)
		d[0][k] = k;
	for (i = 1; i <= n; i++) {
		for (k = 1; k <= m; k++) {
			size_t cost = folded(a[i - 1]) != folded(b[k - 1]);

			d[i][k] =
				least(least(d[i - 1][k], d[i][k - 1]) + 1, d[i - 1][k - 1] + cost);
			if (i > 1 && k > 1 && folded(a[i - 1]) == folded(b[k - 2]) &&
			    folded(a[i - 2]) == folded(b[k - 1]))
				d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1);
		}
	}
	return d[n][m];
}

const char *nearest(const char *text, const char *const *known, size_t most)
{
	const char *best = NULL;
	size_t far = most + 1, i;

	if (strlen(text) > WORD_MAX)
		return NULL;
	for (i = 0; known[i]; i++) {
		size_t n = strlen(known[i]) > WORD_MAX ? far : distance(text, known[i]);

		if (n < far) {
			far = n;
			best = known[i];
		}
	}
	return best;
}

const char *nearest_begun(const char *text, const char *const *known)
{
	const char *found = NULL;

	for (; *known; known++) {
		size_t n = least(strlen(text), strlen(*known));

		if (n < BEGIN_LEAST || strncasecmp(text, *known, n) != 0)
			continue;
		if (found)
			return NULL;
		found = *known;
	}
	return found;
}
