#include "cli/init/try.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/init/stand_in.h"
#include "collector/child/effort.h"
#include "collector/child/env.h"
#include "collector/code/identify.h"
#include "collector/inner.h"
#include "collector/plan.h"
#include "collector/run/foreign_look.h"
#include "collector/run/foreign_run.h"
#include "lib/base/strv.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

/* Of one run by itself, of which a comparison takes dozens; and whatever else the machine does. */
#define RUN_MOST_NS 20000000000ull
#define RUN_TIMEOUT_NS 300000000000ull
#define SHORT_NS 100000000ull

/* The last line that says something. */
static void last_line(const struct stream *from, struct buf *out)
{
	const struct buf *text = from->tail.len ? &from->tail : &from->head;
	const char *at = buf_str(text), *line = NULL;
	size_t n = 0, length;

	for (; *at; at += length + (at[length] == '\n')) {
		length = strcspn(at, "\n");
		if (strspn(at, " \t\r") < length) {
			line = at;
			n = length;
		}
	}
	if (line)
		buf_addf(out, ": %.*s", (int)(n < 200 ? n : 200), line);
}

/* "sh: 1: NAME: not found", "bash: line 1: NAME: command not found": programs say "not found", too.
 */
static bool is_of_shell(const char *line)
{
	static const char end[] = ": not found";
	size_t n = strlen(line), digits;
	const char *at = line;

	if (strstr(line, ": command not found"))
		return true;
	if (n < sizeof(end) || strcmp(line + n - (sizeof(end) - 1), end) != 0)
		return false;
	while ((at = strstr(at, ": "))) {
		at += str_starts(at, ": line ") ? 7 : 2;
		digits = strspn(at, "0123456789");
		if (digits && at[digits] == ':')
			return true;
	}
	return str_starts(line, "sh: ");
}

/*
 * A script may go on where what it is to measure could not even be started; or these words are
 * what it has to say.  It ended well, so that they are shown and decide nothing.
 */
static int doubt(const struct stream *errors, struct surveyed *b, struct err *err)
{
	struct buf line = BUF_INIT;
	int result;

	last_line(errors, &line);
	result = buf_check(&line, err);
	/* It begins with ": ". */
	if (!result && line.len > 2 &&
	    (strstr(line.data, "No module named") || is_of_shell(line.data + 2)))
		result = str_set(&b->doubt, line.data + 2, err);
	buf_release(&line);
	return result;
}

/* Why the run says that it cannot be measured; "": nothing says so. */
static void explain(const struct child *c, const struct child_result *r, uint64_t effort_ns,
		    struct buf *out)
{
	if (r->timed_out && effort_ns >= RUN_MOST_NS) {
		buf_adds(out, "one run takes more than 20 s: give it less to do");
	} else if (r->timed_out) {
		buf_adds(out, "one run was not over after 5 min on this busy machine");
	} else if (r->signal) {
		buf_addf(out, "was killed by %s", strsignal(r->signal));
	} else if (r->exit_status) {
		buf_addf(out, "exited with status %d", r->exit_status);
		last_line(c->errors.n_bytes ? &c->errors : &c->out, out);
	}
}

/* Its own figures tell what its process does not; harness is the name of a format, too. */
static void add_repeats(const char *harness, struct buf *out)
{
	buf_addf(out, INNER_REPEATS, harness);
	if (!strcmp(harness, "nanobench"))
		buf_adds(out,
			 ": let it write its figures to a file "
			 "(b.render(ankerl::nanobench::templates::json(), stream)), and give its "
			 "section 'format = nanobench' and 'output = FILE'");
	else
		buf_addf(out,
			 ": give its section 'format = %s', and 'output = FILE' where it writes a "
			 "file",
			 harness);
}

/* A program that nobody knows is run once: it may want arguments, data or other programs. */
static int run_once(const struct tree *tree, struct surveyed *b, struct err *err)
{
	struct child_spec spec = { .argv = b->command.v,
				   .dir = tree->path,
				   .cpu = -1,
				   .timeout_ns = RUN_TIMEOUT_NS,
				   .output_fd = -1 };
	struct child child = CHILD_INIT;
	struct child_result how;
	struct buf exe = BUF_INIT, text = BUF_INIT;
	struct strv env = STRV_INIT;
	const char *harness;
	int result = -1;

	if (child_env(&env, err) || identify_find(tree->path, b->command.v[0], &exe, err))
		goto out;
	spec.env = env.v;
	spec.exe = buf_str(&exe);
	harness = foreign_look_repeater(spec.exe);
	if (harness)
		add_repeats(harness, &text);
	else if (effort_run(&spec, RUN_MOST_NS, &child, &how, &b->run_ns, err))
		goto out;
	else
		explain(&child, &how, b->run_ns, &text);
	if (buf_check(&text, err))
		goto out;
	result = text.len  ? str_set(&b->fault, buf_str(&text), err)
		 : harness ? 0
			   : doubt(&child.errors, b, err);
out:
	child_release(&child);
	strv_release(&env);
	buf_release(&exe);
	buf_release(&text);
	return result;
}

/* Of the section that will be written: the one that was tried has a name of its own. */
static int keep_count(const struct plan *plan, struct surveyed *b, struct err *err)
{
	struct buf some = BUF_INIT;
	int result;

	b->n = plan->n;
	plan_name_some(&plan->units[0], b->name, &some);
	result = buf_check(&some, err) || str_set(&b->some, buf_str(&some), err) ? -1 : 0;
	buf_release(&some);
	return result;
}

