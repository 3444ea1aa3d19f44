#include "server/archive_cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/number.h"
#include "lib/base/when.h"
#include "lib/store/archive/archive.h"

#include "lib/base/banned.h"

#define MOST_DAYS 36500
#define MOST_KEPT 1000000

enum { STORE = 1, PROJECT = 2, DAYS = 4, KEEP = 8, DRY_RUN = 16 };

static const struct option known[] = {
	{ "store", required_argument, NULL, STORE },
	{ "project", required_argument, NULL, PROJECT },
	{ "days", required_argument, NULL, DAYS },
	{ "keep", required_argument, NULL, KEEP },
	{ "dry-run", no_argument, NULL, DRY_RUN },
	{ NULL, 0, NULL, 0 },
};

struct asked {
	const char *store, *project, *file;
	uint64_t days, keep;
	unsigned given; /* which options */
};

static int read_number(const char *name, uint64_t most, uint64_t *out, struct err *err)
{
	if (number_u64(optarg, out) && *out <= most)
		return 0;
	return err_set(err, ERR_USAGE, "--%s must be 0 to %" PRIu64 ", not '%s'", name, most,
		       optarg);
}

static int take_option(int option, struct asked *a, struct err *err)
{
	a->given |= (unsigned)option;
	if (option == STORE)
		a->store = optarg;
	else if (option == PROJECT)
		a->project = optarg;
	else if (option == DAYS)
		return read_number("days", MOST_DAYS, &a->days, err);
	else if (option == KEEP)
		return read_number("keep", MOST_KEPT, &a->keep, err);
	return 0;
}

/* allowed: the options of the command; it takes a file or none. */
static int read_options(int argc, char **argv, unsigned allowed, bool takes_file, struct asked *a,
			struct err *err)
{
	int option;

	/* getopt skips what it takes for the program's name. */
	optind = 0;
	opterr = 0;
	while ((option = getopt_long(argc + 1, argv - 1, "", known, NULL)) >= 0) {
		if (option == '?' || !((unsigned)option & allowed)) {
			err_set(err, ERR_USAGE, "unknown option, or one without its value");
			return err_hint(err, "see pawld --help");
		}
		if (take_option(option, a, err))
			return -1;
	}
	if (takes_file && optind < argc + 1)
		a->file = argv[optind++ - 1];
	if (optind < argc + 1)
		return err_set(err, ERR_USAGE, "unexpected '%s'", argv[optind - 1]);
	if (!a->store)
		return err_set(err, ERR_USAGE, "--store is missing");
	if (takes_file && !a->file)
		return err_set(err, ERR_USAGE, "the file is missing");
	return 0;
}

/* On the disk, or not there at all. */
static int close_new(FILE *to, const char *file, int result, struct err *err)
{
	if (!result && (fflush(to) || fsync(fileno(to))) && errno != EINVAL)
		result = err_sys(err, ERR_IO, "cannot write '%s'", file);
	if (fclose(to) && !result)
		result = err_sys(err, ERR_IO, "cannot write '%s'", file);
	if (result)
		unlink(file);
	return result;
}

int export_command(int argc, char **argv, struct buf *out, struct err *err)
{
	struct asked a = { .store = NULL };
	struct archive_count n;
	struct ledger *l = NULL;
	FILE *to = NULL;
	int fd, result;

	if (read_options(argc, argv, STORE | PROJECT, true, &a, err))
		return -1;
	if (!a.project)
		return err_set(err, ERR_USAGE, "--project is missing");
	if (ledger_open(a.store, LEDGER_READ, &l, err))
		return -1;
	fd = open(a.file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	to = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!to) {
		result = err_sys(err, ERR_IO, "cannot make '%s'", a.file);
		if (fd >= 0) {
			close(fd);
			unlink(a.file);
		}
	} else {
		result = close_new(to, a.file, archive_export(l, a.project, to, &n, err), err);
	}
	ledger_close(l);
	if (result)
		return -1;
	buf_addf(out, "%" PRId64 " summaries exported to %s\n", n.n, a.file);
	if (n.n_without)
		buf_addf(out, "%" PRId64 " are left out: their documents are not kept any longer\n",
			 n.n_without);
	if (n.n_lost) {
		err_set(err, ERR_CORRUPT,
			"%" PRId64 " summaries are not in '%s': their documents are damaged or"
			" lost; %" PRId64 " are",
			n.n_lost, a.file, n.n);
		return err_hint(err, "pawld fsck --store %s", a.store);
	}
	/* Nobody is told of it otherwise. */
	if (buf_check(out, err)) {
		unlink(a.file);
		return -1;
	}
	return 0;
}

int import_command(int argc, char **argv, struct buf *out, struct err *err)
{
	struct asked a = { .store = NULL };
	struct archive_count n;
	struct ledger *l = NULL;
	FILE *from;
	int result;

	if (read_options(argc, argv, STORE, true, &a, err))
		return -1;
	from = fopen(a.file, "re");
	if (!from)
		return err_sys(err, ERR_IO, "cannot open '%s'", a.file);
	result = ledger_open(a.store, LEDGER_WRITE, &l, err);
	if (!result)
		result = archive_import(l, from, &n, out, err);
	ledger_close(l);
	fclose(from);
	if (result)
		return -1;
	buf_addf(out, "%" PRId64 " summaries stored, %" PRId64 " were there already\n", n.n,
		 n.n_same);
	if (n.has_no_end)
		buf_addf(out,
			 "the file does not say where it ends, as those of an older pawld do not:"
			 " whether it was cut cannot be seen\n");
	if (n.n_refused)
		return err_set(err, ERR_STORE, "%" PRId64 " summaries were not stored: %s",
			       n.n_refused, buf_str(out));
	return buf_check(out, err);
}

int retain_command(int argc, char **argv, struct buf *out, struct err *err)
{
	struct asked a = { .store = NULL };
	struct retention r = { .before_us = INT64_MAX };
	struct ledger *l = NULL;
	struct retained n;
	int result;

	if (read_options(argc, argv, STORE | PROJECT | DAYS | KEEP | DRY_RUN, false, &a, err))
		return -1;
	if (!(a.given & (DAYS | KEEP))) {
		err_set(err, ERR_USAGE, "which documents are to stay is missing");
		return err_hint(err, "give --days N, --keep K, or both");
	}
	r.project = a.project;
	r.is_trial = (a.given & DRY_RUN) != 0;
	if (a.given & DAYS)
		r.before_us = when_now_us() - (int64_t)a.days * WHEN_DAY_US;
	r.keep = (int64_t)a.keep;
	if (ledger_open(a.store, r.is_trial ? LEDGER_READ : LEDGER_CHANGE, &l, err))
		return -1;
	result = archive_retain(l, &r, &n, err);
	ledger_close(l);
	if (result)
		return -1;
	buf_addf(out, "%" PRId64 " documents %s, %" PRId64 " bytes; %" PRId64 " stay\n",
		 n.n_dropped, r.is_trial ? "would be dropped" : "dropped", n.dropped_bytes,
		 n.n_kept);
	if (n.n_damaged)
		buf_addf(out,
			 "%" PRId64 " of those stay since their points are damaged: pawld fsck"
			 " --repair makes them again\n",
			 n.n_damaged);
	return buf_check(out, err);
}
