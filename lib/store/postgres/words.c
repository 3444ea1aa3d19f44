/* The words of SQL that the two engines have different ones for. */
#ifdef PAWL_LIBPQ

#include <ctype.h>
#include <string.h>

#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

static const struct {
	const char *from, *to;
	bool of_schema; /* in a schema alone */
} words[] = {
	{ "CROSS JOIN", "JOIN", false },      { " WITHOUT ROWID", "", true },
	{ "INTEGER", "bigint", true },	      { "BLOB", "bytea", true },
	{ "REAL", "double precision", true }, { "TEXT", "text COLLATE \"C\"", true },
};

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the whole word is there, and not a part of another. */
static bool is_word(const char *sql, const char *at, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(at, word, n) && !is_letter(at[n]) &&
	       (at == sql || !is_letter(at[-1]) || !is_letter(*word));
}

/* How many bytes of at are replaced by *out; 0: none. */
static size_t find(const char *sql, const char *at, bool is_schema, const char **out)
{
	static const char hint[] = " INDEXED BY ";
	size_t i, n = strlen(hint);

	if (!strncmp(at, hint, n)) {
		while (is_letter(at[n]))
			n++;
		*out = "";
		return n;
	}
	if (*at == '?') {
		*out = "$";
		return 1;
	}
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (words[i].of_schema && !is_schema)
			continue;
		if (is_word(sql, at, words[i].from)) {
			*out = words[i].to;
			return strlen(words[i].from);
		}
	}
	return 0;
}

void postgres_words(const char *sql, bool is_schema, struct buf *out)
{
	const char *at = sql, *to = NULL;
	bool quoted = false;
	size_t n;

	while (*at) {
		n = quoted ? 0 : find(sql, at, is_schema, &to);
		quoted ^= *at == '\'';
		if (n)
			buf_adds(out, to);
		else
			buf_addc(out, *at);
		at += n ? n : 1;
	}
}

#else
typedef int libpq_is_absent;
#endif
