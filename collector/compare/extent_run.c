#include "collector/compare/extent_run.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "collector/child/named.h"
#include "collector/machine/machine.h"
#include "collector/run/foreign_run.h"
#include "collector/run/launch.h"
#include "collector/run/touch.h"
#include "lib/base/file.h"
#include "lib/base/when.h"
#include "lib/record/line.h"

#include "lib/base/banned.h"

/* ---- what it is given ----------------------------------------------------------------------- */

/* A run of libpawl's takes turns, and another order is waited for: both as when it is measured. */
static int ask_pawl(const struct unit *u, uint64_t iterations, struct launch *l, struct strv *says,
		    struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	if (launch_ask(l, "run", u->inner, err) ||
	    strv_addf(&l->env, err, "PAWL_ITERATIONS=%llu", (unsigned long long)iterations) ||
	    strv_addf(&l->env, err, "PAWL_SLICES=%d", u->slices) ||
	    strv_add(&l->env, "PAWL_TURNS=1", err) || strv_add(&l->env, "PAWL_SERVE=1", err))
		return -1;
	l->spec.env = l->env.v;
	buf_addn(&text, 'g', (size_t)u->slices + 1);
	buf_adds(&text, "end\n");
	result = strv_take(says, &text, err);
	buf_release(&text);
	return result;
}

/* Where the machine is set to be faster, runs of as long a time have more iterations. */
static const char *fact(const struct machine *m, const char *name)
{
	const char *value = facts_find(&m->more, name);

	return value ? value : "";
}

/* Those that each run inherits: a program may ask for them, or meet them. */
static void add_inherited(struct buf *out)
{
	struct rlimit r;
	int i;

	for (i = 0; i < (int)RLIM_NLIMITS; i++)
		if (!getrlimit((__rlimit_resource_t)i, &r))
			buf_addf(out, " %llu/%llu", (unsigned long long)r.rlim_cur,
				 (unsigned long long)r.rlim_max);
}

bool extent_run_has_little_memory(const struct bench_config *b)
{
	static const __rlimit_resource_t limits[] = { RLIMIT_AS, RLIMIT_DATA };
	struct rlimit r;
	size_t i;

	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (getrlimit(limits[i], &r) || r.rlim_cur != RLIM_INFINITY)
			return true;
	return b->limits.memory_bytes > 0;
}

char *extent_run_here(const struct machine *m, struct err *err)
{
	struct stat libraries;
	struct buf text = BUF_INIT;
	char *result = NULL;

	/* whoever installs a library has this written anew */
	if (stat("/etc/ld.so.cache", &libraries))
		memset(&libraries, 0, sizeof(libraries));
	buf_addf(&text, "%s %s %s %s %s %d %lld.%09ld %llu", m->id, m->kernel,
		 m->governor ? m->governor : "", fact(m, "intel_no_turbo"), fact(m, "boost"),
		 machine_processors(), (long long)libraries.st_mtim.tv_sec,
		 libraries.st_mtim.tv_nsec, (unsigned long long)libraries.st_ino);
	add_inherited(&text);
	if (!buf_check(&text, err))
		result = buf_detach(&text);
	buf_release(&text);
	return result;
}

static int add_limits(const struct bench_limits *l, struct strv *out, struct err *err)
{
	return strv_addf(out, err, "%llu %llu %llu %llu %llu", (unsigned long long)l->memory_bytes,
			 (unsigned long long)l->file_bytes, (unsigned long long)l->cpu_ns,
			 (unsigned long long)l->open_files, (unsigned long long)l->processes);
}

int extent_run_key(const struct extent_run *r, const struct side *side, struct strv *out,
		   struct err *err)
{
	const struct unit *u = r->unit;
	struct launch l;
	int result = -1;

	if (!launch_prepare(&l, r->runner, u->config, side, err) && !strv_add(out, r->here, err) &&
	    !strv_add(out, side->binary_id + strcspn(side->binary_id, "-"), err) &&
	    !strv_add(out, l.spec.dir, err) && !strv_add(out, l.input ? l.input : "", err) &&
	    !strv_add_all(out, l.spec.argv, err) && !strv_add(out, "", err) &&
	    !strv_add_all(out, l.spec.env, err) && !add_limits(&u->config->limits, out, err))
		result = !u->inner
				 ? 0
				 : strv_addf(out, err, "%d %llu %s", (int)u->format,
					     (unsigned long long)r->runner->min_time_ns, u->inner);
	launch_release(&l);
	return result;
}

