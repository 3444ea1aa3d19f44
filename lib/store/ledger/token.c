/* Tokens: pawl_s_<12 characters of id>_<43 characters of secret>, kept as a SHA-256. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/digest/digest.h"
#include "lib/record/ulid.h"
#include "lib/store/ledger/local.h"

#include "lib/base/banned.h"

#define PREFIX "pawl_s_"
#define PREFIX_N 7
#define ID_N 12
#define SECRET_N 43
#define TOKEN_N (PREFIX_N + ID_N + 1 + SECRET_N)

static const char url64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static const char id_letters[] = "0123456789abcdefghjkmnpqrstvwxyz";

static const struct {
	unsigned scope;
	const char *word;
} scope_words[] = { { SCOPE_READ, "read" }, { SCOPE_WRITE, "write" }, { SCOPE_ADMIN, "admin" } };

#define N_SCOPES (sizeof(scope_words) / sizeof(scope_words[0]))

void token_info_release(struct token_info *t)
{
	free(t->project);
	free(t->label);
	memset(t, 0, sizeof(*t));
}

static unsigned scope_of(const char *word, size_t n)
{
	size_t i;

	for (i = 0; i < N_SCOPES; i++)
		if (strlen(scope_words[i].word) == n && !strncmp(scope_words[i].word, word, n))
			return scope_words[i].scope;
	return 0;
}

bool scopes_parse(const char *text, unsigned *out)
{
	unsigned scopes = 0;

	for (;;) {
		size_t n = strcspn(text, ",");
		unsigned one = scope_of(text, n);

		if (!one)
			return false;
		scopes |= one;
		if (!text[n])
			break;
		text += n + 1;
	}
	*out = scopes;
	return true;
}

void scopes_print(unsigned scopes, struct buf *out)
{
	const char *between = "";
	size_t i;

	for (i = 0; i < N_SCOPES; i++) {
		if (!(scopes & scope_words[i].scope))
			continue;
		buf_addf(out, "%s%s", between, scope_words[i].word);
		between = ",";
	}
}

bool token_allows(const struct token_info *t, unsigned scope, const char *project)
{
	if (!(t->scopes & (scope | SCOPE_ADMIN)))
		return false;
	return !t->project || !project || !strcmp(t->project, project);
}

/* 32 random bytes in the 43 digits that they need, six bits each. */
static int make_secret(struct buf *out, struct err *err)
{
	unsigned char bytes[33] = { 0 };
	unsigned i;

	if (random_bytes(bytes, 32, err))
		return -1;
	for (i = 0; i < SECRET_N; i++) {
		unsigned bit = i * 6, pair = (unsigned)bytes[bit / 8] << 8 | bytes[bit / 8 + 1];

		buf_addc(out, url64[pair >> (10 - bit % 8) & 63]);
	}
	return 0;
}

static int make_id(char out[ID_N + 1], struct err *err)
{
	unsigned char bytes[ID_N];
	int i;

	if (random_bytes(bytes, sizeof(bytes), err))
		return -1;
	for (i = 0; i < ID_N; i++)
		out[i] = id_letters[bytes[i] & 31];
	out[ID_N] = '\0';
	return 0;
}

int ledger_token_add(struct ledger *l, const char *project, unsigned scopes, bool untrusted,
		     const char *label, int64_t expires_us, struct buf *out_text, struct err *err)
{
	char id[ID_N + 1], sha256[DIGEST_HEX];
	struct buf text = BUF_INIT;
	int result = -1;

	if (make_id(id, err))
		return -1;
	buf_addf(&text, PREFIX "%s_", id);
	if (make_secret(&text, err) || buf_check(&text, err) ||
	    digest_of(text.data, text.len, sha256, err) ||
	    db_run(&l->db, err,
		   "INSERT INTO token (token_id, project, sha256, scopes, untrusted, label,"
		   " created_us, expires_us, revoked_us) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,0)",
		   "tttiitii", id, project, sha256, (int64_t)scopes, (int64_t)untrusted, label,
		   when_now_us(), expires_us))
		goto out;
	buf_add(out_text, text.data, text.len);
	result = buf_check(out_text, err);
out:
	buf_release(&text);
	return result;
}

#define TOKEN_COLUMNS \
	"token_id, project, scopes, untrusted, label, created_us, expires_us, revoked_us, sha256"

