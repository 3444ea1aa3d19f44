#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "lib/base/when.h"
#include "lib/store/ledger.h"

#include "lib/base/banned.h"

#define DAY_US 86400000000
#define DEFAULT_DAYS 365

static const struct {
	const char *word;
	unsigned scope;
} scopes[] = { { "read", SCOPE_READ }, { "write", SCOPE_WRITE }, { "admin", SCOPE_ADMIN } };

/* "write,read" to a bit set. */
static int parse_scopes(const char *words, unsigned *out, struct err *err)
{
	*out = 0;
	while (*words) {
		size_t n = strcspn(words, ","), i;

		for (i = 0; i < 3; i++)
			if (strlen(scopes[i].word) == n && !strncmp(scopes[i].word, words, n))
				break;
		if (i == 3)
			return err_set(err, ERR_USAGE,
				       "--scope takes write, read or admin, not '%.*s'", (int)n,
				       words);
		*out |= scopes[i].scope;
		words += n;
		words += *words == ',';
	}
	return *out ? 0 : err_set(err, ERR_USAGE, "--scope takes write, read or admin");
}

/* "365d" or "never" to a time; NULL is the default. */
static int parse_expiry(const char *text, int64_t *out_us, struct err *err)
{
	char *end;
	long days = DEFAULT_DAYS;

	*out_us = 0;
	if (text && !strcmp(text, "never"))
		return 0;
	if (text) {
		days = strtol(text, &end, 10);
		if (end == text || strcmp(end, "d") || days < 1 || days > 36500)
			return err_set(err, ERR_USAGE,
				       "--expires takes days such as 365d, or never, not '%s'",
				       text);
	}
	*out_us = when_now_us() + days * DAY_US;
	return 0;
}

/* --project is a configuration key for other commands: here it is the token's. */
static const char *project_of(const struct options *o)
{
	size_t i;

	for (i = 0; i + 1 < o->settings.n; i += 2)
		if (!strcmp(o->settings.v[i], "project"))
			return o->settings.v[i + 1];
	return NULL;
}

static int add(const struct options *o, struct ledger *l, struct err *err)
{
	const char *project = project_of(o);
	struct buf text = BUF_INIT;
	int64_t expires_us;
	unsigned scope;
	int result = -1;

	if (parse_scopes(o->scope ? o->scope : "", &scope, err) ||
	    parse_expiry(o->expires, &expires_us, err))
		goto out;
	if (!project && scope != SCOPE_ADMIN) {
		err_set(err, ERR_USAGE, "a token belongs to a project");
		err_hint(err, "add --project NAME");
		goto out;
	}
	if (ledger_token_add(l, project, scope, o->untrusted, o->label, expires_us, &text, err))
		goto out;
	printf("%s\n", buf_str(&text));
	result = 0;
out:
	buf_release(&text);
	return result;
}

static void scope_words(unsigned set, char out[32])
{
	size_t i, n = 0;

	out[0] = '\0';
	for (i = 0; i < 3; i++)
		if (set & scopes[i].scope)
			n += (size_t)snprintf(out + n, 32 - n, "%s%s", n ? "," : "",
					      scopes[i].word);
}

static const char *day_of(int64_t us, const char *none, char out[WHEN_ISO])
{
	if (!us)
		return none;
	when_iso(us, false, out);
	out[10] = '\0';
	return out;
}

static int list(struct ledger *l, struct err *err)
{
	struct token_info *all;
	char words[32], expires[WHEN_ISO], revoked[WHEN_ISO];
	size_t n, i;

	if (ledger_token_list(l, &all, &n, err))
		return -1;
	printf("%-12s  %-20s  %-16s  %-10s  %-10s  %s\n", "id", "project", "scope", "expires",
	       "revoked", "label");
	for (i = 0; i < n; i++) {
		scope_words(all[i].scopes, words);
		printf("%-12s  %-20s  %-16s  %-10s  %-10s  %s%s\n", all[i].id,
		       all[i].project ? all[i].project : "(all)", words,
		       day_of(all[i].expires_us, "never", expires),
		       day_of(all[i].revoked_us, "no", revoked), all[i].label ? all[i].label : "",
		       all[i].untrusted ? " (untrusted)" : "");
		token_info_release(&all[i]);
	}
	free(all);
	return 0;
}

static int run(const struct options *o, struct ledger *l, struct err *err)
{
	const char *verb = o->args.v[0];

	if (!strcmp(verb, "add") && o->args.n == 1)
		return add(o, l, err);
	if (!strcmp(verb, "list") && o->args.n == 1)
		return list(l, err);
	if (!strcmp(verb, "revoke") && o->args.n == 2)
		return ledger_token_revoke(l, o->args.v[1], err);
	return err_set(err, ERR_USAGE, "'pawl token' takes add, list, or revoke ID");
}

int cmd_token(const struct options *o)
{
	struct err err = ERR_INIT;
	struct ledger *l = NULL;
	int result = -1;

	terminal_talk(o);
	if (!o->args.n)
		err_set(&err, ERR_USAGE, "'pawl token' takes add, list, or revoke ID");
	else if (!o->store) {
		err_set(&err, ERR_USAGE, "which server's database?");
		err_hint(&err, "add --store sqlite:PATH, on the server's machine");
	} else if (!ledger_open(o->store, LEDGER_WRITE, &l, &err)) {
		result = run(o, l, &err);
	}
	ledger_close(l);
	return result ? complain(&err) : EXIT_OK;
}
