/* Which columns a question about a history names. */
#include <string.h>

#include "lib/store/history/answer.h"

#include "lib/base/banned.h"

static int refuse(struct err *err)
{
	struct buf known = BUF_INIT;
	size_t i;

	for (i = 0; i < HISTORY_COLUMNS; i++)
		buf_addf(&known, "%s%s", i ? ", " : "", answer_columns[i]);
	err_set(err, ERR_SYNTAX, "parameter 'columns' must be some of %s, with commas between them",
		buf_str(&known));
	buf_release(&known);
	return -1;
}

static int take_name(const char *name, size_t n, unsigned *bits, struct err *err)
{
	size_t i;

	for (i = 0; i < HISTORY_COLUMNS; i++)
		if (n == strlen(answer_columns[i]) && !memcmp(name, answer_columns[i], n)) {
			*bits |= 1u << i;
			return 0;
		}
	return refuse(err);
}

int history_columns(const char *text, unsigned *out, struct err *err)
{
	unsigned bits = 0;
	size_t n;

	for (;; text += n + 1) {
		n = strcspn(text, ",");
		if (take_name(text, n, &bits, err))
			return -1;
		if (!text[n])
			break;
	}
	*out = bits;
	return 0;
}