static int take(struct db_query *st, struct token_info *out, struct err *err)
{
	struct token_info t = { .scopes = (unsigned)db_integer(st, 2),
				.untrusted = db_integer(st, 3) != 0,
				.created_us = db_integer(st, 5),
				.expires_us = db_integer(st, 6),
				.revoked_us = db_integer(st, 7) };

	strncpy(t.id, db_text(st, 0), sizeof(t.id) - 1);
	if ((!db_is_null(st, 1) && str_set(&t.project, db_text(st, 1), err)) ||
	    (!db_is_null(st, 4) && str_set(&t.label, db_text(st, 4), err)) ||
	    db_row_check(st, err)) {
		token_info_release(&t);
		return -1;
	}
	*out = t;
	return 0;
}

int ledger_token_list(struct ledger *l, struct token_info **out, size_t *out_n, struct err *err)
{
	struct token_info *list = NULL;
	struct db_query *st = NULL;
	size_t n = 0;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT " TOKEN_COLUMNS " FROM token ORDER BY created_us, token_id", ""))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		struct token_info *grown = realloc(list, (n + 1) * sizeof(*list));

		if (!grown) {
			step = err_nomem(err);
			break;
		}
		list = grown;
		if (take(st, &list[n], err)) {
			step = -1;
			break;
		}
		n++;
	}
	db_end(st);
	if (step < 0) {
		while (n)
			token_info_release(&list[--n]);
		free(list);
		return -1;
	}
	*out = list;
	*out_n = n;
	return 0;
}

int ledger_token_revoke(struct ledger *l, const char *id, struct err *err)
{
	if (db_run(&l->db, err, "UPDATE token SET revoked_us=?2 WHERE token_id=?1 AND revoked_us=0",
		   "ti", id, when_now_us()))
		return -1;
	return db_changes(&l->db) ? 0 : err_set(err, ERR_ABSENT, "no valid token '%s'", id);
}

/* Takes the same time wherever the texts differ. */
static bool same_digest(const char *a, const char *b)
{
	volatile unsigned char differ = 0;
	size_t i;

	if (strlen(a) != DIGEST_HEX - 1 || strlen(b) != DIGEST_HEX - 1)
		return false;
	for (i = 0; i < DIGEST_HEX - 1; i++)
		differ = (unsigned char)(differ | (a[i] ^ b[i]));
	return !differ;
}

static bool has_form(const char *text)
{
	return strlen(text) == TOKEN_N && str_starts(text, PREFIX) &&
	       strspn(text + PREFIX_N, id_letters) == ID_N && text[PREFIX_N + ID_N] == '_' &&
	       strspn(text + PREFIX_N + ID_N + 1, url64) == SECRET_N;
}

/* sha256 NULL: whatever its text is. */
static int find(struct ledger *l, const char *id, const char *sha256, struct token_info *out,
		struct err *err)
{
	struct db_query *st = NULL;
	int64_t now_us = when_now_us();
	bool valid;
	int step;

	if (db_start(&l->db, &st, err, "SELECT " TOKEN_COLUMNS " FROM token WHERE token_id=?1", "t",
		     id))
		return -1;
	step = db_step(&l->db, st, err);
	valid = step > 0 && (!sha256 || same_digest(sha256, db_text(st, 8))) &&
		!db_integer(st, 7) && (!db_integer(st, 6) || db_integer(st, 6) > now_us);
	if (valid)
		step = take(st, out, err);
	db_end(st);
	if (valid || step < 0)
		return step;
	return err_set(err, ERR_ABSENT, "the token is unknown, revoked or expired");
}

int ledger_token_find(struct ledger *l, const char *text, struct token_info *out, struct err *err)
{
	char id[ID_N + 1] = "", sha256[DIGEST_HEX];

	if (!has_form(text))
		return err_set(err, ERR_ABSENT, "that is not a token of pawld");
	memcpy(id, text + PREFIX_N, ID_N);
	if (digest_of(text, TOKEN_N, sha256, err))
		return -1;
	return find(l, id, sha256, out, err);
}

int ledger_token_get(struct ledger *l, const char *id, struct token_info *out, struct err *err)
{
	return find(l, id, NULL, out, err);
}
