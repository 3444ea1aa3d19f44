#include "lib/profile/scan.h"

#include <string.h>

#include "lib/base/banned.h"

int scan_wrong(const struct scan *s, const char *what, struct err *err)
{
	return err_set(err, ERR_SYNTAX, "line %u of the profile: %s", s->line_number, what);
}

void scan_blanks(struct scan *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
		s->at++;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

int scan_number(struct scan *s, double most, double *out, struct err *err)
{
	int base = s->end - s->at > 2 && s->at[0] == '0' && s->at[1] == 'x' ? 16 : 10;
	double value = 0;
	const char *start;

	s->at += base == 16 ? 2 : 0;
	for (start = s->at; s->at < s->end && digit(*s->at) < base; s->at++) {
		value = value * base + digit(*s->at);
		if (value > most)
			return err_set(err, ERR_RANGE,
				       "line %u of the profile: a number is too large",
				       s->line_number);
	}
	if (s->at == start)
		return scan_wrong(s, "a number is expected", err);
	*out = value;
	return 0;
}

bool scan_take(struct scan *s, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
		return false;
	s->at += n;
	return true;
}

size_t scan_word(struct scan *s, const char **out)
{
	scan_blanks(s);
	*out = s->at;
	while (s->at < s->end && *s->at != ' ' && *s->at != '\t')
		s->at++;
	return (size_t)(s->at - *out);
}

bool scan_is(const char *text, size_t n, const char *wanted)
{
	return n == strlen(wanted) && !memcmp(text, wanted, n);
}