/* ---- what it answers ------------------------------------------------------------------------ */

static bool has_failed(const struct line *line)
{
	return line->type == LINE_ERROR || (line->type == LINE_RESULT && line->errors > 0);
}

/* Whether a benchmark of libpawl came to its result. */
static bool is_good(const struct buf *answers)
{
	const char *at = buf_str(answers), *end;
	bool good = true, done = false;

	for (; good && (end = strchr(at, '\n')); at = end + 1) {
		struct line line;

		good = !line_parse(at, (size_t)(end - at), &line, NULL);
		if (!good)
			break;
		done = done || line.type == LINE_RESULT;
		good = !has_failed(&line);
		line_release(&line);
	}
	return good && done;
}

/* ---- a run ---------------------------------------------------------------------------------- */

static const struct side *side_of(const struct extent_run *r)
{
	return r->side ? r->side : &r->unit->base;
}

static int find_iterations(struct extent_run *r, struct err *err)
{
	struct process_runner own = *r->runner;
	struct runner runner = process_runner_of(&own);

	own.shared = NULL;
	r->probe = *r->unit;
	r->probe.failure = NULL;
	r->probe.iterations = r->probe.slices = 0;
	if (runner.calibrate(runner.ctx, &r->probe, side_of(r), err))
		return -1;
	if (r->probe.unreached)
		return err_set(err, ERR_ABSENT, "no time is left to record it");
	return r->probe.failure ? err_set(err, ERR_ABSENT, "%s", r->probe.failure) : 0;
}

static void take_iterations(struct extent_run *r)
{
	r->probe = *r->unit;
	r->probe.failure = NULL;
	r->probe.iterations = r->as->iterations;
	r->probe.slices = r->as->slices;
	r->probe.timed = r->as->timed;
}

static uint64_t timeout_ns(const struct extent_run *r)
{
	uint64_t now = when_monotonic_ns(), most = launch_timeout_ns(r->unit), left;

	if (!r->until_ns)
		return most;
	left = r->until_ns > now ? r->until_ns - now : 1; /* calibrating may have used it up */
	return left < most ? left : most;
}

bool extent_run_is_late(const struct extent_run *r)
{
	return r->until_ns && when_monotonic_ns() >= r->until_ns;
}

static bool is_late(const struct extent_run *r, struct err *err)
{
	return extent_run_is_late(r) && err_set(err, ERR_ABSENT, "no time is left to record it");
}

/* Whether there is time left; before the first run it is calibrated, and looking at the tree
 * begins.
 */
static int prepare(struct extent_run *r, bool again, struct err *err)
{
	if (is_late(r, err))
		return -1;
	if (again)
		return 0;
	if (r->as)
		take_iterations(r);
	else if (!unit_is_whole(r->unit) && find_iterations(r, err))
		return -1;
	if (r->side)
		return 0;
	r->touched = touched_begin(r->unit->base.dir);
	return r->touched ? 0 : err_set(err, ERR_ABSENT, "it cannot be seen which files it opens");
}

/* The words of another harness. */
static int add_words(const struct extent_run *r, uint64_t times, struct launch *l,
		     struct strv *argv, struct err *err)
{
	if (strv_add_all(argv, l->spec.argv, err) ||
	    foreign_run_order(&r->probe, times * r->probe.iterations,
			      times * r->runner->min_time_ns, argv, err))
		return -1;
	l->spec.argv = argv->v;
	return 0;
}

/* The last of those that it may have; -1: not known. */
static int any_processor(void)
{
	cpu_set_t set;
	int i;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	for (i = CPU_SETSIZE - 1; i >= 0 && !CPU_ISSET(i, &set); i--)
		;
	return i;
}

/*
 * Where its own file lies may be told by more than /proc/self/exe (AT_EXECFN): a copy looks for
 * files beside itself that only the program of the tree has.
 */
