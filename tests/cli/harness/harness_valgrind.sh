# --counters=valgrind: the program counts itself under callgrind, exactly and the same each time.
. "$(dirname "$0")/../../lib.sh"

arrays=$BUILD/examples/arrays
mkdir "$T/tmp"
TMPDIR=$T/tmp
export TMPDIR
quick='--min-time=1ms --counters=valgrind'

# left_nothing NAME: no folder of a second start is there
left_nothing() {
	is "$1 leaves nothing behind" "$(ls -A "$TMPDIR")" ""
}

# value BENCHMARK COUNTER: from $T/out
value() {
	json "$T/out" "[c['value'] for b in d['benchmarks'] if b['name'] == '$1'
		for c in b['counters'] if c['name'] == '$2'][0]"
}

# ---- without valgrind --------------------------------------------------------------------
mkdir "$T/bin"
runs 0 "without valgrind the benchmark is measured all the same" \
	env PATH="$T/bin" "$arrays" $quick --json
like "... and says what is missing and the cure" "$T/out" \
	'"state":"absent","value":null,"reason":"(valgrind is not installed: install it|libpawl was built without)'
left_nothing "no valgrind"

if ! command -v valgrind >/dev/null; then
	skip "counts under valgrind" "valgrind is not installed"
	exit 0
fi
if nm "$BUILD/libpawl.a" 2>/dev/null | grep -q __asan; then
	skip "counts under valgrind" "a program with sanitizers does not run under valgrind"
	exit 0
fi
"$arrays" $quick --filter merged --json >"$T/out"
if grep -q 'built without' "$T/out"; then
	skip "counts under valgrind" "valgrind's headers were not there when libpawl was built"
	exit 0
fi

# The collector would run no copy of a program that asks for its own file by this name.
check "a program does not seem to depend on where it lies" not grep -q /proc/self/exe "$arrays"

# ---- a program whose counts are known ----------------------------------------------------
cat >"$T/known.c" <<'END'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "pawl.h"

static volatile int sink;
static char cold[1 << 20];

static void loop(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)r;
	for (uint64_t i = 0; i < n; i++)
		pawl_keep(i);
}
/* A thousand nops are timed by hand, and three thousand are not. */
static void hand(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	for (uint64_t i = 0; i < n; i++) {
		__asm__ volatile(".rept 3000\n\tnop\n\t.endr");
		pawl_start(r);
		__asm__ volatile(".rept 1000\n\tnop\n\t.endr");
		pawl_stop(r);
	}
}
/* Each iteration reads one byte of each line of twice the first cache: misses only. */
static void lines(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)r;
	while (n--)
		for (size_t i = 0; i < 65536; i += 64)
			sink = ((volatile char *)cold)[i];
}
/* As many nops as the environment says. */
static void sized(void *ctx, uint64_t n, struct pawl_run *r)
{
	const char *size = getenv("SIZE");
	(void)ctx, (void)r;
	while (n--)
		for (int i = size ? atoi(size) : 1; i > 0; i--)
			__asm__ volatile(".rept 100\n\tnop\n\t.endr");
}
static void fails(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	loop(0, n, r);
	if (getenv("PAWL_COUNT"))
		pawl_fail(r);
}
/* In the second start only every other call is timed by hand. */
static void mixed(void *ctx, uint64_t n, struct pawl_run *r)
{
	static int calls;
	if (getenv("PAWL_COUNT") && calls++ % 2)
		loop(ctx, n, r);
	else
		hand(ctx, n, r);
}
static int not_twice(void *ctx)
{
	(void)ctx;
	return getenv("PAWL_COUNT") ? 7 : 0;
}
static void crashes(void *ctx, uint64_t n, struct pawl_run *r)
{
	loop(ctx, n, r);
	if (getenv("PAWL_COUNT"))
		raise(SIGSEGV);
}
static void leaves(void *ctx, uint64_t n, struct pawl_run *r)
{
	loop(ctx, n, r);
	if (getenv("PAWL_COUNT"))
		exit(0);
}
int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = {
		{ "loop", 0, loop, 0, 0, 1, 0 },	    { "hand", 0, hand, 0, 0, 1, 0 },
		{ "lines", 0, lines, 0, 0, 1, 0 },	    { "fails", 0, fails, 0, 0, 1, 0 },
		{ "not-twice", not_twice, loop, 0, 0, 1, 0 }, { "crashes", 0, crashes, 0, 0, 1, 0 },
		{ "leaves", 0, leaves, 0, 0, 1, 0 },	    { "sized", 0, sized, 0, 0, 1, 0 },
		{ "mixed", 0, mixed, 0, 0, 1, 0 },
	};
	if (argc > 1 && strcmp(argv[1], "word with 'quotes' and spaces") == 0) {
		argv[1] = argv[0]; /* the program may take its own words away */
		argc--;
		argv++;
	} else if (getenv("PAWL_COUNT")) {
		return 9;
	}
	return pawl_main(argc, argv, list, sizeof(list) / sizeof(list[0]));
}
END
if ! ${CC:-cc} -O2 -I"$ROOT/include" "$T/known.c" "$BUILD/libpawl.a" -o "$T/known" \
	$(libpawl_flags) 2>"$T/err"; then
	result 1 "a program is linked" "$(cat "$T/err")"
	exit 1
