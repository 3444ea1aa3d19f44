/*
 * main - pawl, git-pawl, pawl-collector, pawl-reporter, the anchor program and the stand-in for
 * linkers: one file.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/build_info.h"
#include "cli/command.h"
#include "cli/exec_path.h"
#include "cli/option/hint.h"
#include "collector/link/recorder.h"
#include "collector/schedule/anchor.h"
#include "lib/base/buf.h"
#include "lib/process/secret.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

/* A file opened as descriptor 2 would receive our error messages: fill the first three. */
static void fill_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

/*
 * git puts its own folder in front of PATH for its hooks and for `git pawl`, once more for each git
 * that called another one, as `git bisect run` does.  What a build finds, and the names under which
 * builds and results are kept, must be those of the user's shell.
 */
static void leave_gits_folder(void)
{
	const char *dir = getenv("GIT_EXEC_PATH"), *path = getenv("PATH"), *rest = path;
	size_t n = dir ? strlen(dir) : 0;

	while (n && rest && !strncmp(rest, dir, n) && rest[n] == ':')
		rest += n + 1;
	if (rest != path)
		setenv("PATH", rest, 1);
}

static const struct command *find_command(const char *name)
{
	const struct command *c;

	for (c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static void print_help(FILE *to)
{
	const struct command *c;

	fputs("usage: pawl COMMAND [OPTION...] [ARGUMENT...]\n\n"
	      "Finds performance regressions between git commits, with verdicts that can be\n"
	      "trusted.\n\n",
	      to);
	for (c = commands; c->name; c++)
		fprintf(to, "  %-10s %s\n", c->name, c->summary);
	fputs("\n'pawl COMMAND --help' shows a command's options, 'pawl --version --build-info'\n"
	      "what this pawl is made of, 'pawl --exec-path' where its files are installed.\n"
	      "Exit status: 0 no regression, 1 regression, 2 usage or configuration,\n"
	      "3 inconclusive (--strict), 4 a build or a benchmark failed, 5 repository, store\n"
	      "or environment, 6 not delivered (--require-push), 128+n ended by signal n.\n",
	      to);
}

static int unknown_command(const char *word)
{
	struct err err = ERR_INIT;
	struct buf names = BUF_INIT;
	const struct command *c;

	for (c = commands; c->name; c++)
		buf_addf(&names, "%s ", c->name);
	err_set(&err, ERR_USAGE, "'%s' is not a pawl command", word);
	hint_nearest(&err, word, buf_str(&names), "pawl ", "see 'pawl --help'");
	buf_release(&names);
	return complain(&err);
}

static int show_help_of(const struct command *c)
{
	struct buf text = BUF_INIT;

	options_help(c, &text);
	fputs(buf_str(&text), stdout);
	buf_release(&text);
	return EXIT_OK;
}

static int show_build_info(void)
{
	struct buf text = BUF_INIT;

	build_info(&text);
	fputs(buf_str(&text), stdout);
	buf_release(&text);
	return EXIT_OK;
}

static int show_exec_path(void)
{
	struct err err = ERR_INIT;
	struct buf path = BUF_INIT;
	int status = exec_path(&path, &err) ? complain(&err) : EXIT_OK;

	if (!status)
		puts(buf_str(&path));
	buf_release(&path);
	return status;
}

static int run_command(const struct command *c, int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct options o;
	int status;

	if (options_parse(c, argc, argv, &o, &err))
		status = complain(&err);
	else if (o.help)
		status = show_help_of(c);
	else
		status = c->run(&o);
	options_release(&o);
	return status;
}

/* Of a write that failed before, nobody kept the reason: one byte more fails by the same. */
static int why_not_written(void)
{
	if (fflush(stdout))
		return errno;
	return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
}

/* The answer must have left us, else the status would lie. */
static int finish(int status)
{
	struct err err = ERR_INIT;

	if (!ferror(stdout) && !fflush(stdout))
		return status;
	errno = why_not_written();
	if (errno == EPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	err_sys(&err, ERR_IO, "cannot write to stdout");
	return status ? (complain(&err), status) : complain(&err);
}

static int dispatch(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version")) {
		if (argc > 2 && !strcmp(argv[2], "--build-info"))
			return show_build_info();
		puts("pawl " PAWL_VERSION);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "--exec-path"))
		return show_exec_path();
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    (!strcmp(argv[1], "help") && argc == 2)) {
		print_help(stdout);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "help")) {
		c = find_command(argv[2]);
		return c ? show_help_of(c) : unknown_command(argv[2]);
	}
	c = find_command(argv[1]);
	return c ? run_command(c, argc - 1, argv + 1) : unknown_command(argv[1]);
}

/* This very file stands in for the linkers of builds. */
static void offer_recorder(void)
{
	static char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0 && *self == '/')
		recorder_offer(self);
}

int main(int argc, char **argv)
{
	static const char *const secrets[] = { "PAWL_TOKEN", "PAWL_EXPORT_TOKEN",
					       "PAWL_PUBLISH_TOKEN", NULL };
	const char *name = path_base(argc && argv[0] ? argv[0] : "pawl");

	if (recorder_is(name))
		return recorder_main(argc, argv);
	secret_hide(secrets);
	offer_recorder();
	fill_standard_descriptors();
	if (!strcmp(name, ANCHOR_PROGRAM))
		return anchor_main(argc, argv);
	/* What cannot be written is an error like others. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	/* Where our parent ignores it we would be told nothing of how ours end. */
	signal(SIGCHLD, SIG_DFL);
	leave_gits_folder();
	stop_install();
	if (!strcmp(name, "pawl-collector"))
		return finish(run_command(find_command("collect"), argc, argv));
	if (!strcmp(name, "pawl-reporter"))
		return finish(run_command(find_command("report"), argc, argv));
	return finish(dispatch(argc, argv));
}
