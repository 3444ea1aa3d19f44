#include "cli/init/stand_in.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "collector/child/effort.h"
#include "collector/child/env.h"
#include "collector/code/identify.h"
#include "collector/run/foreign_look.h"
#include "collector/survey/places.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define LEAST_NS 5000000ull   /* of work: some times what it takes to start and end */
#define QUICK_NS 100000000ull /* a comparison takes some dozens of runs */
#define RUN_MOST_NS 5000000000ull
#define TIMEOUT_NS 15000000000ull
#define ALL_MOST_NS 30000000000ull
#define FILES 3 /* that are tried as an argument */
#define FILE_MOST_BYTES (1 << 20)

/* "usage: ..." or "Usage is ..." begins a line. */
static bool says_usage(const struct stream *of)
{
	const char *at = of->head.data ? of->head.data : "";

	for (; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		at += strspn(at, " \t");
		if (!strncasecmp(at, "usage", 5))
			return true;
	}
	return false;
}

/* As unittest ends, well until Python 3.11, where it found none. */
static bool ran_none(const struct stream *of)
{
	static const char words[] = "Ran 0 tests in ";

	return (of->head.data && strstr(of->head.data, words)) ||
	       (of->tail.data && strstr(of->tail.data, words));
}

/* How one run went. */
struct trial {
	uint64_t cpu_ns; /* that it worked; 0: it did not end well */
	uint64_t run_ns; /* that it took by itself */
	bool says_usage;
};

static int run(const char *top, char *const *argv, struct trial *out, struct err *err)
{
	struct child_spec spec = {
		.argv = argv, .dir = top, .cpu = -1, .timeout_ns = TIMEOUT_NS, .output_fd = -1
	};
	struct child child = CHILD_INIT;
	struct child_result how;
	struct strv env = STRV_INIT;
	struct buf exe = BUF_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	*out = (struct trial){ 0, 0, false };
	if (child_env(&env, err))
		goto out;
	result = 0;
	if (identify_find(top, argv[0], &exe, NULL) || foreign_look_repeater(buf_str(&exe)))
		goto out;
	spec.env = env.v;
	spec.exe = buf_str(&exe);
	if (effort_run(&spec, RUN_MOST_NS, &child, &how, &out->run_ns, &fault)) {
		if (fault.code != ERR_CHILD && fault.code != ERR_REFUSED) {
			*err = fault;
			result = -1;
		}
		goto out;
	}
	out->says_usage = says_usage(&child.out) || says_usage(&child.errors);
	if (!how.timed_out && !how.signal && !how.exit_status && !how.n_left && !out->says_usage &&
	    !ran_none(&child.errors))
		out->cpu_ns = how.cpu_ns ? how.cpu_ns : 1;
out:
	child_release(&child);
	strv_release(&env);
	buf_release(&exe);
	return result;
}