fi
known() {
	"$T/known" "word with 'quotes' and spaces" $quick "$@"
}

runs 0 "the table" known --filter 'loop'
like "simulated values are marked" "$T/out" '^loop .*[0-9]~'
like "... and the mark is explained" "$T/out" '^~ simulated by valgrind'
like "what it does not count says so" "$T/out" '^absent: cycles, kernel-instructions, page-faults \(callgrind'
is "no line is wider than 100 columns" "$(awk 'length($0) > 100' "$T/out")" ""
left_nothing "the table"

runs 0 "--json" known --json
cp "$T/out" "$T/first"
left_nothing "--json"
if command -v objdump >/dev/null; then
	objdump -d --no-show-raw-insn --disassemble=loop "$T/known" >"$T/asm"
	# Instructions from the target of the jump backwards to the jump.
	wanted=$(/usr/bin/python3 -IS - "$T/asm" <<'END'
import re, sys
at, best = [], None
for line in open(sys.argv[1]):
    m = re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*([0-9a-f]+)?", line)
    if not m:
        continue
    at.append(int(m[1], 16))
    target = re.search(r"\b([0-9a-f]+) <loop\+", line)
    if target and int(target[1], 16) in at[:-1]:
        best = len(at) - at.index(int(target[1], 16))
print(best)
END
	)
	is "a loop's instructions are those of its disassembly" "$(value loop instructions)" "$wanted"
else
	skip "a loop's instructions are those of its disassembly" "objdump is not installed"
fi
is "a loop has one branch an iteration" "$(value loop branches)" 1
is "... which is foreseen" "$(value loop branch-misses)" 0
is "... and reads nothing" "$(value loop l1d-reads)" 0
# The compiler may move an instruction or two of the loop in between.
case $BUILD in
*coverage*)
	skip "of manual timing only the stretches are counted" "the library counts its own lines in them"
	;;
*)
	is "of manual timing only the stretches are counted" \
		"$(json "$T/out" '[1000 <= b["counters"][1]["value"] <= 1003 for b in d["benchmarks"]
			if b["name"] == "hand"]')" "[True]"
	;;
esac
is "64 KiB line by line miss a cache of 32 KiB each time" "$(value lines l1d-misses)" 1024
is "... and are found in the next" "$(value lines llc-misses)" 0
is "what is simulated is marked" \
	"$(json "$T/out" 'all(c.get("simulated", False) == (c["state"] == "ok")
		for b in d["benchmarks"] for c in b["counters"])')" True
