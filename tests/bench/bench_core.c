/*
 * bench_core - one round of measurements of pawl itself, for tests/bench/run.
 *
 * usage: bench_core EMPTY PAWL REPOSITORY FOLDER
 *        bench_core --start PAWL REPOSITORY COMMAND...
 *
 * EMPTY is a static program that does nothing, PAWL the program, REPOSITORY one with a stored
 * result, FOLDER one to write in.  --start: how long each COMMAND of PAWL takes that has nothing to
 * do: it opens what it needs and says that something is missing.  Prints lines
 * "NAME<tab>UNIT<tab>VALUE".  What is compared runs in turns, so that a slow moment of the machine
 * falls on both.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/child/child.h"
#include "harness/clock/clock.h"
#include "include/pawl.h"
#include "lib/base/file.h"
#include "lib/base/when.h"
#include "lib/json/jtree.h"
#include "lib/record/summary.h"
#include "lib/record/ulid.h"
#include "lib/store/local/store.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

#define N_PROCESSES 60
#define N_PAIRS 30
#define N_ADDED 40
#define N_CODED 3
#define N_STARTS 20

static void check(bool ok, const struct err *err, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "bench_core: error: %s: %s\n", what, err ? err->text : "failed");
	exit(1);
}

static void say(const char *name, const char *unit, double value)
{
	printf("%s\t%s\t%.6g\n", name, unit, value);
}

static double since_us(uint64_t start_ns)
{
	return (double)(when_monotonic_ns() - start_ns) / 1000;
}

/* ---- processes ------------------------------------------------------------------------ */

static double supervised_us(const char *exe)
{
	char *argv[] = { strdup(exe), NULL };
	struct child_spec spec = { .exe = exe, .argv = argv, .env = environ, .cpu = -1 };
	struct child_result result;
	struct err err = ERR_INIT;
	struct child child;
	uint64_t start = when_monotonic_ns();
	double us;

	spec.output_fd = -1;
	check(!child_run(&spec, &child, &result, &err) && !result.exit_status, &err, exe);
	us = since_us(start);
	child_release(&child);
	free(argv[0]);
	return us;
}

/*
 * posix_spawn and wait4 with stdin empty, stdout and stderr thrown away; dir NULL: here.
 * most: the highest exit status that is none of a broken program.
 */
static double spawned_us(const char *exe, const char *word, const char *dir, int most)
{
	char *argv[] = { strdup(exe), word ? strdup(word) : NULL, NULL };
	posix_spawn_file_actions_t actions;
	struct rusage usage;
	uint64_t start;
	int status = -1;
	double us;
	pid_t pid;

	check(!posix_spawn_file_actions_init(&actions) &&
		      !posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) &&
		      !posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) &&
		      !posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) &&
		      !(dir && posix_spawn_file_actions_addchdir_np(&actions, dir)),
	      NULL, "posix_spawn_file_actions");
	start = when_monotonic_ns();
	check(!posix_spawn(&pid, exe, &actions, NULL, argv, environ) &&
		      wait4(pid, &status, 0, &usage) == pid && WIFEXITED(status) &&
		      WEXITSTATUS(status) <= most,
	      NULL, word ? word : exe);
	us = since_us(start);
	posix_spawn_file_actions_destroy(&actions);
	free(argv[0]);
	free(argv[1]);
	return us;
}

static double bare_us(const char *exe, const char *word, const char *dir)
{
	return spawned_us(exe, word, dir, 0);
}

/* In turns, so that a slow moment falls on all. */
static void bench_starts(const char *pawl, const char *repository, char *const *commands, int n)
{
	double *sum = calloc((size_t)n, sizeof(*sum));
	char name[64];
	int i, k;

	check(sum || !n, NULL, "memory");
	for (i = 0; i < N_STARTS; i++) {
		for (k = 0; k < n; k++)
			sum[k] += spawned_us(pawl, commands[k], repository, 6);
	}
	for (k = 0; k < n; k++) {
		snprintf(name, sizeof(name), "start of pawl %s", commands[k]);
		say(name, "us", sum[k] / N_STARTS);
	}
	free(sum);
}

