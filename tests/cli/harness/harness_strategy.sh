# How a benchmark program measures: its strategies, and what it says when things go wrong.
. "$(dirname "$0")/../../lib.sh"

arrays=$BUILD/examples/arrays
quiet=--no-counters

cat >"$T/odd.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "pawl.h"

static int torn;
static void nap(void *ctx, uint64_t n, struct pawl_run *r)
{
	const struct timespec t = { 0, 30000000 };
	(void)ctx, (void)r;
	while (n--)
		nanosleep(&t, NULL);
}
static void loop(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)r;
	while (n--)
		pawl_keep(n);
}
static void fail(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	while (n--)
		pawl_fail(r);
}
static void gone(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)n, (void)r;
}
static int no(void *ctx)
{
	(void)ctx;
	return -5;
}
static void tear(void *ctx)
{
	(void)ctx;
	torn++;
}
int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = {
		{ "nap", 0, nap, tear, 0, 0, 0 },   { "loop", 0, loop, tear, 0, 0, 0 },
		{ "fail", 0, fail, tear, 0, 0, 0 }, { "gone", 0, gone, tear, 0, 0, 0 },
		{ "no", no, loop, tear, 0, 0, 0 },
	};
	static const struct pawl_bench unnamed[] = { { "", 0, loop, 0, 0, 0, 0 } };
	static const struct pawl_bench twice[] = { { "a", 0, loop, 0, 0, 0, 0 },
						   { "a", 0, loop, 0, 0, 0, 0 } };
	const char *which = getenv("LIST");
	int status;
	if (which && strcmp(which, "unnamed") == 0)
		return pawl_main(argc, argv, unnamed, 1);
	if (which && strcmp(which, "twice") == 0)
		return pawl_main(argc, argv, twice, 2);
	status = pawl_main(argc, argv, list, sizeof(list) / sizeof(list[0]));
	fprintf(stderr, "torn down %d\n", torn);
	return status;
}
END
if ! ${CC:-cc} -O2 -I"$ROOT/include" "$T/odd.c" "$BUILD/libpawl.a" -o "$T/odd" 2>"$T/err" &&
	! ${CC:-cc} -O2 -fsanitize=address,undefined -I"$ROOT/include" "$T/odd.c" \
		"$BUILD/libpawl.a" -o "$T/odd" 2>"$T/err" &&
	! ${CC:-cc} -O2 --coverage -I"$ROOT/include" "$T/odd.c" "$BUILD/libpawl.a" -o "$T/odd" \
		2>"$T/err"; then
	result 1 "a program is linked" "$(cat "$T/err")"
	exit 1
fi
odd=$T/odd

# ---- strategies ----------------------------------------------------------------------------
runs 0 "gmpbench" "$odd" $quiet --json --filter loop --min-time=5ms
is "gmpbench is the default and named" "$(json "$T/out" 'd["benchmarks"][0]["strategy"]')" gmpbench
is "its mean is elapsed / iterations, its estimate the clean median" \
	"$(json "$T/out" '[abs(b["mean_ns"] * b["iterations"] / b["wall_ns"] - 1) < 1e-6 and
		(b["clean"]["n"] == 0 or b["estimate_ns"] == b["clean"]["median_ns"])
		for b in d["benchmarks"]]')" "[True]"
is "an empty operation is measured and taken off" \
	"$(json "$T/out" '[(b["empty_ns"] is None and b["net_ns"] is None) or (b["empty_ns"] > 0 and
		b["net_ns"] == max(b["estimate_ns"] - b["empty_ns"], 0))
		for b in d["benchmarks"]]')" "[True]"

runs 0 "batches" "$odd" $quiet --json --filter loop --strategy batches
is "batches are named" "$(json "$T/out" 'd["benchmarks"][0]["strategy"]')" batches
is "their estimate is the clean median, with its interval" \
	"$(json "$T/out" '[b["estimate_ns"] == b["clean"]["median_ns"] and
		b["clean"]["ci95_low_ns"] <= b["clean"]["mean_ns"] <= b["clean"]["ci95_high_ns"]
		for b in d["benchmarks"] if b["clean"]["n"] > 1] in ([True], [])')" True
is "batches end when they agree, or say that they do not" \
	"$(json "$T/out" '[any("agreed" in n for n in b["notes"]) or (b["clean"]["n"] >= 11 and
		b["clean"]["ci95_high_ns"] <= 1.0101 * b["clean"]["mean_ns"])
		for b in d["benchmarks"]]')" "[True]"
is "each dropped batch has one cause" \
	"$(json "$T/out" '[b["clean"]["dropped"] == sum(b["clean"][c] for c in
		("clock", "failed", "migrated", "preempted")) for b in d["benchmarks"]]')" "[True]"

runs 0 "--iterations" "$odd" $quiet --json --filter loop --iterations 12345
is "--iterations are exact" \
	"$(json "$T/out" '[(b["strategy"], b["iterations"]) for b in d["benchmarks"]]')" \
	"[('iterations', 12345)]"
for wrong in --iterations=0 --iterations=many --iterations=18446744073709551616 \
	--strategy=fast --counters=fingers; do
	runs 2 "$wrong is refused" "$odd" $wrong
	is "... in one line" "$(grep -c '^odd: error: ' "$T/err")" 1
done

