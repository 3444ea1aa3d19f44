#include "server/alert/check.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/net/forge.h"
#include "lib/net/url.h"
#include "server/alert/secret.h"

#include "lib/base/banned.h"

#define ADDRESS_MOST 254
#define RECIPIENTS_MOST 2000
#define QUERY_SIGNS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%+=&:,/@"

static int check_way(const struct url *u, bool is_encrypted, const struct alert_target *t,
		     struct err *err)
{
	bool here = url_is_loopback(u);

	if (here && !t->allow_private) {
		err_set(err, ERR_USAGE, "'%s' is this machine", u->host);
		return err_hint(err, "to allow it, say --allow-private");
	}
	if (!is_encrypted && !here) {
		err_set(err, ERR_USAGE, "'%s' would be reached without TLS", u->host);
		return err_hint(err, "use https");
	}
	return 0;
}

/* The address without its query. */
static int parse(const char *text, struct url *out, struct err *err)
{
	char base[URL_TEXT];
	size_t n = strcspn(text, "?");

	if (n >= sizeof(base) || strlen(text) >= URL_TEXT)
		return err_set(err, ERR_USAGE, "the address is too long");
	memcpy(base, text, n);
	base[n] = '\0';
	if (text[n] && text[n + 1 + strspn(text + n + 1, QUERY_SIGNS)])
		return err_set(err, ERR_USAGE,
			       "the query of the address holds a sign that is not accepted");
	return url_parse(base, out, err);
}

static int check_webhook(struct alert_target *t, struct err *err)
{
	struct url u;

	if (!t->secret_file) {
		err_set(err, ERR_USAGE, "--secret-file is missing");
		return err_hint(err, "the receiver checks with it that a message is pawld's: "
				     "head -c 32 /dev/urandom | base64 >FILE");
	}
	return parse(t->url, &u, err) || check_way(&u, u.is_https, t, err) ? -1 : 0;
}

/* Letters that need no quoting in a head or an envelope, and one '@'. */
static bool is_address(const char *p, size_t n)
{
	static const char signs[] = "!#$%&'*+-/=?^_`{|}~.@";
	size_t i, n_at = 0;

	for (i = 0; i < n; i++) {
		bool is_letter = (p[i] >= '0' && p[i] <= '9') || (p[i] >= 'a' && p[i] <= 'z') ||
				 (p[i] >= 'A' && p[i] <= 'Z');

		if (!p[i] || (!is_letter && !strchr(signs, p[i])))
			return false;
		n_at += p[i] == '@';
	}
	return n > 2 && n <= ADDRESS_MOST && n_at == 1 && p[0] != '@' && p[0] != '-' &&
	       p[n - 1] != '@';
}

static int check_addresses(const char *option, const char *list, bool many, struct err *err)
{
	const char *at = list;

	if (!list || !*list)
		return err_set(err, ERR_USAGE, "%s is missing", option);
	if (strlen(list) > RECIPIENTS_MOST)
		return err_set(err, ERR_USAGE, "%s: more than %d bytes", option, RECIPIENTS_MOST);
	for (;;) {
		size_t n = strcspn(at, ",");

		if (!is_address(at, n) || (at[n] && !many))
			return err_set(err, ERR_USAGE, "%s: '%.*s' is no address", option,
				       (int)(n < 80 ? n : 80), at);
		if (!at[n])
			return 0;
		at += n + 1;
	}
}

static int check_mail(struct alert_target *t, struct err *err)
{
	bool is_encrypted = str_starts(t->url, "smtps://");
	struct buf text = BUF_INIT;
	struct url u;
	int result = -1;

	if (!is_encrypted && !str_starts(t->url, "smtp://")) {
		err_set(err, ERR_USAGE, "'%s' is no mail server", t->url);
		return err_hint(err, "write it like smtp://HOST:PORT or smtps://HOST:PORT");
	}
	/* The rest is written as other addresses are. */
	buf_addf(&text, "https%s", strstr(t->url, "://"));
	if (buf_check(&text, err) || url_parse(buf_str(&text), &u, err))
		goto out;
	if (u.path[0]) {
		err_set(err, ERR_USAGE, "the address of a mail server has no path");
		goto out;
	}
	/* To others it goes by STARTTLS at least. */
	result = check_way(&u, true, t, err) || check_addresses("--from", t->sender, false, err) ||
				 check_addresses("--to", t->recipients, true, err)
			 ? -1
			 : 0;
out:
	buf_release(&text);
	return result;
}

static int check_status(struct alert_target *t, struct err *err)
{
	const struct forge *forge = forge_find(t->forge);
	struct buf api = BUF_INIT, repository = BUF_INIT;
	struct url u;
	int result = -1;

	if (!forge) {
		err_set(err, ERR_USAGE, "'%s' is no forge", t->forge);
		return err_hint(err, "one of: github, gitlab, gitea");
	}
	if (!t->repository)
		return err_set(err, ERR_USAGE, "--repository is missing");
	if (!t->secret_file)
		return err_set(err, ERR_USAGE, "--secret-file is missing: with the token");
	if (!forge_api(forge, t->url, &api, err) &&
	    !forge_repository(forge, t->repository, &repository, err) &&
	    !str_set(&t->url, buf_str(&api), err) &&
	    !str_set(&t->repository, buf_str(&repository), err) && !url_parse(t->url, &u, err))
		result = check_way(&u, u.is_https, t, err);
	buf_release(&api);
	buf_release(&repository);
	return result;
}

static int check_secret(const struct alert_target *t, struct err *err)
{
	struct buf secret = BUF_INIT;
	int result;

	if (!t->secret_file)
		return 0;
	if (t->secret_file[0] != '/') {
		err_set(err, ERR_USAGE, "--secret-file: '%s' does not begin with '/'",
			t->secret_file);
		return err_hint(err, "pawld reads it from another folder: give the whole path");
	}
	result = secret_read(t->secret_file, &secret, err);
	secret_release(&secret);
	return result;
}

int target_check(struct alert_target *t, struct err *err)
{
	int result;

	if (t->kind == TARGET_WEBHOOK)
		result = check_webhook(t, err);
	else if (t->kind == TARGET_MAIL)
		result = check_mail(t, err);
	else
		result = check_status(t, err);
	return result ? -1 : check_secret(t, err);
}
