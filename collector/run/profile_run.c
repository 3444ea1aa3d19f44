#include "collector/run/profile_run.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/code/identify.h"
#include "collector/run/foreign_run.h"
#include "collector/run/launch.h"
#include "collector/run/session.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAX_FILES 4096	  /* one a process */
#define TIMEOUT_FACTOR 20 /* of what a timed run may take */

bool profile_run_find(const char *top, struct buf *out)
{
	return !identify_find(top, "valgrind", out, NULL);
}

int profile_iterations(const struct process_runner *r, struct unit *u, const struct side *side,
		       uint64_t target_ns, uint64_t *out, struct err *err)
{
	struct process_runner shorter = *r;
	struct runner runner = process_runner_of(&shorter);
	double n;

	*out = 1;
	if (unit_is_whole(u))
		return 0;
	shorter.min_time_ns = target_ns;
	if (!u->iterations || !(u->run_ns > 0)) {
		u->iterations = 0;
		if (runner.calibrate(runner.ctx, u, side, err))
			return -1;
	}
	if (u->failure || !(u->run_ns > 0))
		return 0;
	n = (double)u->iterations * (double)target_ns / u->run_ns;
	*out = n < 1 ? 1 : n > 1e15 ? (uint64_t)1e15 : (uint64_t)n;
	return 0;
}

/* The option that says where the counts go: a file a process; % stands for itself when doubled. */
static int add_out_file(struct strv *argv, const char *option, const char *dir, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	for (; *dir; dir++)
		buf_addn(&text, *dir, *dir == '%' ? 2 : 1);
	if (!buf_check(&text, err))
		result = strv_addf(argv, err, "--%s=%s/%%p", option, buf_str(&text));
	buf_release(&text);
	return result;
}

static int make_argv(const struct profile_run *rq, const char *valgrind, const char *dir,
		     struct strv *argv, struct err *err)
{
	const struct strv *command = &rq->unit->config->command;
	size_t i;

	if (strv_add(argv, valgrind, err) || strv_add(argv, "--quiet", err) ||
	    strv_add(argv, "--vgdb=no", err) || strv_add(argv, "--trace-children=yes", err))
		return -1;
	if (rq->tool == PROFILE_CALLGRIND
		    ? strv_add(argv, "--tool=callgrind", err) ||
			      add_out_file(argv, "callgrind-out-file", dir, err)
		    : strv_add(argv, "--tool=cachegrind", err) ||
			      strv_add(argv, "--cache-sim=no", err) ||
			      add_out_file(argv, "cachegrind-out-file", dir, err))
		return -1;
	if (strv_add(argv, "--", err) || strv_add(argv, rq->side->exe, err))
		return -1;
	for (i = 1; i < command->n; i++)
		if (strv_add(argv, command->v[i], err))
			return -1;
	return 0;
}

static int run_session(const struct profile_run *rq, struct launch *l, struct buf *why,
		       struct err *err)
{
	struct child_result res;
	struct session s;
	int result = -1;

	session_init(&s);
	if (launch_ask(l, "run", rq->unit->inner, err) ||
	    strv_addf(&l->env, err, "PAWL_ITERATIONS=%llu", (unsigned long long)rq->iterations) ||
	    strv_add(&l->env, "PAWL_SLICES=1", err) || strv_add(&l->env, "PAWL_COUNTERS=0", err) ||
	    strv_add(&l->env, "PAWL_STEADY=1", err))
		goto out;
	l->spec.env = l->env.v;
	if (session_start(&s, &l->spec, err) || session_step(&s, err))
		goto out;
	session_finish(&s, NULL, l->spec.timeout_ns, &res, why);
	if (!why->len && !s.has_result)
		buf_adds(why, "ended without a result record");
	result = 0;
out:
	session_release(&s);
	return result;
}

static int run_command(struct launch *l, struct buf *why, struct err *err)
{
	struct child child = CHILD_INIT;
	struct child_result res;
	int result = child_run(&l->spec, &child, &res, err);

	if (!result && (res.timed_out || res.signal || res.exit_status))
		child_explain(&child, &res, l->spec.timeout_ns, why);
	child_release(&child);
	return result;
}

/* Leaves *why empty when the run was good. */
static int run(const struct profile_run *rq, const char *valgrind, const char *dir, struct buf *why,
	       struct err *err)
{
	struct bench_limits limits = rq->unit->config->limits;
	struct strv argv = STRV_INIT;
	struct err fault = ERR_INIT;
	struct launch l;
	int result = -1;

