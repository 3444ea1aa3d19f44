#include "lib/record/ack.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/json/jtree.h"

#include "lib/base/banned.h"

/* Copies what fits, never half of a UTF-8 sequence. */
static void copy_line(const struct jtree *object, const char *key, char *out, size_t size)
{
	const char *text = jtree_text(jtree_get(object, key));
	size_t n;

	if (!text)
		return;
	n = utf8_fitting(text, size - 1);
	memcpy(out, text, n);
	out[n] = '\0';
	err_clean(out);
}

int ack_decode(const char *json, size_t n, struct ack *out, struct err *err)
{
	struct ack ack = { "", "", "", "", 0, false };
	int64_t status = 0;
	struct jtree *root = jtree_parse(json, n, ACK_MAX_BYTES, ACK_MAX_DEPTH, err);
	const struct jtree *fault;
	const char *id;

	if (!root)
		return -1;
	if (jtree_kind(root) != JTREE_OBJECT) {
		jtree_free(root);
		return err_set(err, ERR_SYNTAX, "the answer is no JSON object");
	}
	id = jtree_text(jtree_get(root, "id"));
	if (id && ulid_is_valid(id))
		memcpy(ack.id, id, ULID_TEXT);
	if (jtree_whole(jtree_get(root, "status"), &status) && status >= 100 && status <= 599)
		ack.status = (int)status;
	ack.untrusted = jtree_is_true(jtree_get(root, "untrusted"));
	fault = jtree_get(root, "error");
	copy_line(fault, "code", ack.code, sizeof(ack.code));
	copy_line(fault, "message", ack.message, sizeof(ack.message));
	copy_line(fault, "where", ack.where, sizeof(ack.where));
	jtree_free(root);
	*out = ack;
	return 0;
}
