#include "cli/kept/sealed.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#define BEFORE ",\"sum\":\""
#define BEHIND "\"}\n"
#define TAIL (sizeof(BEFORE) - 1 + DIGEST_HEX - 1 + sizeof(BEHIND) - 1)

int sealed_write(const char *path, const struct summary *s, struct err *err)
{
	struct buf text = BUF_INIT;
	char sum[DIGEST_HEX];
	int result = -1;

	if (summary_encode(s, 0, &text, err))
		goto out;
	while (text.len > 1 && text.data[text.len - 1] != '}')
		buf_truncate(&text, text.len - 1);
	if (digest_of(text.data, text.len, sum, err))
		goto out;
	buf_truncate(&text, text.len - 1);
	buf_addf(&text, BEFORE "%s" BEHIND, sum);
	if (!buf_check(&text, err))
		result = file_write_whole(path, text.data, text.len, 0600, err);
out:
	buf_release(&text);
	return result;
}

/* Makes what was encoded of it again; whether it is that. */
static bool unseal(struct buf *text)
{
	char sum[DIGEST_HEX], told[DIGEST_HEX] = "";
	const char *tail;

	if (text->len <= TAIL)
		return false;
	tail = text->data + text->len - TAIL;
	if (memcmp(tail, BEFORE, sizeof(BEFORE) - 1) != 0 ||
	    memcmp(tail + TAIL - (sizeof(BEHIND) - 1), BEHIND, sizeof(BEHIND) - 1) != 0)
		return false;
	memcpy(told, tail + sizeof(BEFORE) - 1, DIGEST_HEX - 1);
	buf_truncate(text, text->len - TAIL);
	buf_addc(text, '}');
	return !buf_check(text, NULL) && !digest_of(text->data, text->len, sum, NULL) &&
	       !strcmp(sum, told);
}

int sealed_read(const char *path, size_t max, struct summary *out, struct err *err)
{
	struct err fault = ERR_INIT;
	struct buf text = BUF_INIT;
	int result = -1;

	if (file_read_whole(path, max, &text, err))
		goto out;
	if (unseal(&text) && !summary_decode(text.data, text.len, out, &fault))
		result = 0;
	else if (fault.code == ERR_NOMEM)
		err_nomem(err);
	else {
		err_set(err, ERR_CORRUPT, "'%s' is damaged", path);
		err_hint(err, "remove it, and compare again");
	}
out:
	buf_release(&text);
	return result;
}
