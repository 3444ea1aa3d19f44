#include "lib/record/ack.h"

#include <stdio.h>
#include <string.h>

#include "lib/record/reader.h"

#include "lib/base/banned.h"

/* Copies what fits, never half of a UTF-8 sequence. */
static void copy_line(const json_t *object, const char *key, char *out, size_t size)
{
	const char *text = json_string_value(json_object_get(object, key));
	size_t n;

	if (!text)
		return;
	n = strlen(text);
	if (n >= size) {
		n = size - 1;
		while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;
	}
	memcpy(out, text, n);
	out[n] = '\0';
	err_clean(out);
}

int ack_decode(const char *json, size_t n, struct ack *out, struct err *err)
{
	struct ack ack = { "", "", "", "", false };
	json_t *root = reader_parse(json, n, ACK_MAX_BYTES, ACK_MAX_DEPTH, err), *fault;
	const char *id;

	if (!root)
		return -1;
	if (!json_is_object(root)) {
		json_decref(root);
		return err_set(err, ERR_SYNTAX, "the answer is no JSON object");
	}
	id = json_string_value(json_object_get(root, "id"));
	if (id && ulid_is_valid(id))
		memcpy(ack.id, id, ULID_TEXT);
	ack.untrusted = json_is_true(json_object_get(root, "untrusted"));
	fault = json_object_get(root, "error");
	copy_line(fault, "code", ack.code, sizeof(ack.code));
	copy_line(fault, "message", ack.message, sizeof(ack.message));
	copy_line(fault, "where", ack.where, sizeof(ack.where));
	json_decref(root);
	*out = ack;
	return 0;
}
