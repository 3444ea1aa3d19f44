#include "server/alert_cmd.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/record/ulid.h"
#include "lib/store/ledger/ledger.h"
#include "server/alert/check.h"
#include "server/alert/send.h"

#include "lib/base/banned.h"

#define TEST_TIMEOUT_NS 10000000000u

enum {
	STORE = 256,
	PROJECT,
	WEBHOOK,
	MAIL,
	STATUS,
	URL,
	FROM,
	TO,
	REPOSITORY,
	SECRET_FILE,
	BRANCH,
	COMMIT,
	N_TEXTS,
	VERDICTS_ONLY = N_TEXTS,
	ALLOW_PRIVATE
};

static const struct option known[] = {
	{ "store", required_argument, NULL, STORE },
	{ "project", required_argument, NULL, PROJECT },
	{ "webhook", required_argument, NULL, WEBHOOK },
	{ "mail", required_argument, NULL, MAIL },
	{ "status", required_argument, NULL, STATUS },
	{ "url", required_argument, NULL, URL },
	{ "from", required_argument, NULL, FROM },
	{ "to", required_argument, NULL, TO },
	{ "repository", required_argument, NULL, REPOSITORY },
	{ "secret-file", required_argument, NULL, SECRET_FILE },
	{ "branch", required_argument, NULL, BRANCH },
	{ "commit", required_argument, NULL, COMMIT },
	{ "verdicts-only", no_argument, NULL, VERDICTS_ONLY },
	{ "allow-private", no_argument, NULL, ALLOW_PRIVATE },
	{ NULL, 0, NULL, 0 },
};

struct asked {
	const char *verb;
	const char *texts[N_TEXTS - STORE];
	bool verdicts_only, allow_private;
	int64_t id; /* 0: none was given */
};

static const char *text_of(const struct asked *a, int option)
{
	return a->texts[option - STORE];
}

static int read_id(const char *text, int64_t *out, struct err *err)
{
	uint64_t n;

	if (!number_u64(text, &n) || !n || n > INT64_MAX)
		return err_set(err, ERR_USAGE, "'%s' is not the number of a target", text);
	*out = (int64_t)n;
	return 0;
}

static int read_options(int argc, char **argv, struct asked *a, struct err *err)
{
	int option;

	optind = 1;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", known, NULL)) >= 0) {
		if (option == VERDICTS_ONLY)
			a->verdicts_only = true;
		else if (option == ALLOW_PRIVATE)
			a->allow_private = true;
		else if (option >= STORE && option < N_TEXTS)
			a->texts[option - STORE] = optarg;
		else
			return err_set(err, ERR_USAGE, "unknown option, or one without its value");
	}
	if (optind < argc && read_id(argv[optind++], &a->id, err))
		return -1;
	if (optind < argc)
		return err_set(err, ERR_USAGE, "unexpected '%s'", argv[optind]);
	if (!text_of(a, STORE))
		return err_set(err, ERR_USAGE, "--store is missing");
	if (!text_of(a, PROJECT))
		return err_set(err, ERR_USAGE, "--project is missing");
	return 0;
}

static int copy(char **slot, const char *text, struct err *err)
{
	return text ? str_set(slot, text, err) : 0;
}

/* The target that the options describe. */
static int make_target(const struct asked *a, struct alert_target *out, struct err *err)
{
	const char *url = text_of(a, URL);
	int n = 0;

	if (text_of(a, WEBHOOK) && ++n) {
		out->kind = TARGET_WEBHOOK;
		url = text_of(a, WEBHOOK);
	}
	if (text_of(a, MAIL) && ++n) {
		out->kind = TARGET_MAIL;
		url = text_of(a, MAIL);
	}
	if (text_of(a, STATUS) && ++n)
		out->kind = TARGET_STATUS;
	if (n != 1)
		return err_set(err, ERR_USAGE, "give one of --webhook, --mail and --status");
	out->verdicts_only = a->verdicts_only;
	out->allow_private = a->allow_private;
	return copy(&out->url, url, err) || copy(&out->forge, text_of(a, STATUS), err) ||
			       copy(&out->sender, text_of(a, FROM), err) ||
			       copy(&out->recipients, text_of(a, TO), err) ||
			       copy(&out->repository, text_of(a, REPOSITORY), err) ||
			       copy(&out->secret_file, text_of(a, SECRET_FILE), err) ||
			       copy(&out->branch, text_of(a, BRANCH), err)
		       ? -1
		       : target_check(out, err);
}

