#include "lib/record/packed/texts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/digest/crc.h"

#include "lib/base/banned.h"

void texts_release(struct texts *t)
{
	buf_release(&t->bytes);
	free(t->starts);
	free(t->slots);
	*t = (struct texts)TEXTS_INIT;
}

const char *texts_get(const struct texts *t, size_t i)
{
	return t->bytes.data + t->starts[i];
}

static size_t slot_of(const struct texts *t, const char *text, size_t len)
{
	return (size_t)crc64(0, text, len) & (t->n_slots - 1);
}

/* Twice the room, the texts put in again. */
static int grow_slots(struct texts *t, struct err *err)
{
	size_t n = t->n_slots ? 2 * t->n_slots : 64, i, at;
	uint32_t *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return err_nomem(err);
	free(t->slots);
	t->slots = slots;
	t->n_slots = n;
	for (i = 0; i < t->n; i++) {
		at = slot_of(t, texts_get(t, i), strlen(texts_get(t, i)));
		while (slots[at])
			at = (at + 1) & (n - 1);
		slots[at] = (uint32_t)i + 1;
	}
	return 0;
}

static int add_start(struct texts *t, size_t start, struct err *err)
{
	if (t->n == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 32;
		size_t *grown = realloc(t->starts, cap * sizeof(*grown));

		if (!grown)
			return err_nomem(err);
		t->starts = grown;
		t->cap = cap;
	}
	t->starts[t->n++] = start;
	return 0;
}

int texts_number(struct texts *t, const char *text, size_t *out, struct err *err)
{
	size_t len = strlen(text), at;

	if (2 * (t->n + 1) > t->n_slots && grow_slots(t, err))
		return -1;
	for (at = slot_of(t, text, len); t->slots[at]; at = (at + 1) & (t->n_slots - 1))
		if (!strcmp(texts_get(t, t->slots[at] - 1), text)) {
			*out = t->slots[at] - 1;
			return 0;
		}
	if (add_start(t, t->bytes.len, err))
		return -1;
	buf_add(&t->bytes, text, len + 1);
	t->slots[at] = (uint32_t)t->n;
	*out = t->n - 1;
	return buf_check(&t->bytes, err);
}

int texts_read(struct buf *bytes, size_t n, struct texts *out, struct err *err)
{
	struct texts t = TEXTS_INIT;
	size_t at;

	t.bytes = *bytes;
	*bytes = (struct buf)BUF_INIT;
	if (n > t.bytes.len || (t.bytes.len && t.bytes.data[t.bytes.len - 1]))
		goto corrupt;
	for (at = 0; at < t.bytes.len && t.n < n; at += strlen(t.bytes.data + at) + 1)
		if (add_start(&t, at, err))
			goto out;
	if (at != t.bytes.len || t.n != n)
		goto corrupt;
	*out = t;
	return 0;
corrupt:
	err_set(err, ERR_CORRUPT, "its texts are broken");
out:
	texts_release(&t);
	return -1;
}
