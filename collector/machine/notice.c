#include "collector/machine/notice.h"

#include <string.h>
#include <sys/stat.h>

#include "collector/code/elf.h"
#include "collector/code/identify.h"
#include "collector/machine/clocked.h"
#include "lib/base/fold.h"
#include "lib/base/when.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

#define SHORT_NS 5000000.0 /* a process shorter than this is mostly start-up */
#define SWITCHES_MANY 5	   /* involuntary ones in a run: measured 330 and more when contended */
#define MOST_LEFT 3	   /* benchmarks named that leave processes running */

static void notice_unreached(const struct plan *plan, bool can_choose, const struct talk *talk)
{
	struct buf hint = BUF_INIT;
	size_t n = 0, i;

	for (i = 0; i < plan->n; i++)
		n += plan->units[i].unreached;
	if (!n)
		return;
	buf_adds(&hint, "give more time (--budget, for pushes pawl.hook.budget), or ");
	if (can_choose) {
		buf_adds(&hint, "name those that matter: -b ");
		plan_name_some(&plan->units[0], plan->units[0].config->name, &hint);
	} else {
		buf_adds(&hint, "let several jobs share them (--shard)");
	}
	talk_warn(talk, buf_str(&hint), "out of time: %zu of %zu benchmarks %s not measured", n,
		  plan->n, n > 1 ? "were" : "was");
	buf_release(&hint);
}

void notice_runs(const struct plan *plan, bool can_choose, const struct talk *talk)
{
	struct fold fold;
	double clock_ns;
	size_t i;

	notice_unreached(plan, can_choose, talk);
	fold_begin(&fold, talk);
	for (i = 0; i < plan->n; i++) {
		const struct unit *u = &plan->units[i];

		if (u->format == FORMAT_COMMAND && u->n_pairs && u->run_ns < SHORT_NS)
			talk_warn(&fold.talk,
				  "let one run do more work, or link libpawl (see pawl.h)",
				  "'%s' lasts under 5 ms: the start of the process counts in each "
				  "run",
				  u->name);
		if (unit_rings(u) && !u->rings_told)
			unit_tell_alarm(u, &fold.talk);
		else if (!unit_rings(u) && u->format == FORMAT_COMMAND &&
			 (!u->config->format_given || u->config->format_assumed) &&
			 clocked_is(u, &clock_ns))
			talk_warn(
				&fold.talk,
				u->config->format_given ? UNIT_CURE_WORK : UNIT_CURE_CLOCK,
				"'%s' takes %g s in nearly every run of both sides: if it repeats "
				"its work until a time is over, it takes as long however fast its "
				"code is",
				u->name, clock_ns / 1e9);
		if (u->n_pairs &&
		    (u->pairs[0].head.output_was_cut || u->pairs[0].base.output_was_cut))
			talk_warn(
				&fold.talk, "print to the open descriptor, as >&1 does",
				"'%s' opens its standard output anew (/dev/stdout), which empties "
				"it: the output of both sides is not compared",
				u->name);
	}
	fold_end(&fold);
}

static void widen(const struct run *run, int *least, int *most)
{
	if (!run->processors)
		return;
	*least = !*least || run->processors < *least ? run->processors : *least;
	*most = run->processors > *most ? run->processors : *most;
}

/* Processors that came or went between the runs: hot-unplugged, or by a container's limits. */
static int notice_processors(const struct plan *plan, struct environment *env, struct err *err)
{
	int least = 0, most = 0;
	size_t i, k;

	for (i = 0; i < plan->n; i++)
		for (k = 0; k < plan->units[i].n_pairs; k++) {
			widen(&plan->units[i].pairs[k].head, &least, &most);
			widen(&plan->units[i].pairs[k].base, &least, &most);
		}
	if (least == most)
		return 0;
	return strv_addf(
		&env->warnings, err,
		"the processors that may be used changed while measuring (%d to %d): leave "
		"them alone and measure again",
		least, most);
}

static int notice_left(const struct plan *plan, struct environment *env, struct err *err)
{
	size_t i, n = 0;

	for (i = 0; i < plan->n; i++) {
		const struct unit *u = &plan->units[i];

		if (u->n_left && n++ < MOST_LEFT &&
		    strv_addf(&env->warnings, err,
			      "'%s' left %llu process%s running, which were killed: let it end "
			      "what it starts",
			      u->name, (unsigned long long)u->n_left, u->n_left > 1 ? "es" : ""))
			return -1;
	}
	return n <= MOST_LEFT
		       ? 0
		       : strv_addf(&env->warnings, err,
				   "%zu more benchmarks left processes running", n - MOST_LEFT);
}

int notice_switches(const struct plan *plan, struct environment *env, struct err *err)
{
	double switches = 0, runs = 0;
	size_t i, k;

	for (i = 0; i < plan->n; i++)
		for (k = 0; k < plan->units[i].n_pairs; k++) {
			double one = plan->units[i].pairs[k].head.involuntary_switches;

			switches += one > 0 ? one : 0;
			runs++;
		}
	if (notice_left(plan, env, err) || notice_processors(plan, env, err))
		return -1;
	if (!(runs > 0) || switches / runs <= SWITCHES_MANY)
		return 0;
	return strv_addf(
		&env->warnings, err,
		"benchmarks were preempted %.0f times per run: stop other programs, or isolate a "
		"processor (isolcpus=)",
		switches / runs);
}

/* The newest of the files, as they lie in the work tree; NULL: none is there. */
static const char *newest(const char *top, const struct strv *paths, const struct hook_config *hook,
			  struct timespec *out)
{
	const char *found = NULL;
	struct stat st;
	size_t i;

	for (i = 0; i < paths->n; i++) {
		struct buf path = BUF_INIT;

		buf_addf(&path, "%s/%s", top, paths->v[i]);
		if (!hook_ignores(hook, paths->v[i]) && !lstat(buf_str(&path), &st) &&
		    S_ISREG(st.st_mode) && (!found || when_is_before(out, &st.st_mtim))) {
			*out = st.st_mtim;
			found = paths->v[i];
		}
		buf_release(&path);
	}
	return found;
}

/* Whether a program of the work tree, not a script, was last written before that. */
static bool is_older(const char *top, const char *command, const struct timespec *than)
{
	struct buf exe = BUF_INIT;
	struct elf elf = { NULL, 0 };
	struct stat st;
	bool is;

	is = !identify_find(top, command, &exe, NULL) && str_below(buf_str(&exe), top) &&
	     !stat(buf_str(&exe), &st) && when_is_before(&st.st_mtim, than) &&
	     !elf_open(buf_str(&exe), &elf, NULL);
	elf_close(&elf);
	buf_release(&exe);
	return is;
}

int notice_age(struct repo *repo, const char *commit_id, const char *top,
	       const struct config *config, struct environment *env, struct err *err)
{
	struct strv paths = STRV_INIT;
	struct timespec when = { 0, 0 };
	char parent[OID_TEXT];
	const char *file = NULL;
	size_t i;
	int result = 0;

	if (!repo_first_parent(repo, commit_id, parent, NULL) &&
	    !tree_changes(repo, parent, commit_id, &paths, NULL))
		file = newest(top, &paths, &config->hook, &when);
	for (i = 0; file && i < config->n_benchmarks; i++) {
		const char *command = config->benchmarks[i].command.v[0];

		if (!is_older(top, command, &when))
			continue;
		result =
			strv_addf(&env->warnings, err,
				  "'%s' is older than '%s', which this commit changed, and nothing "
				  "was built: it may be what another commit does; build first, or "
				  "set pawl.build",
				  command, file);
		break;
	}
	strv_release(&paths);
	return result;
}
