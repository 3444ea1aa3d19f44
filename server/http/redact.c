#include "server/http/redact.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lib/base/banned.h"

#define PREFIX "pawl_s_"
#define PREFIX_N (sizeof(PREFIX) - 1)
/* %255F is %5F is _ */
#define MAX_LAYERS 4

static int digit_of(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Decodes %XX; whether there was any. */
static bool decode(const char *text, struct buf *out)
{
	bool any = false;

	buf_reset(out);
	while (*text) {
		int high = *text == '%' ? digit_of(text[1]) : -1;
		int low = high < 0 ? -1 : digit_of(text[2]);

		/* A NUL would hide what is behind it. */
		if (low >= 0 && (high || low)) {
			buf_addc(out, (char)(high << 4 | low));
			any = true;
			text += 3;
		} else {
			buf_addc(out, *text++);
		}
	}
	return any;
}

static void copy_without(const char *text, struct buf *out)
{
	const char *at;

	while ((at = strcasestr(text, PREFIX))) {
		buf_add(out, text, (size_t)(at - text));
		buf_adds(out, PREFIX "***");
		text = at + PREFIX_N;
		while (isalnum((unsigned char)*text) || *text == '_' || *text == '-')
			text++;
	}
	buf_adds(out, text);
}

void redact(const char *text, struct buf *out)
{
	struct buf plain = BUF_INIT, next = BUF_INIT;
	const char *shown = text;
	int layer;

	buf_adds(&plain, text);
	for (layer = 0; layer < MAX_LAYERS && decode(buf_str(&plain), &next); layer++) {
		struct buf swap = plain;

		plain = next;
		next = swap;
		if (strcasestr(buf_str(&plain), PREFIX))
			shown = buf_str(&plain);
	}
	if (plain.failed || next.failed)
		out->failed = true;
	else
		copy_without(shown, out);
	buf_release(&plain);
	buf_release(&next);
}