static void bench_processes(const char *empty, const char *pawl, const char *repository)
{
	double supervised = 0, bare = 0, version = 0, report = 0;
	int i;

	child_adopt_orphans();
	for (i = 0; i < N_PROCESSES; i++) {
		bare += bare_us(empty, NULL, NULL);
		supervised += supervised_us(empty);
		if (i % 3)
			continue;
		version += 3 * bare_us(pawl, "--version", NULL);
		report += 3 * bare_us(pawl, "report", repository);
	}
	say("empty program, posix_spawn + wait4", "us", bare / N_PROCESSES);
	say("empty program, child_run", "us", supervised / N_PROCESSES);
	say("child_run / posix_spawn", "x", supervised / bare);
	say("pawl --version", "us", version / N_PROCESSES);
	say("pawl --version / empty program", "x", version / bare);
	say("pawl report", "us", report / N_PROCESSES);
	say("pawl report / empty program", "x", report / bare);
}

/* ---- harness -------------------------------------------------------------------------- */

static void bench_harness(void)
{
	const size_t n = 1 << 24, n_reads = 1 << 18;
	struct clock clock;
	uint64_t start, sum = 0;
	double by_hand, by_timer, read_ns;
	size_t i;

	check(!pawl_clock_open_wall(&clock), NULL, "the wall clock");
	start = when_monotonic_ns();
	for (i = 0; i < n_reads; i++)
		sum += when_monotonic_ns() & 1;
	read_ns = 1000 * since_us(start) / (double)n_reads;
	pawl_keep(sum);
	start = when_monotonic_ns();
	for (i = 0; i < n; i++)
		pawl_clobber();
	by_hand = 1000 * since_us(start) / (double)n;
	PAWL_TIME_WALL(by_timer, pawl_clobber());
	say("one clock_gettime()", "ns", read_ns);
	say("harness clock, overhead of a pair", "ns", 1e9 * clock.overhead_ticks / clock.hz);
	say("harness clock / clock_gettime()", "x",
	    1e9 * clock.overhead_ticks / clock.hz / read_ns);
	say("empty loop, timed by hand", "ns", by_hand);
	say("empty loop, PAWL_TIME_WALL", "ns", by_timer);
	say("PAWL_TIME_WALL / by hand", "x", by_timer / by_hand);
}

/* ---- judging, documents, store -------------------------------------------------------- */

/* Within 1 % of 100, different for every i. */
static double noisy(size_t i)
{
	return 100 + (double)(i * 2654435761u % 10007) / 10007;
}

static void fill(struct summary *s, size_t n)
{
	struct err err = ERR_INIT;
	char name[32];
	size_t i, j;

	summary_init(s);
	s->settings.runs_min = s->settings.runs_max = N_PAIRS;
	s->settings.confidence = 0.95;
	s->settings.threshold = 0.01;
	check(!str_set(&s->id, "01JD0000000000000000000000", &err) &&
		      !str_set(&s->project, "bench", &err) &&
		      !str_set(&s->machine.id, "0011223344556677", &err) &&
		      !str_set(&s->commit.id, "0123456789abcdef0123456789abcdef01234567", &err) &&
		      !str_set(&s->baseline.commit, "1123456789abcdef0123456789abcdef01234567",
			       &err),
	      &err, "summary");
	for (i = 0; i < n; i++) {
		struct bench *b;
		struct metric *m = NULL;

		snprintf(name, sizeof(name), "bench/%zu", i);
		b = summary_add_bench(s, name, &err);
		if (b && !str_set(&b->gate, "cpu", &err))
			m = bench_add_metric(b, "cpu", "ns", BETTER_LOWER, &err);
		check(m != NULL, &err, "summary");
		b->paired = true;
		b->threshold = 0.01;
		for (j = 0; j < N_PAIRS; j++)
			check(!samples_add(&m->samples, &m->n, noisy(i * 61 + 2 * j), &err) &&
				      !samples_add(&m->baseline_samples, &m->n_baseline,
						   noisy(i * 61 + 2 * j + 1), &err),
			      &err, "samples");
	}
}

static double judge_ms(struct summary *s, size_t n)
{
	struct history history = HISTORY_INIT;
	struct err err = ERR_INIT;
	uint64_t start;

	fill(s, n);
	start = when_monotonic_ns();
	check(!judge(s, &history, &err), &err, "judge");
	return since_us(start) / 1000;
}

static void bench_judge(struct summary *few)
{
	double small = judge_ms(few, 1000), large;
	struct summary many;

	large = judge_ms(&many, 10000);
	say("judge 1,000 benchmarks of 30 pairs", "ms", small);
	say("judge 10,000 benchmarks of 30 pairs", "ms", large);
	say("10,000 / 1,000 benchmarks", "x", large / small);
	summary_release(&many);
}

