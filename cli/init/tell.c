#include "cli/init/tell.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "collector/build/submodules.h"
#include "lib/base/file.h"
#include "lib/base/strv.h"
#include "lib/stats/points.h"

#include "lib/base/banned.h"

#define MANY 60	  /* benchmarks: more than one waits for at once */
#define OF_PAWL 1 /* seconds of one: 12 pairs, and what comes first, of 20 ms a run */
#define FOREIGN 5 /* whose harness starts anew for each run, and calibrates by itself */
#define LONG 2	  /* minutes that one does not wait for at first */
#define PART 4	  /* letters of a project's name that say something */
#define AGAIN "pawl init"

void init_add_line(const char *lead, const char *text, struct buf *out)
{
	size_t n = strcspn(text, "\r\n");

	buf_adds(out, lead);
	buf_add(out, text, n);
	buf_addc(out, '\n');
}

bool init_has_benchmark(const struct survey *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!s->v[i].fault && !s->v[i].stands_in)
			return true;
	return false;
}

/* How much it looks like what people want to be fast: what the project is called, no test of it. */
static int rank(const char *program, const char *project)
{
	const char *name = path_base(program);

	if (!strcasecmp(name, project))
		return 3;
	if (strstr(name, "bench"))
		return 2;
	if (strstr(program, "test") || strstr(program, "example"))
		return 0;
	if (strlen(name) >= PART && strcasestr(project, name))
		return 2;
	return strncasecmp(name, project, strlen(project)) ? 1 : 2;
}

static bool is_test_script(const char *path)
{
	return str_ends(path, "_test.sh") || str_ends(path, "_tests.sh") ||
	       str_ends(path, "_test") || str_starts(path_base(path), "test_") ||
	       str_starts(path_base(path), "test-");
}

static const char *best_program(const struct survey *s, const char *project)
{
	const char *best = s->others.v[0];
	size_t i;

	for (i = 0; s->are_scripts && i < s->others.n; i++)
		if (is_test_script(s->others.v[i]))
			return s->others.v[i];
	for (i = 1; i < s->others.n; i++)
		if (rank(s->others.v[i], project) > rank(best, project))
			best = s->others.v[i];
	return best;
}

/* The test that ended well when it was tried, and took longest; NULL: none did. */
static const struct surveyed *best_test(const struct survey *s)
{
	const struct surveyed *best = NULL;
	size_t i;

	for (i = 0; s->tests && i < s->tests->n; i++) {
		const struct surveyed *b = &s->tests->v[i];

		if (b->ends_well && (!best || b->run_ns > best->run_ns))
			best = b;
	}
	return best;
}

/* A script is a tool, unless it is a test, which its name says. */
static bool needs_arguments(const struct survey *s, const char *project)
{
	return s->are_scripts && !best_test(s) && !is_test_script(best_program(s, project));
}

/* What can be typed: a test that is known to run, else the program that looks most like it. */
static void add_best(const struct survey *s, const char *project, struct buf *out)
{
	const struct surveyed *test = best_test(s);
	char *const best[] = { (char *)(uintptr_t)(test ? NULL : best_program(s, project)), NULL };

	words_quote(test ? test->command.v : best, out);
}

/* The build is written: one of its programs can be compared at once. */
static void tell_program(const struct survey *s, const char *project, struct buf *out)
{
	struct buf program = BUF_INIT;

	if (s->others.n || best_test(s)) {
		add_best(s, project, &program);
		buf_adds(&program, needs_arguments(s, project) ? " ARGUMENTS" : "");
		buf_addf(out,
			 "missing     a benchmark: pawl compare -- %s%s\n"
			 "            to keep it: " AGAIN " -- %s\n",
			 buf_str(&program), s->others.n > 1 ? "   # or another program" : "",
			 buf_str(&program));
	} else {
		buf_adds(out, "missing     a benchmark: " AGAIN " --build 'COMMAND' -- PROGRAM "
			      "ARGUMENTS\n");
		if (s->build)
			buf_adds(out, "            (the build above makes no program: COMMAND "
				      "makes one)\n");
	}
	buf_release(&program);
}

/* The one that there is may lack only arguments; any other program can be compared at once. */
static void tell_faults(const struct survey *s, const char *project, struct buf *out)
{
	struct buf command = BUF_INIT;

	if (s->others.n || best_test(s)) {
		add_best(s, project, &command);
		buf_addf(out,
			 "missing     a benchmark that runs: pawl compare -- %s   # or another "
			 "program\n            or do what it says, then " AGAIN "\n",
			 buf_str(&command));
	} else {
		if (s->n == 1)
			words_quote(s->v[0].command.v, &command);
		buf_addf(out,
			 "missing     a benchmark that runs: do what it says, then " AGAIN
			 "; or " AGAIN " -- %s ARGUMENTS\n",
			 s->n == 1 ? buf_str(&command) : "PROGRAM");
	}
	buf_release(&command);
}

/* In one sentence, what it takes until the first comparison. */
static bool tell_missing(const struct context *c, const struct survey *s, struct buf *out)
{
	if (s->build_fault && submodules_are_here(c->repo))
		buf_adds(out, "missing     a build that works: with the submodules, 'git submodule "
			      "update --init && " AGAIN " --submodules'\n");
	else if (s->build_fault)
		buf_adds(out, "missing     a build that works: correct what it says, then " AGAIN
			      "; or " AGAIN " --build 'COMMAND'\n");
	else if (!s->n)
		tell_program(s, c->project, out);
	else if (!survey_runs(s))
		tell_faults(s, c->project, out);
	else
		return false;
	return true;
}

