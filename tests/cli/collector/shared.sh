# Benchmarks of one libpawl program that share processes: who ran where, and who is to blame.
. "$(dirname "$0")/../../lib.sh"

# Each benchmark writes down in which process its setup was called, and how it was asked for.
cat >"$T/noted.c" <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "include/pawl.h"

static int n_before;

static int note(void *name)
{
	FILE *f = fopen(NOTED_AT, "a");
	const char *ask = getenv("PAWL_ASK");

	n_before++;
	return !f || fprintf(f, "%s %d %s\n", ask, (int)getpid(), (const char *)name) < 0 || fclose(f);
}

/* Only where another one ran before it. */
static int note_and_crash(void *name)
{
	if (n_before)
		raise(SIGSEGV);
	return note(name);
}

static int note_and_die(void *name)
{
	return note(name) || raise(SIGSEGV);
}

static int note_and_print(void *name)
{
	return note(name) || printf("hello\n") < 0 || fflush(stdout);
}

static int note_and_grow(void *name)
{
	char *block = malloc(64 << 20);

	for (size_t i = 0; block && i < 64 << 20; i += 4096)
		block[i] = 1;
	pawl_keep(block);
	free(block);
	return note(name) || !block;
}

static void *spin(void *arg)
{
	for (;;)
		pawl_keep(arg);
}

/* Several, so that one of them has a processor whatever else the machine does. */
static int note_and_spin(void *name)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		if (pthread_create(&thread, NULL, spin, NULL) || pthread_detach(thread))
			return 1;
	return note(name);
}

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	uint64_t x = 1;

	(void)ctx, (void)r;
	while (n--) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		pawl_keep(x);
	}
}

#define BENCH(word, how) { .name = word, .run = run, .setup = how, .ctx = word }

int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = {
#ifdef SPINS
		BENCH("spins", note_and_spin),
#endif
		BENCH("a", note), BENCH("b", note), BENCH("c", note),
#ifndef FEW
		BENCH("d", note), BENCH("e", note), BENCH("f", note), BENCH("g", note), BENCH("h", note),
#endif
#ifdef ODD
		BENCH("crashes", note_and_crash), BENCH("dies", note_and_die),
		BENCH("prints", note_and_print), BENCH("grows", note_and_grow),
#endif
	};

#ifdef OLD
	unsetenv("PAWL_SERVE");
#endif
	(void)note_and_spin;
	return pawl_main(argc, argv, list, sizeof(list) / sizeof(list[0]));
}
END
NOTED=$T/noted
build() {
	${CC:-cc} -O1 -DNOTED_AT="\"$NOTED\"" "$@" -I"$ROOT" -I"$ROOT/include" "$T/noted.c" "$BUILD/libpawl.a" $extra
}
extra=$(libpawl_flags)

new_repo "$T/r"
cd "$T/r" || exit 1
printf '/even\n/odd\n/old\n/spins\n/few\n' >.gitignore
commit_all . empty
# measure PROGRAM OPTION...
measure() {
	rm -f "$NOTED"
	printf '[benchmark "x"]\n\tcommand = %s\n' "$1" >.pawlconfig
	shift
	pawl collect --json "$@"
}
# How often a benchmark was set up to be run, and in how many processes.
runs_of() {
	grep -c "^run [0-9]* $1\$" "$NOTED"
}
processes() {
	sed -n "s/^$1 \([0-9]*\) .*/\1/p" "$NOTED" | sort -u | grep -c .
}
# Who else was in the processes in which a benchmark ran, after its warm-up.
company_of() {
	for pid in $(sed -n "s/^run \([0-9]*\) $1\$/\1/p" "$NOTED" | tail -n +2); do
		grep "^run $pid " "$NOTED"
	done | grep -vc " $1\$"
}

build -o even
runs 0 'eight short benchmarks of one program are measured' measure ./even --runs 6..6 --min-time 1ms
check 'each more than six times' [ "$(runs_of a)" -ge 7 ]
check 'in fewer processes than runs' [ "$(processes run)" -lt "$(grep -c '^run ' "$NOTED")" ]
check 'which goes for calibrating, too' [ "$(processes calibrate)" -lt 8 ]
processes_of_runs() {
	grep '^run ' "$NOTED" | sed -n "$1p" | cut -d' ' -f2 | sort -u | grep -c .
}
check 'and for the warm-ups' [ "$(processes_of_runs 1,8)" -lt 8 ]
check 'whose process was quiet: the next runs share one at once' [ "$(processes_of_runs 9,16)" -lt 8 ]
is 'no process runs a benchmark twice' "$(grep '^run' "$NOTED" | sort | uniq -d)" ''
is 'every one of them has its six runs' \
	"$(json "$T/out" 'all(len(m["samples"]) == 6 for b in d["benchmarks"] for m in b["metrics"] if m["name"] == "cpu")')" True
