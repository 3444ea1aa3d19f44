/*
 * pawld - the results server.  Options, signals, and the only place that prints.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/number.h"
#include "lib/base/runner.h"
#include "lib/store/alerts/quiet.h"
#include "server/alert_cmd.h"
#include "server/archive_cmd.h"
#include "server/copy_cmd.h"
#include "server/fsck_cmd.h"
#include "server/http/rate.h"
#include "server/migrate_cmd.h"
#include "server/retract_cmd.h"
#include "server/server.h"
#include "server/token_cmd.h"

#include "lib/base/banned.h"

#define EXIT_USAGE 2
#define EXIT_ENVIRONMENT 5

static const char help[] =
	"usage: pawld --listen ADDRESS:PORT --store STORE [OPTION...]\n"
	"       pawld token add --store STORE --project P --scope SCOPE[,SCOPE]\n"
	"                       [--label TEXT] [--expires 365d|never] [--untrusted]\n"
	"       pawld token list --store STORE\n"
	"       pawld token revoke --store STORE ID\n"
	"       pawld alert add|list|remove|test --store STORE --project P ...\n"
	"       pawld fsck --store STORE [--repair]\n"
	"       pawld backup --store sqlite:PATH FILE\n"
	"       pawld restore --store sqlite:PATH FILE\n"
	"       pawld export --store STORE --project P FILE\n"
	"       pawld import --store STORE FILE\n"
	"       pawld retain --store STORE [--project P] [--days N] [--keep K] [--dry-run]\n"
	"       pawld migrate FROM-STORE TO-STORE\n"
	"       pawld retract --store STORE --project P [--benchmark B] [--why TEXT]\n"
	"                     [--restore] [--untrusted] ID | --list\n"
	"\n"
	"  --listen ADDRESS:PORT  where to serve; port 0 picks a free one (127.0.0.1:7295)\n"
	"  --store STORE          sqlite:PATH, made when it is missing, or a database:\n"
	"                         postgresql://USER@HOST/DATABASE\n"
	"  --no-auth              everybody may read and write; on a loopback address only\n"
	"  --public-read          reading needs no token\n"
	"  --oidc FILE            jobs of GitHub and GitLab may post, as FILE says\n"
	"  --behind-proxy         a proxy in front speaks TLS: any address may be served\n"
	"  --deadline DURATION    longest time for the head of a request (10s)\n"
	"  --budget DURATION      longest time for a question; longer is answered with 503 (1s)\n"
	"  --rate N               requests a minute of each token; more are answered with 429\n"
	"  --alert-retry DURATION, --alert-timeout DURATION\n"
	"                         shortest pause between two tries to send an alert (5s); longest\n"
	"                         time for one (10s)\n"
	"  --alert-gone N|never   close what is open on a branch after N days on which results\n"
	"                         came and none of it (30)\n"
	"  --log FILE|-           one line a request; - is stderr\n"
	"  --log-format text|json as words or as JSON objects (text)\n"
	"  --help, --version\n"
	"\n"
	"fsck holds documents and points against their checksums; --repair makes points again\n"
	"from their documents.\n"
	"backup copies the store to a new file while the server runs; restore makes one of it.\n"
	"export writes a project's documents, import stores them; retain drops old documents.\n"
	"migrate copies a store to an empty one, of another engine too, and compares both.\n"
	"retract hides a summary, or a benchmark of it, until it is restored; both are logged.\n"
	"Scopes: read, write, admin.  The token is printed once and kept as a digest only.\n";

enum {
	LISTEN = 256,
	STORE,
	NO_AUTH,
	PUBLIC_READ,
	OIDC,
	BEHIND_PROXY,
	DEADLINE,
	BUDGET,
	RATE,
	ALERT_RETRY,
	ALERT_TIMEOUT,
	ALERT_GONE_AFTER,
	LOG,
	LOG_FORMAT,
	HELP,
	VERSION,
};

static const struct option known[] = {
	{ "listen", required_argument, NULL, LISTEN },
	{ "store", required_argument, NULL, STORE },
	{ "no-auth", no_argument, NULL, NO_AUTH },
	{ "public-read", no_argument, NULL, PUBLIC_READ },
	{ "oidc", required_argument, NULL, OIDC },
	{ "behind-proxy", no_argument, NULL, BEHIND_PROXY },
	{ "deadline", required_argument, NULL, DEADLINE },
	{ "budget", required_argument, NULL, BUDGET },
	{ "rate", required_argument, NULL, RATE },
	{ "alert-retry", required_argument, NULL, ALERT_RETRY },
	{ "alert-timeout", required_argument, NULL, ALERT_TIMEOUT },
	{ "alert-gone", required_argument, NULL, ALERT_GONE_AFTER },
	{ "log", required_argument, NULL, LOG },
	{ "log-format", required_argument, NULL, LOG_FORMAT },
	{ "help", no_argument, NULL, HELP },
	{ "version", no_argument, NULL, VERSION },
	{ NULL, 0, NULL, 0 },
};

/* A job's log may be where it goes. */
static void put(const char *text, FILE *to)
{
	const char *p;

	for (p = text; *p; p++) {
		if (runner_is_command(text, p))
			fputc('\\', to);
		fputc(*p, to);
	}
}