static int try_one(const struct context *c, const struct tree *tree, struct surveyed *b,
		   bool is_given, struct err *err)
{
	struct process_runner runner = { .cpu = -1,
					 .min_time_ns = c->config.min_time_ns,
					 .top = tree->path };
	struct plan_request rq = { .runner = &runner,
				   .top = tree->path,
				   .foreign = repo_top(c->repo) };
	struct plan plan = PLAN_INIT;
	struct config config;
	int result = -1;
	size_t i;

	config_init(&config);
	rq.config = &config;
	if (config_set_command(&config, b->command.v, err))
		goto out;
	config.benchmarks[0].format = bench_format_parse(b->format);
	config.benchmarks[0].format_given = strcmp(b->format, "pawl") != 0;
	if (plan_make(&rq, &plan, err))
		goto out;
	if (plan.n > 1 && keep_count(&plan, b, err))
		goto out;
	for (i = 0; i < plan.n && !b->fault; i++)
		if (plan.units[i].failure && str_set(&b->fault, plan.units[i].failure, err))
			goto out;
	result = !b->fault && (is_given || !strcmp(b->format, "command")) ? run_once(tree, b, err)
									  : 0;
out:
	plan_release(&plan);
	config_release(&config);
	return result;
}

/* Tests are linked to such harnesses, too: what holds no benchmark is a test program. */
static int drop_tests(struct survey *s, struct err *err)
{
	size_t i = 0;
	int result = 0;

	while (!result && i < s->n) {
		struct surveyed b = s->v[i];

		if (!b.fault || !strstr(b.fault, "holds no benchmark")) {
			i++;
			continue;
		}
		s->n--;
		memmove(&s->v[i], &s->v[i + 1], (s->n - i) * sizeof(b));
		if ((s->others.n < SURVEY_OTHERS && strv_add(&s->others, b.command.v[0], err)) ||
		    survey_add_test(s, b.name, &b.command, NULL, "a test program", err))
			result = -1;
		surveyed_release(&b);
	}
	return result;
}

/* Found by its name alone; and it failed, or was soon over. */
static bool wants_more(const struct surveyed *b)
{
	return !strcmp(b->format, "command") && str_starts(b->found_by, "named like") &&
	       (b->fault ? str_starts(b->fault, "exited with") : b->run_ns < SHORT_NS);
}

/* A program whose time says nothing is not named as one that can be compared at once. */
static int turn_away(const struct tree *tree, struct survey *s, const char *program, bool *out,
		     struct err *err)
{
	struct buf exe = BUF_INIT, text = BUF_INIT;
	struct strv command = STRV_INIT;
	const char *harness = NULL;
	int result = -1;
	size_t n = s->n;

	*out = false;
	if (identify_find(tree->path, program, &exe, NULL) ||
	    !(harness = foreign_look_repeater(buf_str(&exe)))) {
		result = 0;
		goto out;
	}
	add_repeats(harness, &text);
	if (buf_check(&text, err) || strv_add(&command, program, err) ||
	    survey_add(s, path_base(program), &command, "command", "made by the build", err) ||
	    (s->n > n && str_set(&s->v[n].fault, buf_str(&text), err)))
		goto out;
	*out = s->n > n;
	result = 0;
out:
	strv_release(&command);
	buf_release(&exe);
	buf_release(&text);
	return result;
}

static int turn_away_repeaters(const struct tree *tree, struct survey *s, struct err *err)
{
	struct strv kept = STRV_INIT;
	int result = 0;
	size_t i;

	for (i = 0; !result && i < s->others.n; i++) {
		bool away;

		result = turn_away(tree, s, s->others.v[i], &away, err);
		if (!result && !away)
			result = strv_add(&kept, s->others.v[i], err);
	}
	if (!result) {
		struct strv was = s->others;

		s->others = kept;
		kept = was;
	}
	strv_release(&kept);
	return result;
}

int init_try(const struct context *c, bool submodules, struct survey *s, struct err *err)
{
	struct config config = c->config;
	const struct trees_request rq = { .repo = c->repo,
					  .config = &config,
					  .state_dir = c->state_dir,
					  .submodules = submodules,
					  .talk = c->talk };
	struct git_commit head = GIT_COMMIT_INIT;
	struct tree tree = TREE_INIT;
	struct strv tracked = STRV_INIT;
	int result = -1;
	size_t i;

	if (s->build_fault || (!s->n && !s->tests && (s->are_scripts || !s->others.n)))
		return 0;
	config.build = s->build;
	child_adopt_orphans();
	if (repo_commit(c->repo, "HEAD", &head, err) || tree_open(&rq, head.id, NULL, &tree, err) ||
	    tree_files(c->repo, head.id, &tracked, err))
		goto out;
	for (i = 0; i < s->n; i++) {
		talk_progress(c->talk, (double)i, (double)s->n, "trying %s", s->v[i].name);
		if (!s->v[i].fault && try_one(c, &tree, &s->v[i], s->is_given && !s->is_known, err))
			goto out;
		if (!s->is_given && tree.path && wants_more(&s->v[i]) &&
		    stand_in_feed(tree.path, &tracked, &s->v[i], err))
			goto out;
	}
	result = s->is_given ? 0 : drop_tests(s, err);
	if (!result && !s->is_given && !survey_runs(s) && tree.path) {
		talk_progress(c->talk, 0, 1, "trying test programs");
		result = stand_in_find(tree.path, s, err) ||
					 (!survey_runs(s) && turn_away_repeaters(&tree, s, err))
				 ? -1
				 : 0;
	}
out:
	git_commit_release(&head);
	strv_release(&tracked);
	tree_close(&tree);
	return result;
}