is "ratios are simulated as well" \
	"$(json "$T/out" '[(r["name"], r["simulated"]) for r in d["benchmarks"][2]["derived"]
		if r["name"] == "llc-miss-ratio"]')" "[('llc-miss-ratio', True)]"

# reason BENCHMARK
reason() {
	json "$T/first" "[b['counters'][1]['reason'] for b in d['benchmarks']
		if b['name'] == '$1'][0]"
}
is "operations that fail are not counted" "$(reason fails)" \
	"operations failed while it was counted"
is "a call without pawl_start() is not counted beside others" "$(reason mixed)" \
	"pawl_start() was not called in every call of run"
is "a setup that fails says so" "$(reason not-twice)" "setup failed with code 7"
is "a crash is a reason" "$(reason crashes)" "the program was ended by signal 11 under valgrind"
is "a program that leaves is a reason" "$(reason leaves)" \
	"the program ended before its benchmark was counted"

# ---- again -------------------------------------------------------------------------------
# In the long tests of all benchmarks, and else of two: each starts valgrind.
again='l[io]*'
[ -z "${PAWL_TEST_SLOW:-}" ] || again='*'
counters="[b['counters'] for b in d['benchmarks'] if __import__('fnmatch').fnmatch(b['name'], '$again')]"
runs 0 "a second run, with another environment" \
	env ANOTHER="$(printf '%3000s' x)" VALGRIND_OPTS=--D1=1024,1,64 \
	"$T/known" "word with 'quotes' and spaces" $quick --json --filter "$again"
is "... gives the same numbers" "$(json "$T/out" "$counters")" "$(json "$T/first" "$counters")"
runs 0 "a benchmark that depends on its environment" env SIZE=50 \
	"$T/known" "word with 'quotes' and spaces" $quick --json --filter sized
is "... is counted in the same" "$(json "$T/out" \
	'[5000 <= b["counters"][1]["value"] <= 5500 for b in d["benchmarks"]]')" "[True]"
is "the time is measured as ever" "$(json "$T/out" 'd["benchmarks"][0]["mean_ns"] > 0')" True

runs 0 "a program that does not get as far" "$T/known" $quick --json --filter loop
like "... says with what status" "$T/out" 'the program ended with status 9 under valgrind'
runs 0 "under valgrind already" valgrind -q --log-file="$T/log" "$arrays" --json $quick \
	--filter merged
like "... it does not start once more" "$T/out" 'this program runs under valgrind already'
left_nothing "all of it"

# ---- interrupted -------------------------------------------------------------------------
cat >"$T/bin/valgrind" <<'END'
#!/bin/sh
echo $$ >"$HOME/started"
sleep 600 &
wait
END
chmod +x "$T/bin/valgrind"
mkdir "$T/home"
for signal in INT TERM HUP; do
	rm -f "$T/home/started"
	# A script's background program would ignore SIGINT.
	/usr/bin/python3 -IS - "$signal" "$T/home/started" "$arrays" $quick <<'END' >"$T/out" 2>&1
import os, signal, subprocess, sys, time
number = getattr(signal, "SIG" + sys.argv[1])
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # what nohup(1) started would ignore it
started = sys.argv[2]
p = subprocess.Popen(sys.argv[3:], stdout=subprocess.DEVNULL,
                     env={**os.environ, "HOME": os.path.dirname(started),
                          "PATH": os.path.dirname(started) + "/../bin:" + os.environ["PATH"]})
while p.poll() is None and not (os.path.exists(started) and open(started).read().endswith("\n")):
    time.sleep(0.01)
p.send_signal(number)
print("ended by", -p.wait() == number)
child = int(open(started).read())
for _ in range(30000): # what lives on naps for 600 s
    try:
        os.killpg(child, 0)
    except ProcessLookupError:
        print("and its children")
        break
    time.sleep(0.01)
END
	is "SIG$signal ends the program and what it started" "$(tr '\n' ' ' <"$T/out")" \
		"ended by True and its children "
	left_nothing "SIG$signal"
done
