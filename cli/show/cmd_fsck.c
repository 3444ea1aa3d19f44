#include <stdio.h>

#include "cli/command.h"
#include "lib/base/file.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

/* A name in the file may be anybody's, and so may the folder's. */
static void print_visible(const char *line)
{
	struct buf text = BUF_INIT;

	text_visible(line, true, &text);
	puts(buf_str(&text));
	buf_release(&text);
}

static int repair(const struct context *c, struct err *err)
{
	struct buf line = BUF_INIT;
	struct store_repair r;
	int status;

	if (store_repair(c->store_path, &r, err))
		return -1;
	if (r.kept && !r.n_saved && !r.n_lost)
		buf_addf(&line,
			 "no result could be read: how many there were is not known; the damaged "
			 "file is '%s'",
			 r.kept);
	else if (r.kept)
		buf_addf(&line, "%zu result%s saved, %zu lost; the damaged file is '%s'", r.n_saved,
			 r.n_saved == 1 ? "" : "s", r.n_lost, r.kept);
	else
		buf_adds(&line, "nothing to repair");
	print_visible(buf_str(&line));
	buf_release(&line);
	status = r.kept && !r.n_saved ? EXIT_ENVIRONMENT : EXIT_OK;
	store_repair_release(&r);
	return status;
}

/* A repository in which nothing was measured yet is in order. */
static bool has_none(const struct context *c)
{
	if (c->store_path && file_exists(c->store_path))
		return false;
	printf("there are no results yet: nothing to check ('pawl collect' stores one)\n");
	return true;
}

static int check(const struct context *c, struct err *err)
{
	struct store *store = NULL;
	struct store_check found;
	int status = -1;
	size_t i;

	if (store_open(c->store_path, STORE_READ, &store, err))
		return -1;
	if (!store_check(store, &found, err)) {
		for (i = 0; i < found.faults.n; i++)
			print_visible(found.faults.v[i]);
		printf("%zu result%s, %zu damaged\n", found.n_rows, found.n_rows == 1 ? "" : "s",
		       found.n_bad);
		status = found.faults.n ? EXIT_ENVIRONMENT : EXIT_OK;
		store_check_release(&found);
	}
	store_close(store);
	return status;
}

int cmd_fsck(const struct options *o)
{
	struct err err = ERR_INIT;
	struct context c;
	int status = -1;

	if (o->args.n) {
		err_set(&err, ERR_USAGE, "'pawl fsck' takes no argument");
		return complain(&err);
	}
	if (context_open(o, &c, &err))
		return complain(&err);
	if (has_none(&c))
		status = EXIT_OK;
	else
		status = o->repair ? repair(&c, &err) : check(&c, &err);
	context_close(&c);
	return status < 0 ? complain(&err) : status;
}