static void say_line(const char *before, const char *text)
{
	flockfile(stderr); /* others speak, too */
	fputs(before, stderr);
	put(text, stderr);
	fputc('\n', stderr);
	funlockfile(stderr);
}

static void say(const char *before, const char *text, const char *cure)
{
	say_line(before, text);
	if (cure && *cure)
		say_line("hint: ", cure);
}

static void warn(void *ctx, const char *text, const char *cure)
{
	(void)ctx;
	say("pawld: warning: ", text, cure);
}

static void note(void *ctx, const char *text)
{
	(void)ctx;
	say("pawld: ", text, NULL);
}

static int fail(const struct err *err)
{
	say("pawld: error: ", err->text, err->hint);
	return err->code == ERR_USAGE ? EXIT_USAGE : EXIT_ENVIRONMENT;
}

/* A file opened later must not become stdin, stdout or stderr. */
static int guard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= 2);
	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

/* What --help, --version and the commands print; everything must have got out. */
static int print(const char *text)
{
	put(text, stdout);
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	fprintf(stderr, "pawld: error: cannot write to stdout: %s\n", strerror(errno));
	return EXIT_ENVIRONMENT;
}

static int open_log(const char *name, struct err *err)
{
	int fd;

	if (!strcmp(name, "-"))
		return STDERR_FILENO;
	fd = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
	if (fd < 0)
		err_sys(err, ERR_IO, "cannot open '%s'", name);
	return fd;
}

static int read_duration(uint64_t least_ns, uint64_t *out_ns, const char *range, struct err *err)
{
	if (number_duration_ns(optarg, out_ns) && *out_ns >= least_ns && *out_ns <= 3600000000000u)
		return 0;
	return err_set(err, ERR_USAGE, "'%s' is no duration from %s", optarg, range);
}

static int read_rate(unsigned *out, struct err *err)
{
	uint64_t n;

	if (!number_u64(optarg, &n) || n < 1 || n > RATE_MOST)
		return err_set(err, ERR_USAGE, "'%s' is no number from 1 to %d", optarg, RATE_MOST);
	*out = (unsigned)n;
	return 0;
}

static int read_gone(unsigned *out, struct err *err)
{
	uint64_t n = 0;

	if (strcmp(optarg, "never") != 0 &&
	    (!number_u64(optarg, &n) || n < 1 || n > QUIET_DAYS_MOST))
		return err_set(err, ERR_USAGE, "'%s' is neither never nor a number from 1 to %d",
			       optarg, QUIET_DAYS_MOST);
	*out = (unsigned)n;
	return 0;
}

static int read_format(bool *out_json, struct err *err)
{
	*out_json = !strcmp(optarg, "json");
	if (*out_json || !strcmp(optarg, "text"))
		return 0;
	return err_set(err, ERR_USAGE, "'%s' is neither text nor json", optarg);
}