static int check_beside(struct extent_run *r, const struct named_files *asked, struct err *err)
{
	const struct side *side = &r->unit->base;
	char *folder = strndup(side->exe, (size_t)(path_base(side->exe) - side->exe));
	size_t i;
	int result = folder ? 0 : err_nomem(err);

	for (i = 0; !result && !str_below(side->exe, side->dir) && i < asked->paths.n; i++)
		r->is_beside = r->is_beside || (str_starts(asked->paths.v[i], folder) &&
						!file_exists(asked->paths.v[i]));
	free(folder);
	if (!result && r->is_beside)
		result = err_set(err, ERR_ABSENT, "it looks for files beside itself");
	return result;
}

static int run(void *ctx, bool again, struct record_request *rq, bool *hit, struct err *err)
{
	struct extent_run *r = ctx;
	const struct unit *u = r->unit;
	struct strv says = STRV_INIT, argv = STRV_INIT;
	struct buf answers = BUF_INIT;
	uint64_t times = again ? EXTENT_MORE : 1;
	struct launch l;
	bool is_pawl = u->format == FORMAT_PAWL;
	int result = -1;

	if (prepare(r, again, err))
		return -1;
	if (launch_prepare(&l, r->runner, u->config, side_of(r), err) ||
	    (is_pawl && ask_pawl(&r->probe, times * r->probe.iterations, &l, &says, err)) ||
	    (!is_pawl && !unit_is_whole(u) && add_words(r, times, &l, &argv, err)))
		goto out;
	l.spec.timeout_ns = timeout_ns(r);
	/* Measured, it has one processor or all of them: what it makes of that must be the same. */
	l.spec.cpu = again ? any_processor() : -1;
	rq->spec = &l.spec;
	rq->says = says.n ? says.v[0] : NULL;
	rq->answers = is_pawl ? &answers : NULL;
	result = record_run(rq, hit, err);
	if (!r->side && rq->named && !err_is_fatal(err) && check_beside(r, rq->named, err))
		result = -1;
	if (!result && is_pawl && !is_good(&answers))
		result = err_set(err, ERR_ABSENT, "it failed when what it executes was recorded");
out:
	buf_release(&answers);
	strv_release(&says);
	strv_release(&argv);
	launch_release(&l);
	return result;
}

/* ---- the files that it opened --------------------------------------------------------------- */

/* Not the program itself, nor what it writes its answer to. */
static bool is_ours(const struct extent_run *r, const char *file)
{
	const char *exe = str_below(r->unit->base.exe, r->unit->base.dir);
	const char *output = r->unit->config->output;

	return (exe && !strcmp(exe, file)) || (output && !strcmp(output, file));
}

static int files(void *ctx, struct strv *out, struct err *err)
{
	struct extent_run *r = ctx;
	struct strv all = STRV_INIT;
	bool is_all = false;
	size_t i;
	int result = touched_end(r->touched, &all, &is_all, err);

	r->touched = NULL;
	if (!result && !is_all)
		result = err_set(err, ERR_ABSENT,
				 "it opens a folder, or more files than can be seen");
	for (i = 0; !result && i < all.n; i++)
		if (!is_ours(r, all.v[i]))
			result = strv_add(out, all.v[i], err);
	strv_release(&all);
	return result;
}

int extent_run_look(struct extent_run *r, struct named_files *out, bool *out_ended_well,
		    struct err *err)
{
	const uint64_t none = 0;
	struct record_request rq = { .entries = &none, .named = out, .ended_well = out_ended_well };
	struct err fault = ERR_INIT;

	if (!run(r, false, &rq, NULL, &fault) || !err_is_fatal(&fault))
		return 0;
	*err = fault;
	return -1;
}

struct executed_way extent_run_way(struct extent_run *r)
{
	return (struct executed_way){ run, files, r, r->unit->base.dir };
}

void extent_run_release(struct extent_run *r)
{
	struct strv none = STRV_INIT;
	bool is_all;

	if (r->touched)
		touched_end(r->touched, &none, &is_all, NULL);
	strv_release(&none);
	r->touched = NULL;
	free(r->probe.failure);
	r->probe.failure = NULL;
}
