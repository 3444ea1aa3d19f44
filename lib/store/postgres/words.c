/* The words of SQL that the two engines have different ones for. */
#ifdef PAWL_LIBPQ

#include <ctype.h>
#include <string.h>

#include "lib/base/strv.h"
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
static size_t find(const char *sql, const char *at, bool is_schema, const char *mark,
		   const char **out)
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
		*out = mark;
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

/* Of sql those bytes up to end; mark is what stands before the number of a parameter. */
static void add_words(const char *sql, const char *at, const char *end, bool is_schema,
		      const char *mark, struct buf *out)
{
	const char *to = NULL;
	bool quoted = false;
	size_t n;

	while (at < end) {
		n = quoted ? 0 : find(sql, at, is_schema, mark, &to);
		quoted ^= *at == '\'';
		if (n)
			buf_adds(out, to);
		else
			buf_addc(out, *at);
		at += n ? n : 1;
	}
}

void postgres_words(const char *sql, bool is_schema, struct buf *out)
{
	add_words(sql, sql, sql + strlen(sql), is_schema, "$", out);
}

/* The word, where it is in no quotes; or NULL. */
static const char *find_word(const char *sql, const char *word)
{
	const char *at;
	bool quoted = false;

	for (at = sql; *at; at++) {
		quoted ^= *at == '\'';
		if (!quoted && is_word(sql, at, word))
			return at;
	}
	return NULL;
}

/* The bracket that closes the one at `at`; or NULL. */
static const char *find_closing(const char *at)
{
	bool quoted = false;
	int depth = 0;

	for (; *at; at++) {
		quoted ^= *at == '\'';
		if (quoted)
			continue;
		depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
		if (!depth)
			return at;
	}
	return NULL;
}

/* FROM the arrays, whose elements are k.p1, k.p2, ... */
static void add_arrays(const char *types, bool numbered, struct buf *out)
{
	size_t i, n = strlen(types);

	buf_adds(out, " FROM unnest(");
	for (i = 1; i <= n; i++)
		buf_addf(out, "%s$%zu", i > 1 ? "," : "", i);
	buf_adds(out, numbered ? ") WITH ORDINALITY AS k(" : ") AS k(");
	for (i = 1; i <= n; i++)
		buf_addf(out, "%sp%zu", i > 1 ? "," : "", i);
	buf_adds(out, numbered ? ",number)" : ")");
}

static bool rows_of_many(const char *sql, const char *types, struct buf *out)
{
	const char *values = find_word(sql, "VALUES"), *open, *closing;

	open = values ? strchr(values, '(') : NULL;
	closing = open ? find_closing(open) : NULL;
	if (!closing || (closing[1] && !str_starts(closing + 1, " ON CONFLICT")) ||
	    strchr(closing, '?'))
		return false;
	add_words(sql, sql, values, false, "k.p", out);
	buf_adds(out, "SELECT ");
	add_words(sql, open + 1, closing, false, "k.p", out);
	add_arrays(types, false, out);
	buf_adds(out, closing + 1);
	return true;
}

bool postgres_words_of_many(const char *sql, const char *types, struct buf *out)
{
	bool is_ordered = find_word(sql, "ORDER BY") != NULL;

	if (!*types)
		return false;
	if (str_starts(sql, "INSERT"))
		return rows_of_many(sql, types, out);
	if (!str_starts(sql, "SELECT"))
		return false;
	buf_adds(out, "SELECT k.number, q.*");
	add_arrays(types, true, out);
	buf_adds(out, is_ordered ? ", LATERAL (SELECT o.*, row_number() OVER () AS place FROM ("
				 : ", LATERAL (");
	add_words(sql, sql, sql + strlen(sql), false, "k.p", out);
	buf_adds(out, is_ordered ? ") AS o) AS q ORDER BY k.number, q.place"
				 : ") AS q ORDER BY k.number");
	return true;
}

#else
typedef int libpq_is_absent;
#endif