is 'and its output is known' \
	"$(json "$T/out" 'all(b["status"] == "ok" for b in d["benchmarks"])')" True

build -DODD -o odd
runs 4 'beside some that are not like that' measure ./odd --runs 6..6 --min-time 1ms
is 'who always dies fails' \
	"$(json "$T/out" '[b["name"] for b in d["benchmarks"] if b["status"] != "ok"] == [b["name"] for b in d["benchmarks"] if b["name"].endswith("dies")]')" True
is 'who dies only where others ran has all its runs' \
	"$(json "$T/out" '[len(m["samples"]) for b in d["benchmarks"] if b["name"].endswith("crashes") for m in b["metrics"] if m["name"] == "cpu"] == [6]')" True
is 'and so have the others' \
	"$(json "$T/out" 'all(len(m["samples"]) == 6 for b in d["benchmarks"] if b["status"] == "ok" for m in b["metrics"] if m["name"] == "cpu")')" True
is 'who prints runs alone' "$(company_of prints)" 0
is 'and so does who takes more memory than pawl' "$(company_of grows)" 0
is 'whose peak is known' \
	"$(json "$T/out" '[m["name"] for b in d["benchmarks"] if b["name"].endswith("grows") for m in b["metrics"] if m["name"] == "peak-rss"] == ["peak-rss"]')" True

# A thread that one left works beside the others: not one of them is taken for a program of threads.
build -DSPINS -DFEW -o spins
runs 0 'behind one that leaves a thread' measure ./spins --runs 6..6 --min-time 1ms
is 'CPU time decides about the others' \
	"$(json "$T/out" 'all(b["gate"] == "cpu" for b in d["benchmarks"] if not b["name"].endswith("spins"))')" True

# A program whose libpawl knows nothing of further orders, as it is asked today.
build -DOLD -o old
runs 0 'an older program is measured as ever' measure ./old --runs 6..6 --min-time 1ms
check 'each more than six times' [ "$(runs_of a)" -ge 7 ]
is 'in a process for each run' "$(processes run)" "$(grep -c '^run ' "$NOTED")"
is 'and for calibrating' "$(processes calibrate)" 8

build -DFEW -o few
runs 0 'where runs last long nobody shares' measure ./few --runs 2..2 --min-time 50ms
is 'each has its process' "$(processes run)" "$(grep -c '^run ' "$NOTED")"

# What a changed benchmark leaves in the process is no change of another one: when a frees 2 MB, malloc
# keeps more from then on, and b gets its memory without asking the system.
cat >"$T/heap.c" <<'END'
#include <stdlib.h>
#include <string.h>
#include "include/pawl.h"

static void a(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)r;
	while (n--) {
		char *p = malloc(1000);

		memset(p, 1, 64);
		pawl_keep(p);
		free(p);
	}
}

static void b(void *ctx, uint64_t n, struct pawl_run *r)
{
	static char *p[64];

	(void)ctx, (void)r;
	while (n--) {
		for (int i = 0; i < 64; i++)
			memset(p[i] = malloc(16000), 1, 16000);
		for (int i = 63; i >= 0; i--)
			free(p[i]);
	}
}

int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = { { .name = "a1", .run = a }, { .name = "a2", .run = a },
						  { .name = "a3", .run = a }, { .name = "b", .run = b } };

	return pawl_main(argc, argv, list, 4);
}
END
new_repo "$T/heap"
cd "$T/heap" || exit 1
cp "$T/heap.c" .
echo /heap >.gitignore
printf 'heap: heap.c\n\t%s -o $@ $< %s\n' "${CC:-cc} -O1 -I$ROOT -I$ROOT/include" \
	"$BUILD/libpawl.a $extra" >Makefile
printf '[pawl]\n\tbuild = make\n\tminTime = 1ms\n[benchmark "x"]\n\tcommand = ./heap\n' >.pawlconfig
commit_all . one
sed -i 's/malloc(1000)/malloc(2000000)/' heap.c
commit_all . two
pawl compare --json --measure-identical --runs 12..24 >"$T/out" 2>"$T/err"
is 'another one that changed is no change' \
	"$(json "$T/out" '[m["delta"]["verdict"] in ("unchanged", "inconclusive") or m["delta"] for b in d["benchmarks"] if b["name"] == "x/b" for m in b["metrics"] if m["name"] == "cpu"]')" '[True]'