static int add(const struct asked *a, struct ledger *l, struct buf *out, struct err *err)
{
	struct alert_target t = { .id = 0 };
	int64_t id = 0;
	int result = -1;

	if (!make_target(a, &t, err) &&
	    !alert_target_add(ledger_db(l), text_of(a, PROJECT), &t, &id, err)) {
		buf_addf(out, "target %lld\n", (long long)id);
		result = buf_check(out, err);
	}
	alert_target_release(&t);
	return result;
}

static int take_away(const struct asked *a, struct ledger *l, struct buf *out, struct err *err)
{
	if (alert_target_remove(ledger_db(l), text_of(a, PROJECT), a->id, err))
		return -1;
	buf_addf(out, "target %lld: removed\n", (long long)a->id);
	return buf_check(out, err);
}

static int list(const struct asked *a, struct ledger *l, struct buf *out, struct err *err)
{
	if (alert_target_list(ledger_db(l), text_of(a, PROJECT), out, err))
		return -1;
	buf_addc(out, '\n');
	return buf_check(out, err);
}

/* A message of no event, sent from here. */
static int send_test(const struct asked *a, struct message *m, struct buf *out, struct err *err)
{
	const struct send_options options = { .timeout_ns = TEST_TIMEOUT_NS };
	struct buf none = BUF_INIT;
	struct letter letter = { .message = m, .json = &none };
	struct send_outcome outcome;
	int result = -1;

	buf_adds(&none, "[]");
	m->made_us = when_now_us();
	if (buf_check(&none, err) || ulid_new(m->id, err) ||
	    str_set(&m->project_name, text_of(a, PROJECT), err) ||
	    copy(&m->commit, text_of(a, COMMIT), err) ||
	    send_letter(&letter, &options, m->made_us, &outcome, err))
		goto out;
	if (outcome.state == MESSAGE_DELIVERED) {
		buf_addf(out, "target %lld: delivered\n", (long long)a->id);
		result = buf_check(out, err);
	} else {
		err_set(err, ERR_NET, "target %lld: %s", (long long)a->id, outcome.fault);
	}
out:
	buf_release(&none);
	return result;
}

static int test(const struct asked *a, struct ledger *l, struct buf *out, struct err *err)
{
	struct message m = { .project = 0 };
	const char *commit = text_of(a, COMMIT);
	int result = -1;

	if (commit && (strlen(commit) < 40 || strlen(commit) > 64 ||
		       commit[strspn(commit, "0123456789abcdef")]))
		return err_set(err, ERR_USAGE, "--commit: '%.80s' is not a whole commit id",
			       commit);
	if (!alert_target_get(ledger_db(l), text_of(a, PROJECT), a->id, &m.target, err)) {
		if (m.target.kind == TARGET_STATUS && !commit)
			err_set(err, ERR_USAGE, "--commit is missing: which one gets the status");
		else
			result = send_test(a, &m, out, err);
	}
	message_release(&m);
	return result;
}

int alert_command(int argc, char **argv, struct buf *out, struct err *err)
{
	static const struct {
		const char *verb;
		int (*run)(const struct asked *a, struct ledger *l, struct buf *out,
			   struct err *err);
		enum ledger_mode mode;
		bool wants_id;
	} verbs[] = {
		{ "add", add, LEDGER_WRITE, false },
		{ "list", list, LEDGER_READ, false },
		{ "remove", take_away, LEDGER_CHANGE, true },
		{ "test", test, LEDGER_READ, true },
	};
	struct asked a = { .verb = argc ? argv[0] : "" };
	struct ledger *l = NULL;
	size_t i = 0;
	int result;

	while (i < 4 && strcmp(verbs[i].verb, a.verb) != 0)
		i++;
	if (i == 4)
		return err_set(err, ERR_USAGE, "pawld alert: add, list, remove or test");
	if (read_options(argc, argv, &a, err))
		return -1;
	if (verbs[i].wants_id != (a.id != 0))
		return err_set(err, ERR_USAGE,
			       a.id ? "unexpected number of a target"
				    : "give the number of a target; see pawld alert list");
	if (ledger_open(text_of(&a, STORE), verbs[i].mode, &l, err))
		return -1;
	result = verbs[i].run(&a, l, out, err);
	ledger_close(l);
	return result;
}
