#include "hooks/pushed.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

void pushed_release(struct pushed *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		free(p->v[i].local_ref);
		free(p->v[i].remote_ref);
	}
	free(p->v);
	*p = (struct pushed)PUSHED_INIT;
}

/* An id of 40 or 64 hex digits; all zeros become "". */
static bool take_id(const char *word, size_t n, char out[OID_TEXT])
{
	size_t i;

	if (n != 40 && n != 64)
		return false;
	for (i = 0; i < n; i++)
		if (!strchr("0123456789abcdef", word[i]) || !word[i])
			return false;
	memcpy(out, word, n);
	out[n] = '\0';
	if (strspn(out, "0") == n)
		out[0] = '\0';
	return true;
}

/*
 * "LOCAL-REF LOCAL-ID REMOTE-REF REMOTE-ID".  No ref holds a blank, but what the user typed for the
 * local one may ("HEAD@{1 day ago}"), so the line is taken from its end.
 */
static bool take_line(const char *line, size_t n, struct pushed_ref *out, struct err *err)
{
	size_t at[3], end = n, i;
	char *text;

	for (i = 3; i-- > 0;) {
		while (end > 0 && line[end - 1] != ' ')
			end--;
		if (end == 0)
			return false;
		at[i] = end--;
	}
	if (!end || !take_id(line + at[0], at[1] - at[0] - 1, out->local_id) ||
	    !take_id(line + at[2], n - at[2], out->remote_id) || at[2] - at[1] < 2)
		return false;
	text = strndup(line, end);
	out->local_ref = text;
	out->remote_ref = strndup(line + at[1], at[2] - at[1] - 1);
	if (!out->local_ref || !out->remote_ref)
		err_nomem(err);
	return true;
}

static size_t count_lines(const char *text, size_t n)
{
	size_t i, lines = 1;

	for (i = 0; i < n; i++)
		lines += text[i] == '\n';
	return lines;
}

int pushed_parse(const char *text, size_t n, struct pushed *out, struct err *err)
{
	struct pushed p = PUSHED_INIT;
	const char *end = text + n;
	struct err fault = ERR_INIT;

	*out = p;
	p.v = calloc(count_lines(text, n), sizeof(*p.v));
	if (!p.v)
		return err_nomem(err);
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t length = (size_t)((stop ? stop : end) - text);

		if (!take_line(text, length, &p.v[p.n++], &fault))
			err_set(&fault, ERR_SYNTAX, "line %zu is not one of a pre-push hook", p.n);
		if (fault.code) {
			pushed_release(&p);
			if (err)
				*err = fault;
			return -1;
		}
		text += length + 1;
	}
	*out = p;
	return 0;
}
