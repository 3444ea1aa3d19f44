#include "server/token_cmd.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/when.h"
#include "lib/record/summary.h"
#include "lib/store/ledger.h"

#include "lib/base/banned.h"

#define DAY_US ((int64_t)86400 * 1000000)
#define USUAL_DAYS 365
#define MAX_DAYS 36500

struct token_options {
	const char *store, *project, *label, *id;
	unsigned scopes; /* 0: not said */
	bool untrusted;
	int64_t lasts_us; /* 0: for ever */
};

enum { STORE = 256, PROJECT, SCOPE, LABEL, EXPIRES, UNTRUSTED };

static const struct option known[] = {
	{ "store", required_argument, NULL, STORE },
	{ "project", required_argument, NULL, PROJECT },
	{ "scope", required_argument, NULL, SCOPE },
	{ "label", required_argument, NULL, LABEL },
	{ "expires", required_argument, NULL, EXPIRES },
	{ "untrusted", no_argument, NULL, UNTRUSTED },
	{ NULL, 0, NULL, 0 },
};

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
			*out_us = (int64_t)value * DAY_US;
			return 0;
		}
	} else if (number_duration_ns(text, &value) && value >= 1000) {
		*out_us = (int64_t)(value / 1000);
		return 0;
	}
	return err_set(err, ERR_USAGE, "'%s' is no duration: use 365d, 12h or never", text);
}

static int read_option(int option, const char *value, struct token_options *o, struct err *err)
{
	switch (option) {
	case STORE:
		o->store = value;
		return 0;
	case PROJECT:
		o->project = value;
		return 0;
	case SCOPE:
		if (scopes_parse(value, &o->scopes))
			return 0;
		return err_set(err, ERR_USAGE, "'%s' is no scope: use read, write, admin", value);
	case LABEL:
		o->label = value;
		return 0;
	case EXPIRES:
		return read_lasting(value, &o->lasts_us, err);
	case UNTRUSTED:
		o->untrusted = true;
		return 0;
	default:
		return err_set(err, ERR_USAGE, "unknown option, or one without its value");
	}
}

static int read_options(int argc, char **argv, struct token_options *o, struct err *err)
{
	int option;

	optind = 1;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", known, NULL)) >= 0)
		if (read_option(option, optarg, o, err))
			return -1;
	if (optind < argc)
		o->id = argv[optind++];
	if (optind < argc)
		return err_set(err, ERR_USAGE, "unexpected '%s'", argv[optind]);
	if (!o->store)
		return err_set(err, ERR_USAGE, "--store is missing");
	return 0;
}

static int add(struct ledger *l, const struct token_options *o, struct buf *out, struct err *err)
{
	int64_t expires_us = o->lasts_us ? when_now_us() + o->lasts_us : 0;

	if (o->id)
		return err_set(err, ERR_USAGE, "unexpected '%s'", o->id);
	if (!o->scopes)
		return err_set(err, ERR_USAGE, "--scope is missing");
	/* Only who may do everything may do it everywhere. */
	if (!o->project && !(o->scopes & SCOPE_ADMIN))
		return err_set(err, ERR_USAGE, "--project is missing");
	if (o->project && (!*o->project || strlen(o->project) > SUMMARY_MAX_NAME))
		return err_set(err, ERR_USAGE, "a project has a name of 1 to %d bytes",
			       SUMMARY_MAX_NAME);
	if (ledger_token_add(l, o->project, o->scopes, o->untrusted, o->label, expires_us, out,
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

static int run(const char *what, const struct token_options *o, struct buf *out, struct err *err)
{
	bool writes = strcmp(what, "list") != 0;
	struct ledger *l = NULL;
	int result;

	if (ledger_open(o->store, writes ? LEDGER_WRITE : LEDGER_READ, &l, err))
		return -1;
	if (!strcmp(what, "add"))
		result = add(l, o, out, err);
	else if (!writes)
		result = list(l, out, err);
	else
		result = ledger_token_revoke(l, o->id, err);
	ledger_close(l);
	return result || buf_check(out, err) ? -1 : 0;
}

int token_command(int argc, char **argv, struct buf *out, struct err *err)
{
	struct token_options o = { .lasts_us = USUAL_DAYS * DAY_US };
	const char *what = argc ? argv[0] : "";

	if (strcmp(what, "add") && strcmp(what, "list") && strcmp(what, "revoke")) {
		err_set(err, ERR_USAGE, "'token %s' is no command", what);
		return err_hint(err, "use token add, token list or token revoke");
	}
	if (read_options(argc, argv, &o, err))
		return -1;
	if (!strcmp(what, "revoke") && !o.id)
		return err_set(err, ERR_USAGE, "the id of the token is missing");
	return run(what, &o, out, err);
}