	limits.memory_bytes = limits.cpu_ns = 0;
	if (launch_prepare(&l, rq->runner, rq->unit->config, rq->side, err) ||
	    make_argv(rq, valgrind, dir, &argv, err))
		goto out;
	if (foreign_run_words(rq->unit, rq->iterations, &argv, &fault)) {
		buf_addf(why, "%s%s%s", fault.text, fault.hint[0] ? ": " : "", fault.hint);
		result = buf_check(why, err);
		goto out;
	}
	l.spec.exe = valgrind;
	l.spec.argv = argv.v;
	l.spec.limits = &limits;
	l.spec.timeout_ns = TIMEOUT_FACTOR * launch_timeout_ns(rq->unit);
	if (rq->side->dir)
		l.spec.dir = rq->side->dir;
	result = rq->unit->format != FORMAT_PAWL ? run_command(&l, why, err)
						 : run_session(rq, &l, why, err);
out:
	strv_release(&argv);
	launch_release(&l);
	return result;
}

/* Reads one file of each process, at most max bytes together. */
static int read_files(const char *dir, struct buf *texts, struct profile_text *parts, size_t *n,
		      struct err *err)
{
	struct buf path = BUF_INIT;
	struct dirent *entry;
	size_t ends[MAX_FILES], i;
	DIR *d = opendir(dir);
	int result = -1;

	*n = 0;
	if (!d)
		return err_sys(err, ERR_IO, "cannot read '%s'", dir);
	while ((entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		if (*n >= MAX_FILES) {
			err_set(err, ERR_LIMIT, "it started more than %d processes", MAX_FILES);
			goto out;
		}
		buf_reset(&path);
		buf_addf(&path, "%s/%s", dir, entry->d_name);
		if (buf_check(&path, err) ||
		    file_read_whole(buf_str(&path),
				    texts->len < PROFILE_MAX_BYTES ? PROFILE_MAX_BYTES - texts->len
								   : 0,
				    texts, err))
			goto out;
		ends[(*n)++] = texts->len;
	}
	for (i = 0; i < *n; i++) {
		size_t from = i ? ends[i - 1] : 0;

		parts[i] = (struct profile_text){ texts->data + from, ends[i] - from };
	}
	result = 0;
out:
	closedir(d);
	buf_release(&path);
	return result;
}

static int read_profile(const char *dir, struct profile *out, struct err *err)
{
	struct profile_text *parts = calloc(MAX_FILES, sizeof(*parts));
	struct buf texts = BUF_INIT;
	size_t n = 0;
	int result = -1;

	if (!parts)
		return err_nomem(err);
	if (read_files(dir, &texts, parts, &n, err))
		goto out;
	if (!n) {
		err_set(err, ERR_ABSENT, "valgrind counted nothing");
		goto out;
	}
	result = profile_read(parts, n, out, err);
out:
	buf_release(&texts);
	free(parts);
	return result;
}

/* What is wrong with this program or its counts becomes a text; the rest stops us. */
static int as_failure(const struct err *fault, char **failure, struct err *err)
{
	switch ((int)fault->code) {
	case ERR_CHILD:
	case ERR_REFUSED:
	case ERR_SYNTAX:
	case ERR_RANGE:
	case ERR_LIMIT:
	case ERR_ABSENT:
		return str_set(failure, fault->text, err);
	default:
		*err = *fault;
		return -1;
	}
}

int profile_run(const struct profile_run *rq, struct profile *out, char **failure, struct err *err)
{
	struct buf dir = BUF_INIT, valgrind = BUF_INIT, why = BUF_INIT, text = BUF_INIT;
	struct err fault = ERR_INIT;
	bool made = false;
	int result = -1;

	if (!profile_run_find(rq->runner->top, &valgrind)) {
		result = str_set(failure, "valgrind is not installed: " PROFILE_RUN_CURE, err);
		goto out;
	}
	buf_addf(&dir, "%s/count.XXXXXX", rq->tmp_dir);
	if (buf_check(&dir, err))
		goto out;
	made = mkdtemp(dir.data);
	if (!made) {
		err_sys(err, ERR_IO, "cannot make a folder in '%s'", rq->tmp_dir);
		goto out;
	}
	if (run(rq, buf_str(&valgrind), dir.data, &why, &fault)) {
		result = as_failure(&fault, failure, err);
	} else if (why.len) {
		buf_addf(&text, "under valgrind it %s", buf_str(&why));
		result = buf_check(&text, err) || str_set(failure, buf_str(&text), err) ? -1 : 0;
	} else if (read_profile(dir.data, out, &fault)) {
		result = as_failure(&fault, failure, err);
	} else {
		result = 0;
	}
out:
	if (made)
		file_remove_tree(dir.data, NULL);
	buf_release(&text);
	buf_release(&why);
	buf_release(&valgrind);
	buf_release(&dir);
	return result;
}