/* The word as it is to be in a folder that lies so many deep: a path of the tree leads up first. */
static int add_from(const char *top, size_t depth, const char *word, bool is_path, struct strv *out,
		    struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	buf_addf(&text, "%s/%s", top, word);
	if (!buf_check(&text, NULL) && *word != '-' && *word != '/' &&
	    (is_path || file_exists(buf_str(&text)))) {
		buf_reset(&text);
		for (; depth; depth--)
			buf_adds(&text, "../");
		buf_adds(&text, str_starts(word, "./") ? word + 2 : word);
	} else {
		buf_reset(&text);
		buf_adds(&text, word);
	}
	result = buf_check(&text, err) || strv_add(out, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

/* The same command, in the folder of the test: env -C FOLDER ../PROGRAM ... */
static int command_within(const char *top, const struct surveyed *b, struct strv *out,
			  struct err *err)
{
	size_t depth = 1, i;
	const char *p;

	for (p = b->dir; *p; p++)
		depth += *p == '/' && p[1];
	if (strv_add(out, "env", err) || strv_add(out, "-C", err) || strv_add(out, b->dir, err))
		return -1;
	for (i = 0; i < b->command.n; i++)
		if (add_from(top, depth, b->command.v[i], !i, out, err))
			return -1;
	return 0;
}

/* As it is, or in its folder where it ends well only there. */
static int try_both(const char *top, struct surveyed *b, struct trial *out, uint64_t *spent_ns,
		    struct err *err)
{
	struct strv within = STRV_INIT;
	int result = run(top, b->command.v, out, err);

	*spent_ns += out->run_ns;
	if (result || out->cpu_ns || !b->dir || out->run_ns >= RUN_MOST_NS)
		return result;
	result = command_within(top, b, &within, err) || run(top, within.v, out, err);
	*spent_ns += out->run_ns;
	if (!result && out->cpu_ns) {
		struct strv was = b->command;

		b->command = within;
		within = was;
	}
	strv_release(&within);
	return result ? -1 : 0;
}

/* The first run may read from the disk: what is short is run once more. */
static int try_one(const char *top, struct surveyed *b, uint64_t *cpu_ns, uint64_t *spent_ns,
		   struct err *err)
{
	struct trial first, again;

	if (try_both(top, b, &first, spent_ns, err))
		return -1;
	*cpu_ns = first.cpu_ns;
	b->run_ns = first.run_ns;
	b->ends_well = first.cpu_ns > 0;
	if (first.cpu_ns < LEAST_NS || first.cpu_ns > 10 * LEAST_NS)
		return 0;
	if (run(top, b->command.v, &again, err))
		return -1;
	*spent_ns += again.run_ns;
	*cpu_ns = again.cpu_ns < *cpu_ns ? again.cpu_ns : *cpu_ns;
	return 0;
}

static bool is_better(const struct surveyed *a, uint64_t cpu_ns, const struct surveyed *best,
		      uint64_t best_ns)
{
	bool is_quick = a->run_ns <= QUICK_NS;

	if (!best || is_quick != (best->run_ns <= QUICK_NS))
		return !best || is_quick;
	return is_quick ? cpu_ns > best_ns : a->run_ns < best->run_ns;
}

int stand_in_find(const char *top, struct survey *s, struct err *err)
{
	uint64_t spent_ns = 0, best_ns = 0;
	struct surveyed *best = NULL;
	struct strv command = STRV_INIT;
	size_t i, n = s->n;

	for (i = 0; s->tests && i < s->tests->n && spent_ns < ALL_MOST_NS; i++) {
		struct surveyed *b = &s->tests->v[i];
		uint64_t cpu_ns;

		if (try_one(top, b, &cpu_ns, &spent_ns, err))
			return -1;
		if (cpu_ns >= LEAST_NS && is_better(b, cpu_ns, best, best_ns)) {
			best = b;
			best_ns = cpu_ns;
		}
	}
	if (!best)
		return 0;
	if (strv_add_all(&command, best->command.v, err)) {
		strv_release(&command);
		return -1;
	}
	if (survey_add(s, best->name, &command, "command", best->found_by, err))
		return -1;
	if (s->n > n) {
		s->v[n].stands_in = true;
		s->v[n].run_ns = best->run_ns;
	}
	return 0;
}

/* ---- a file of the tree -----------------------------------------------------------------------
 */

static bool is_data(const char *path)
{
	static const char *const ends[] = { ".c",   ".h",  ".cc", ".cpp", ".hpp", ".py",
					    ".sh",  ".mk", ".am", ".ac",  ".in",  ".cmake",
					    ".yml", ".md", ".m4", ".rs",  ".go",  ".html" };
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (str_ends(path, ends[i]))
			return false;
	return true;
}

/*
 * The largest of at most a mebibyte: of data near tests or benchmarks, of data, of any kind; each
 * NULL where there is none.
 */
static void choose_files(const char *top, const struct strv *tracked, const char *out[FILES])
{
	uint64_t largest[FILES] = { 0 };
	size_t i, k;

	for (k = 0; k < FILES; k++)
		out[k] = NULL;
	for (i = 0; i < tracked->n; i++) {
		const char *path = tracked->v[i];
		struct buf at = BUF_INIT;
		struct stat st;

		buf_addf(&at, "%s/%s", top, path);
		if (!buf_check(&at, NULL) && survey_can_write(path) && *path != '-' &&
		    !lstat(buf_str(&at), &st) && S_ISREG(st.st_mode) &&
		    st.st_size <= FILE_MOST_BYTES)
			for (k = 0; k < FILES; k++)
				if ((uint64_t)st.st_size > largest[k] &&
				    (k == 2 || (is_data(path) && (k == 1 || place_is_test(path) ||
								  place_is_benchmark(path))))) {
					largest[k] = (uint64_t)st.st_size;
					out[k] = path;
				}
		buf_release(&at);
	}
	for (k = FILES - 1; k > 0; k--)
		if (out[k] && out[k - 1] && !strcmp(out[k], out[k - 1]))
			out[k] = NULL;
}

int stand_in_feed(const char *top, const struct strv *tracked, struct surveyed *b, struct err *err)
{
	const char *files[FILES];
	struct trial alone, fed;
	size_t k;

	if (run(top, b->command.v, &alone, err))
		return -1;
	if (alone.cpu_ns >= LEAST_NS || alone.run_ns >= RUN_MOST_NS)
		return 0;
	choose_files(top, tracked, files);
	for (k = 0; k < FILES; k++) {
		if (!files[k])
			continue;
		if (strv_add(&b->command, files[k], err) || run(top, b->command.v, &fed, err))
			return -1;
		if (fed.cpu_ns >= LEAST_NS) {
			b->run_ns = fed.run_ns;
			b->found_by = "named like a benchmark, given a file of the repository";
			return str_set(&b->fault, NULL, err);
		}
		strv_cut(&b->command, b->command.n - 1);
	}
	return alone.says_usage && !b->fault
		       ? str_set(&b->fault, "it only says how it is used: give it arguments", err)
		       : 0;
}