# ---- slow, failed, empty -------------------------------------------------------------------
for strategy in gmpbench batches; do
	runs 0 "an iteration longer than the time, $strategy" "$odd" $quiet --json --filter nap \
		--min-time=5ms --strategy=$strategy
	is "... runs once and says so" \
		"$(json "$T/out" '[(b["iterations"], [n for n in b["notes"] if "longer" in n])
			for b in d["benchmarks"]]')" \
		"[(1, ['one iteration took longer than the least time: it ran once'])]"
	is "... and is torn down" "$(cat "$T/err")" "torn down 1"
done
is "a benchmark that sleeps has a low cpu ratio" \
	"$(json "$T/out" 'd["benchmarks"][0]["cpu_ratio"] < 0.5')" True
runs 0 "a benchmark that sleeps, in batches" "$odd" $quiet --json --filter nap \
	--strategy=batches --min-time=200ms
is "... is judged by its run delay in every batch" \
	"$(json "$T/out" '[b["clean"]["waiting"] > 0 and b["clean"]["waiting"] ==
		b["clean"]["n"] + b["clean"]["preempted"] + b["clean"]["migrated"]
		for b in d["benchmarks"]]')" "[True]"
is "... and says so, or that it was not given its processor" \
	"$(json "$T/out" '[any("judged by run delay" in n or "waited for a processor" in n
		for n in b["notes"]) for b in d["benchmarks"]]')" "[True]"
is "... and its estimate is what it says it is" \
	"$(json "$T/out" '[b["estimate_ns"] == {"clean": b["clean"]["median_ns"],
		"mean": b["mean_ns"]}[b["estimate_of"]] for b in d["benchmarks"]]')" "[True]"
runs 0 "the table says it too" "$odd" $quiet --filter nap --min-time=5ms
like "... below the line" "$T/out" '^ +one iteration took longer than the least time'
runs 0 "--details" "$odd" $quiet --filter loop --min-time=5ms --details
like "--details is a block" "$T/out" '^loop$'
like "... of all figures" "$T/out" '^ +clean +min .*, p50 .*, p99 .*, max '
cp "$T/out" "$T/block"
runs 0 "-v" "$odd" $quiet --filter loop --min-time=5ms -v
is "-v is the same" "$(sed 's/[0-9. ]*//g' "$T/out" | head -n 1)" \
	"$(sed 's/[0-9. ]*//g' "$T/block" | head -n 1)"

runs 1 "operations that all fail are a failure" "$odd" $quiet --json --filter fail --min-time=5ms
is "... counted, without a time" \
	"$(json "$T/out" '[(b["errors"] > 0, b["iterations"], b["mean_ns"], b["clean"]["failed"] > 0)
		for b in d["benchmarks"]]')" "[(True, 0, None, True)]"
is "... and torn down" "$(cat "$T/err")" "torn down 1"
runs 1 "a removed operation is a failure" timeout 600 "$odd" $quiet --json --filter gone
like "... and says so" "$T/out" 'took no time: the clock stands still, or the compiler removed'
is "... and is torn down" "$(cat "$T/err")" "torn down 1"
runs 1 "a setup that fails is a failure" "$odd" $quiet --json --filter no
like "... with its code" "$T/out" 'setup failed with code -5'
is "... and is not torn down" "$(cat "$T/err")" "torn down 0"
runs 1 "one that fails does not stop the others" "$odd" $quiet --json --filter '[lno]o*' \
	--min-time=2ms
is "... which are measured" "$(json "$T/out" '[b["type"] for b in d["benchmarks"]]')" \
	"['result', 'error']"
runs 2 "a benchmark without a name is refused" env LIST=unnamed "$odd"
like "... by its place" "$T/err" '^odd: error: benchmark 1 has no name$'
runs 2 "two benchmarks of one name are refused" env LIST=twice "$odd"
like "... by name" "$T/err" "^odd: error: two benchmarks are named 'a'$"

# ---- the descriptor ------------------------------------------------------------------------
runs 2 "PAWL_FD that is closed is refused" env PAWL_FD=77 PAWL_ASK=list "$arrays"
like "... with the reason" "$T/err" '^arrays: error: cannot write to PAWL_FD 77: Bad file'
is "... in one line" "$(wc -l <"$T/err")" 1
if [ -c /dev/full ]; then
	runs 2 "PAWL_FD that is full is refused" \
		sh -c 'PAWL_FD=9 PAWL_ASK=list "$1" 9>/dev/full' sh "$arrays"
	like "... with the reason" "$T/err" 'cannot write to PAWL_FD 9: No space left'
fi
cat >"$T/full.py" <<'END'
# A pipe that is full and that nobody reads; what comes out of it must be whole lines.
import fcntl, os, subprocess, sys
r, w = os.pipe()
fcntl.fcntl(w, fcntl.F_SETFL, os.O_NONBLOCK)
try:
    while True:
        os.write(w, b"." * 512)
except BlockingIOError:
    pass
fcntl.fcntl(w, fcntl.F_SETFL, 0)  # the program's writes would block
p = subprocess.run([sys.argv[1]], pass_fds=[w], env={"PAWL_FD": str(w), "PAWL_ASK": "list"},
                   stderr=subprocess.PIPE, timeout=300)
os.close(w)
said = b""
while True:
    piece = os.read(r, 65536)
    if not piece:
        break
    said += piece
print(p.returncode, said.strip(b"."), p.stderr.decode().strip())
END
is "a full pipe that nobody reads is an error after a while, and nothing is half written" \
	"$(timeout 600 /usr/bin/python3 "$T/full.py" "$arrays" 2>&1 | sed 's/FD [0-9]*/FD N/')" \
	"2 b'' arrays: error: cannot write to PAWL_FD N: Connection timed out"