static void tell_benchmarks(const struct survey *s, struct buf *out)
{
	struct buf command = BUF_INIT;
	size_t i;

	for (i = 0; i < s->n; i++) {
		buf_reset(&command);
		words_quote(s->v[i].command.v, &command);
		buf_addf(out, "benchmark   %s: %s (%s)", s->v[i].name, buf_str(&command),
			 s->v[i].found_by);
		if (s->v[i].n > 1)
			buf_addf(out, ", %zu benchmarks", s->v[i].n);
		buf_addc(out, '\n');
		if (s->v[i].fault)
			init_add_line("            it is left out: ", s->v[i].fault, out);
		if (s->v[i].stands_in)
			buf_addf(out, "            no benchmark was found: this test program is "
				      "measured instead\n            to measure another: " AGAIN
				      " -- PROGRAM ARGUMENTS\n");
		if (s->v[i].doubt)
			init_add_line("            it ended well, but said: ", s->v[i].doubt, out);
	}
	buf_release(&command);
	if (s->is_cut)
		buf_addf(out, "            and more; the first %d are written\n", SURVEY_MOST);
	if (!s->n)
		buf_adds(out, "benchmark   found none\n");
	for (i = 0; !s->n && i < s->others.n; i++)
		buf_addf(out, "%s%s",
			 i		  ? ", "
			 : s->are_scripts ? "            there is "
					  : "            the build makes ",
			 s->others.v[i]);
	if (!s->n && s->others.n)
		buf_addc(out, '\n');
}

static size_t seconds_of(const struct surveyed *s)
{
	return s->format && !strcmp(s->format, "pawl") ? OF_PAWL : FOREIGN;
}

/* What a comparison of all takes at the least, and a part of them where that is long. */
static void tell_many(const struct survey *s, struct buf *out)
{
	const struct surveyed *widest = NULL;
	struct buf name = BUF_INIT;
	size_t n = 0, seconds = 0, i;

	for (i = 0; i < s->n; i++) {
		n += s->v[i].fault ? 0 : s->v[i].n;
		seconds += s->v[i].fault ? 0 : s->v[i].n * seconds_of(&s->v[i]);
		if (!s->v[i].fault && s->v[i].some && (!widest || s->v[i].n > widest->n))
			widest = &s->v[i];
	}
	if (!widest || n < MANY)
		return;
	words_quote((char *const[]){ widest->some, NULL }, &name);
	buf_addf(out, "  pawl compare -b %s   # only these: all %zu take %zu min or more\n",
		 buf_str(&name), n, (seconds + 59) / 60);
	buf_release(&name);
}

/* What those take that are measured as a whole, both sides of so many pairs. */
static unsigned minutes_of(const struct survey *s, unsigned pairs)
{
	double seconds = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		seconds += s->v[i].fault ? 0 : 2 * pairs * 1e-9 * (double)s->v[i].run_ns;
	return (unsigned)(seconds / 60);
}

/* Clear changes are decided after the least pairs, doubtful ones after the most. */
static void tell_compare(const struct survey *s, struct buf *out)
{
	unsigned least = minutes_of(s, POINTS_FEWEST), most = minutes_of(s, POINTS_MOST_LONG);
	unsigned some = minutes_of(s, POINTS_FEWEST * 3 / 2) + 1;

	buf_adds(out, "  pawl compare           # HEAD with the commit before");
	if (least)
		buf_addf(out, "; %u to %u min if the code differs", least, most);
	else if (most >= LONG)
		buf_addf(out, "; up to %u min if the code differs", most);
	buf_addc(out, '\n');
	/* What is shorter than the fewest pairs can tell nothing. */
	if (least)
		buf_addf(out, "  pawl compare --budget %um   # what %u min can tell\n", some, some);
	else if (most >= LONG)
		buf_adds(out, "  pawl compare --budget 60s   # what one minute can tell\n");
}

static void tell_next(const struct context *c, const struct survey *s, struct buf *out)
{
	struct git_commit head = GIT_COMMIT_INIT;
	char parent[OID_TEXT];

	buf_adds(out, "\nnext:\n  git add " CONFIG_FILE "\n");
	if (repo_commit(c->repo, "HEAD", &head, NULL) ||
	    repo_first_parent(c->repo, head.id, parent, NULL))
		buf_adds(out,
			 "  pawl collect           # there is no commit before to compare with\n");
	else
		tell_compare(s, out);
	tell_many(s, out);
	buf_adds(out, "  pawl hook install      # the same before each push\n");
	git_commit_release(&head);
}

void init_tell(const struct context *c, const struct survey *s, const char *branch, struct buf *out)
{
	buf_addf(out, "build       %s\n", s->build ? s->build : "found nothing that is known");
	if (s->build_fault)
		init_add_line("            it failed: ", s->build_fault, out);
	if (s->other_build && (!s->n || !strcmp(s->build, "true"))) {
		init_add_line("            rather than: ", s->other_build, out);
		init_add_line("            which failed: ", s->other_fault, out);
	}
	if (branch)
		buf_addf(out, "branch      %s\n", branch);
	tell_benchmarks(s, out);
	if (!tell_missing(c, s, out))
		tell_next(c, s, out);
}
