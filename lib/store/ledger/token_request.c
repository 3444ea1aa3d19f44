#include "lib/store/ledger/token_request.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/when.h"
#include "lib/record/summary.h"
#include "lib/store/ledger/ledger.h"

#include "lib/base/banned.h"

#define USUAL "365d"
#define MAX_DAYS 36500

/* "365d", "12h", "never". */
static int read_lasting(const char *text, int64_t *out_us, struct err *err)
{
	char digits[NUMBER_TEXT];
	size_t n = strlen(text);
	uint64_t value;

	if (!strcmp(text, "never")) {
		*out_us = 0;
		return 0;
	}
	if (n > 1 && n < sizeof(digits) && text[n - 1] == 'd') {
		memcpy(digits, text, n - 1);
		digits[n - 1] = '\0';
		if (number_u64(digits, &value) && value && value <= MAX_DAYS) {
			*out_us = (int64_t)value * WHEN_DAY_US;
			return 0;
		}
	} else if (number_duration_ns(text, &value) && value >= 1000) {
		*out_us = (int64_t)(value / 1000);
		return 0;
	}
	return err_set(err, ERR_USAGE, "'%s' is no duration: use 365d, 12h or never", text);
}

static int add(struct ledger *l, const struct token_request *rq, struct buf *out, struct err *err)
{
	int64_t lasts_us = 0, expires_us;
	unsigned scopes;

	if (rq->id)
		return err_set(err, ERR_USAGE, "unexpected '%s'", rq->id);
	if (!rq->scope)
		return err_set(err, ERR_USAGE, "--scope is missing");
	if (!scopes_parse(rq->scope, &scopes))
		return err_set(err, ERR_USAGE, "'%s' is no scope: use read, write, admin",
			       rq->scope);
	if (read_lasting(rq->expires ? rq->expires : USUAL, &lasts_us, err))
		return -1;
	/* Only who may do everything may write everywhere; what reads /metrics may be no such. */
	if (!rq->project && !(scopes & SCOPE_ADMIN) && scopes != SCOPE_READ)
		return err_set(err, ERR_USAGE, "--project is missing");
	if (rq->project && (!*rq->project || strlen(rq->project) > SUMMARY_MAX_NAME))
		return err_set(err, ERR_USAGE, "a project has a name of 1 to %d bytes",
			       SUMMARY_MAX_NAME);
	expires_us = lasts_us ? when_now_us() + lasts_us : 0;
	if (ledger_token_add(l, rq->project, scopes, rq->untrusted, rq->label, expires_us, out,
			     err))
		return -1;
	buf_addc(out, '\n');
	return 0;
}

static const char *day(int64_t us, const char *never, char text[WHEN_ISO])
{
	if (!us)
		return never;
	when_iso(us, false, text);
	text[10] = '\0';
	return text;
}

static void write_token(const struct token_info *t, struct buf *out)
{
	char created[WHEN_ISO], expires[WHEN_ISO], revoked[WHEN_ISO];
	struct buf scopes = BUF_INIT;

	scopes_print(t->scopes, &scopes);
	buf_addf(out, "%s  %-20s  %-10s  %-9s  %-10s  %-10s  %-10s  %s\n", t->id,
		 t->project ? t->project : "*", buf_str(&scopes),
		 t->untrusted ? "untrusted" : "trusted", day(t->created_us, "-", created),
		 day(t->expires_us, "never", expires), day(t->revoked_us, "-", revoked),
		 t->label ? t->label : "");
	out->failed |= scopes.failed;
	buf_release(&scopes);
}

static int list(struct ledger *l, struct buf *out, struct err *err)
{
	struct token_info *tokens = NULL;
	size_t i, n = 0;

	if (ledger_token_list(l, &tokens, &n, err))
		return -1;
	buf_addf(out, "%-12s  %-20s  %-10s  %-9s  %-10s  %-10s  %-10s  %s\n", "ID", "PROJECT",
		 "SCOPE", "TRUST", "CREATED", "EXPIRES", "REVOKED", "LABEL");
	for (i = 0; i < n; i++) {
		write_token(&tokens[i], out);
		token_info_release(&tokens[i]);
	}
	free(tokens);
	return 0;
}

static int run(const struct token_request *rq, struct buf *out, struct err *err)
{
	bool lists = !strcmp(rq->verb, "list"), adds = !strcmp(rq->verb, "add");
	/* The first token may be made before the server has made the store. */
	enum ledger_mode mode = adds ? LEDGER_WRITE : LEDGER_CHANGE;
	struct ledger *l = NULL;
	int result;

	if (ledger_open(rq->store, lists ? LEDGER_READ : mode, &l, err))
		return -1;
	if (adds)
		result = add(l, rq, out, err);
	else if (lists)
		result = list(l, out, err);
	else
		result = ledger_token_revoke(l, rq->id, err);
	ledger_close(l);
	return result || buf_check(out, err) ? -1 : 0;
}

int token_request_run(const struct token_request *rq, struct buf *out, struct err *err)
{
	const char *verb = rq->verb ? rq->verb : "";

	if (strcmp(verb, "add") && strcmp(verb, "list") && strcmp(verb, "revoke")) {
		err_set(err, ERR_USAGE,
			*verb ? "'token %s' is no command" : "'token' wants a command%s", verb);
		return err_hint(err, "use token add, token list or token revoke");
	}
	if (!rq->store) {
		err_set(err, ERR_USAGE, "--store is missing");
		return err_hint(err, "name the server's database, sqlite:PATH");
	}
	if (!strcmp(verb, "revoke") && !rq->id)
		return err_set(err, ERR_USAGE, "the id of the token is missing");
	return run(rq, out, err);
}