/* 0: serve; 1: something was asked that is answered now, in *out; -1: wrong. */
static int read_option(int option, struct server_options *o, const char **out, struct err *err)
{
	switch (option) {
	case LISTEN:
		o->listen = optarg;
		return 0;
	case STORE:
		o->store = optarg;
		return 0;
	case NO_AUTH:
		o->no_auth = true;
		return 0;
	case PUBLIC_READ:
		o->public_read = true;
		return 0;
	case OIDC:
		o->oidc = optarg;
		return 0;
	case BEHIND_PROXY:
		o->behind_proxy = true;
		return 0;
	case DEADLINE:
		return read_duration(10000000u, &o->head_ns, "10ms to 1h", err);
	case BUDGET:
		return read_duration(1000000u, &o->budget_ns, "1ms to 1h", err);
	case RATE:
		return read_rate(&o->rate, err);
	case ALERT_RETRY:
		return read_duration(1000000u, &o->alert_retry_ns, "1ms to 1h", err);
	case ALERT_TIMEOUT:
		return read_duration(1000000u, &o->alert_timeout_ns, "1ms to 1h", err);
	case ALERT_GONE_AFTER:
		return read_gone(&o->alert_gone_days, err);
	case LOG:
		o->log_fd = open_log(optarg, err);
		return o->log_fd < 0 ? -1 : 0;
	case LOG_FORMAT:
		return read_format(&o->log_json, err);
	case HELP:
		*out = help;
		return 1;
	case VERSION:
		*out = "pawld " PAWL_VERSION "\n";
		return 1;
	default:
		err_set(err, ERR_USAGE, "unknown option, or one without its value");
		return err_hint(err, "see pawld --help");
	}
}

static int read_options(int argc, char **argv, struct server_options *o, const char **out,
			struct err *err)
{
	int option, result;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", known, NULL)) >= 0) {
		result = read_option(option, o, out, err);
		if (result)
			return result;
	}
	if (optind < argc)
		return err_set(err, ERR_USAGE, "unexpected '%s'", argv[optind]);
	if (!o->store) {
		err_set(err, ERR_USAGE, "--store is missing");
		return err_hint(err, "for example --store sqlite:/var/lib/pawl/pawl.db");
	}
	return 0;
}

/* Blocked in every thread, taken by sigwait() in this one alone. */
static void block_signals(sigset_t *out)
{
	sigemptyset(out);
	sigaddset(out, SIGTERM);
	sigaddset(out, SIGINT);
	sigprocmask(SIG_BLOCK, out, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int serve(const struct server_options *o)
{
	struct server *server = NULL;
	struct err err = ERR_INIT;
	sigset_t signals;
	int number, result = 0;

	block_signals(&signals);
	if (server_start(o, &server, &err))
		return fail(&err);
	printf("pawld: listening on %s\n", server_url(server));
	if (fflush(stdout))
		result = print("");
	else
		sigwait(&signals, &number);
	server_stop(server);
	return result;
}

static int run_command(int (*command)(int argc, char **argv, struct buf *out, struct err *err),
		       int argc, char **argv)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	int result;

	if (argc > 0 && (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h")))
		return print(help);
	result = command(argc, argv, &out, &err) ? fail(&err) : print(buf_str(&out));
	buf_release(&out);
	return result;
}

static int check_store(int argc, char **argv)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	bool is_well = false;
	int result;

	if (argc > 0 && (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h")))
		return print(help);
	result = fsck_command(argc, argv, &out, &is_well, &err) ? fail(&err) : print(buf_str(&out));
	buf_release(&out);
	return result || is_well ? result : EXIT_ENVIRONMENT;
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv, struct buf *out, struct err *err);
} commands[] = {
	{ "token", token_command },	{ "alert", alert_command },
	{ "backup", backup_command },	{ "restore", restore_command },
	{ "export", export_command },	{ "import", import_command },
	{ "retain", retain_command },	{ "migrate", migrate_command },
	{ "retract", retract_command },
};

int main(int argc, char **argv)
{
	struct server_options options = {
		.listen = "127.0.0.1:7295",
		.head_ns = 10000000000u,
		.budget_ns = 1000000000u,
		.alert_retry_ns = 5000000000u,
		.alert_timeout_ns = 10000000000u,
		.alert_gone_days = QUIET_DAYS,
		.log_fd = -1,
		.talk = { .warn = warn, .note = note },
	};
	struct err err = ERR_INIT;
	const char *text = NULL;
	size_t i;
	int what;

	if (guard_descriptors())
		return EXIT_ENVIRONMENT;
	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return run_command(commands[i].run, argc - 2, argv + 2);
	if (argc > 1 && !strcmp(argv[1], "fsck"))
		return check_store(argc - 2, argv + 2);
	what = read_options(argc, argv, &options, &text, &err);
	if (what < 0)
		return fail(&err);
	return what ? print(text) : serve(&options);
}