/* What `pawl report` does with stored samples, but for reading them and printing. */
static double analyse_ms(const struct buf *document)
{
	struct history history = HISTORY_INIT;
	struct err err = ERR_INIT;
	struct summary s;
	uint64_t start = when_monotonic_ns();
	double ms;

	check(!summary_decode(document->data, document->len, &s, &err) &&
		      !judge(&s, &history, &err),
	      &err, "analyse");
	ms = since_us(start) / 1000;
	summary_release(&s);
	return ms;
}

static void bench_documents(const struct summary *s)
{
	double encode = 0, decode = 0, parse = 0, mb = 0;
	struct buf document = BUF_INIT;
	struct err err = ERR_INIT;
	struct summary again;
	uint64_t start;
	struct jtree *root;
	int i;

	for (i = 0; i < N_CODED; i++) {
		buf_reset(&document);
		start = when_monotonic_ns();
		check(!summary_encode(s, 0, &document, &err), &err, "encode");
		encode += since_us(start);
		start = when_monotonic_ns();
		check(!summary_decode(document.data, document.len, &again, &err), &err, "decode");
		decode += since_us(start);
		summary_release(&again);
		start = when_monotonic_ns();
		root = jtree_parse(document.data, document.len, SIZE_MAX, 16, &err);
		parse += since_us(start);
		check(root != NULL, &err, "jtree_parse");
		jtree_free(root);
		mb += (double)document.len / 1e6;
	}
	say("1,000 stored benchmarks analysed", "ms", analyse_ms(&document));
	say("summary_encode, 1,000 benchmarks", "MB/s", 1e6 * mb / encode);
	say("summary_decode", "MB/s", 1e6 * mb / decode);
	say("jtree_parse alone", "MB/s", 1e6 * mb / parse);
	say("summary_decode / jtree_parse, time", "x", decode / parse);
	buf_release(&document);
}

/* What a store cannot be faster than: the same bytes at the end of a file, and fsync. */
static double append_us(int fd, const struct buf *document)
{
	uint64_t start = when_monotonic_ns();

	check(!file_write_fd(fd, "append", document->data, document->len, NULL) && !fsync(fd), NULL,
	      "append");
	return since_us(start);
}

static void bench_store(const char *folder)
{
	struct buf path = BUF_INIT, document = BUF_INIT;
	struct store *store = NULL;
	struct err err = ERR_INIT;
	double add = 0, append = 0;
	struct summary s;
	char id[ULID_TEXT];
	int fd, i;

	fill(&s, 10);
	buf_addf(&path, "%s/append", folder);
	fd = open(buf_str(&path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	check(fd >= 0, NULL, "append");
	buf_reset(&path);
	buf_addf(&path, "%s/results.db", folder);
	check(!store_open(buf_str(&path), STORE_WRITE, &store, &err), &err, "store");
	check(!summary_encode(&s, 0, &document, &err), &err, "encode");
	for (i = 0; i < N_ADDED; i++) {
		uint64_t start;

		check(!ulid_new(id, &err) && !str_set(&s.id, id, &err), &err, "id");
		start = when_monotonic_ns();
		check(!store_add(store, &s, true, NULL, &err), &err, "store_add");
		add += since_us(start);
		append += append_us(fd, &document);
	}
	say("store_add, 10 benchmarks, queued", "/s", 1e6 * N_ADDED / add);
	say("append + fsync of the same bytes", "/s", 1e6 * N_ADDED / append);
	say("store_add / append + fsync, time", "x", add / append);
	close(fd);
	store_close(store);
	summary_release(&s);
	buf_release(&path);
	buf_release(&document);
}

int main(int argc, char **argv)
{
	struct summary s;

	if (argc > 4 && !strcmp(argv[1], "--start")) {
		bench_starts(argv[2], argv[3], argv + 4, argc - 4);
		return 0;
	}
	if (argc != 5) {
		fprintf(stderr, "usage: bench_core EMPTY PAWL REPOSITORY FOLDER\n"
				"       bench_core --start PAWL REPOSITORY COMMAND...\n");
		return 2;
	}
	bench_processes(argv[1], argv[2], argv[3]);
	bench_harness();
	bench_judge(&s);
	bench_documents(&s);
	bench_store(argv[4]);
	summary_release(&s);
	return 0;
}
