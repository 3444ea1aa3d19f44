/*
 * sink_facts - what has no place among the metrics, kept in its own words.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/foreign/sink.h"

#include "lib/base/banned.h"

#define NAME_MAX_BYTES 200 /* leaves room for a number behind it */

/* How many bytes of a text go into one fact: whole characters. */
static size_t piece_of(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t used = 0, len;

	while (used < n) {
		len = utf8_length(p + used, n - used);
		/* What is no UTF-8 is written as three bytes; counted so, all of it fits. */
		if (used + 3 + (len ? len : 1) > SUMMARY_MAX_TEXT / 3 && n > SUMMARY_MAX_TEXT / 3)
			break;
		used += len ? len : 1;
	}
	return used;
}

static int add(struct facts *facts, const char *name, const char *text, size_t n, struct err *err)
{
	struct buf value = BUF_INIT;
	int result = -1;

	if (facts->n >= SUMMARY_MAX_FACTS)
		return err_set(err, ERR_LIMIT, "more than %d further fields ('%.60s')",
			       SUMMARY_MAX_FACTS, name);
	buf_add(&value, text, n);
	if (!buf_check(&value, err))
		result = facts_add(facts, name, buf_str(&value), err);
	buf_release(&value);
	return result;
}

/* The name that is free for this value; false where just this is kept already. */
static bool free_name(const struct facts *facts, const char *base, const char *first, size_t n,
		      char *out, size_t size)
{
	unsigned number = 1;
	const char *there;

	snprintf(out, size, "%s", base);
	while ((there = facts_find(facts, out))) {
		if (strlen(there) == n && !memcmp(there, first, n))
			return false;
		snprintf(out, size, "%s#%u", base, ++number);
	}
	return true;
}

int sink_fact_n(struct facts *facts, const char *name, const char *value, size_t n, struct err *err)
{
	char base[NAME_MAX_BYTES + 1], own[NAME_MAX_BYTES + 32];
	size_t done = piece_of(value, n), i;
	unsigned part = 1;

	snprintf(base, sizeof(base), "%s", *name ? name : "?");
	/* A name is cut between characters, and holds none that a document refuses. */
	for (i = strlen(base); i > 0 && (base[i - 1] & 0xc0) == 0x80 && strlen(name) > i; i--)
		base[i - 1] = '\0';
	for (i = 0; base[i]; i++)
		if (utf8_is_control((const unsigned char *)base + i))
			memset(base + i, ' ', (unsigned char)base[i] == 0xc2 ? 2 : 1);
	if (!free_name(facts, base, value, done, own, sizeof(own)))
		return 0;
	if (add(facts, own, value, done, err))
		return -1;
	while (done < n) {
		size_t more = piece_of(value + done, n - done);
		char next[sizeof(own) + 16];

		snprintf(next, sizeof(next), "%s+%u", own, ++part);
		if (add(facts, next, value + done, more, err))
			return -1;
		done += more;
	}
	return 0;
}

int sink_fact(struct facts *facts, const char *name, const char *value, struct err *err)
{
	return sink_fact_n(facts, name, value, strlen(value), err);
}

int sink_fact_json(struct facts *facts, const char *name, const struct jtree *value,
		   struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	if (!jtree_print(value, true, &text, err))
		result = sink_fact_n(facts, name, buf_str(&text), text.len, err);
	buf_release(&text);
	return result;
}

static bool is_known(const char *const *known, const char *key)
{
	for (; known && *known; known++)
		if (!strcmp(*known, key))
			return true;
	return false;
}

int sink_rest(struct facts *facts, const struct jtree *object, const char *const *known,
	      struct err *err)
{
	struct jtree_field field = { NULL, NULL, NULL };

	while (jtree_next(object, &field))
		if (!is_known(known, field.key) &&
		    sink_fact_json(facts, field.key, field.value, err))
			return -1;
	return 0;
}
