#include "server/copy_cmd.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/store/ledger/ledger.h"

#include "lib/base/banned.h"

#define SQLITE "sqlite:"
#define BACK 10 /* "nice" */

struct asked {
	const char *store, *file;
};

static int read_options(int argc, char **argv, struct asked *out, struct err *err)
{
	bool is_over = false; /* the options are */
	int i;

	for (i = 0; i < argc; i++) {
		if (!is_over && !strcmp(argv[i], "--"))
			is_over = true;
		else if (!is_over && !strncmp(argv[i], "--store=", 8))
			out->store = argv[i] + 8;
		else if (!is_over && !strcmp(argv[i], "--store") && i + 1 < argc)
			out->store = argv[++i];
		else if ((!is_over && argv[i][0] == '-') || out->file)
			return err_set(err, ERR_USAGE, "unexpected '%s'", argv[i]);
		else
			out->file = argv[i];
	}
	if (!out->store) {
		err_set(err, ERR_USAGE, "--store is missing");
		return err_hint(err, "for example --store sqlite:/var/lib/pawl/pawl.db");
	}
	if (ledger_is_on_server(out->store)) {
		err_set(err, ERR_USAGE, "'%s' is no file that could be copied", out->store);
		return err_hint(err, "use pg_dump and pg_restore, as for any other database");
	}
	if (strncmp(out->store, SQLITE, strlen(SQLITE)) || !out->store[strlen(SQLITE)])
		return err_set(err, ERR_USAGE, "'%s' names no store", out->store);
	if (!out->file || !*out->file)
		return err_set(err, ERR_USAGE, "the file is missing");
	return 0;
}

static int copy(const char *from, const char *to, struct buf *out, struct err *err)
{
	struct ledger *l = NULL;
	int result;

	if (ledger_open(from, LEDGER_READ, &l, err))
		return -1;
	result = ledger_copy(l, to, err);
	ledger_close(l);
	if (result)
		return -1;
	buf_addf(out, "copied to %s\n", to);
	return buf_check(out, err);
}

/* Who posts meanwhile goes first. */
static void step_back(void)
{
	int now;

	errno = 0;
	now = getpriority(PRIO_PROCESS, 0);
	if (!errno && now < BACK)
		setpriority(PRIO_PROCESS, 0, BACK);
}

int backup_command(int argc, char **argv, struct buf *out, struct err *err)
{
	struct asked a = { NULL, NULL };

	if (read_options(argc, argv, &a, err))
		return -1;
	step_back();
	return copy(a.store, a.file, out, err);
}

int restore_command(int argc, char **argv, struct buf *out, struct err *err)
{
	struct asked a = { NULL, NULL };
	struct buf from = BUF_INIT;
	int result;

	if (read_options(argc, argv, &a, err))
		return -1;
	buf_addf(&from, SQLITE "%s", a.file);
	result = buf_check(&from, err) || copy(buf_str(&from), a.store + strlen(SQLITE), out, err)
			 ? -1
			 : 0;
	buf_release(&from);
	return result;
}
