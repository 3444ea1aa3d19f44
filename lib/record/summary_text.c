/*
 * summary_text - how a text from outside is written into a document.
 */
#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/base/utf8.h"
#include "lib/base/when.h"
#include "lib/record/summary_local.h"

#include "lib/base/banned.h"

static void add_clean(const char *text, size_t max, struct buf *out)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t left = strlen(text), len;

	for (; left; p += len, left -= len) {
		len = utf8_length(p, left);
		if (out->len + (len ? len : 3) > max)
			break;
		if (!len)
			buf_adds(out, "\xef\xbf\xbd");
		else if (*p != '\n' && *p != '\t' && utf8_is_control(p))
			buf_addc(out, '?');
		else
			buf_add(out, p, len);
		len = len ? len : 1;
	}
}

void summary_write_text(struct jsonw *w, const char *key, const char *text, size_t max)
{
	struct buf clean = BUF_INIT;

	if (text)
		add_clean(text, max, &clean);
	w->out->failed = w->out->failed || clean.failed;
	jsonw_kstring(w, key, text ? buf_str(&clean) : NULL);
	buf_release(&clean);
}

void summary_write_time(struct jsonw *w, const char *key, int64_t us)
{
	char text[WHEN_ISO];

	jsonw_kstring(w, key, when_iso(us, us % 1000000 != 0, text));
}

void summary_write_strings(struct jsonw *w, const char *key, const struct strv *list, size_t max)
{
	struct buf clean = BUF_INIT;
	size_t i;

	jsonw_key(w, key);
	jsonw_array(w);
	for (i = 0; i < list->n; i++) {
		buf_reset(&clean);
		add_clean(list->v[i], max, &clean);
		w->out->failed = w->out->failed || clean.failed;
		jsonw_string(w, buf_str(&clean));
	}
	jsonw_array_end(w);
	buf_release(&clean);
}
