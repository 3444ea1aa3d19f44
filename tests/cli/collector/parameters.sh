# Benchmarks over arguments, on threads, with counters of their own and in random order: by hand,
# as the collector asks, and in a repository.
. "$(dirname "$0")/../../lib.sh"

many=$BUILD/helpers/many
lookup=$BUILD/examples/lookup
least=--min-time=1ms

# ---- arguments -------------------------------------------------------------------------
runs 0 '--list' "$many" --list
is 'each argument is a benchmark' "$(tr '\n' ' ' <"$T/out")" 'arg/1 arg/3 arg/9 team '
runs 0 'a filter sees them' "$many" --list --filter 'arg/[39]'
is 'by their whole name' "$(tr '\n' ' ' <"$T/out")" 'arg/3 arg/9 '
runs 0 'they are measured' "$many" --json $least
is 'each with its argument' "$(json "$T/out" \
	'[[c["value"] for c in b["counters"] if c["name"] == "argument"] for b in d["benchmarks"]]')" \
	'[[1], [3], [9], [0]]'
MANY=twice runs 2 'the same argument twice is refused' env MANY=twice "$many" --list
like 'by its name' "$T/err" "^many: error: two benchmarks are named 'arg/3'"
runs 2 'a range that never ends is refused' env MANY=endless "$many" --list
like 'with the cure' "$T/err" "'arg' have the factor 1: it must be 2 or more"
is 'and nothing is printed' "$(cat "$T/out")" ''

# ---- fixtures --------------------------------------------------------------------------
runs 1 'a benchmark of which every operation fails' env MANY=all MANY_LOUD=1 "$many" $least
is 'each setup has one teardown, also where run fails' "$(cat "$T/err")" "$(
	for each in 'arg 1' 'arg 3' 'arg 9' 'team 9' 'fail 9' 'wrong 9'; do
		printf 'setup %s\nteardown %s\n' "$each" "$each"
	done)"
runs 1 'a setup that fails for one argument' env MANY=setup MANY_LOUD=1 "$many" $least
like 'is told' "$T/out" '^arg/13 +failed: setup failed with code 1'
like 'the next argument is measured' "$T/out" '^arg/14 +[0-9.]+ '
is 'and has no teardown' "$(tr '\n' ' ' <"$T/err")" \
	'setup arg 12 teardown arg 12 setup arg 13 setup arg 14 teardown arg 14 '

# ---- counters of its own ---------------------------------------------------------------
runs 1 'wrong calls of pawl_add' env MANY=all "$many" $least --filter '[fw]*'
like 'are told with the first reason' "$T/out" \
	"[0-9]+ calls of pawl_add or pawl_set did nothing; the first: 'instructions' is the name of"
like 'and do not disturb what is right' "$T/out" 'steps: 100\.0 per iteration'
runs 0 'in the document' env MANY=all "$many" --json $least --filter wrong
is 'too' "$(json "$T/out" '[(f["n"] % 3, f["name"]) for f in [d["benchmarks"][0]["user_faults"]]]')" \
	"[(0, 'instructions')]"
is 'a counter of its own is marked' "$(json "$T/out" \
	'[(c["name"], c["state"], c["value"], c["per_iteration"]) for c in d["benchmarks"][0]["counters"]
		if "user" in c][:2]')" "[('steps', 'ok', 100, True), ('argument', 'ok', 0, False)]"

# ---- threads ---------------------------------------------------------------------------
runs 0 'the example' "$lookup" --json $least
is 'tells threads only where there are some' \
	"$(json "$T/out" '[b.get("threads") for b in d["benchmarks"]]')" \
	'[None, None, None, 2, 2, 2]'
is 'the iterations are of all threads' \
	"$(json "$T/out" 'all(b["iterations"] % b.get("threads", 1) == 0 for b in d["benchmarks"])')" \
	True
is 'every search looks at one place at least' "$(json "$T/out" \
	'all(c["value"] >= 1 for b in d["benchmarks"] for c in b["counters"] if c["name"] == "looks")')" \
	True
runs 0 'on one processor' taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" \
	"$lookup" $least --filter 'two'
like 'two threads take turns, and that is said' "$T/out" '2 threads on 1 processor: they take turns'
if command -v setpriv prlimit >/dev/null && [ "$(id -u)" = 0 ]; then
	cp "$many" "$T/many"
	chmod 755 "$T" "$T/many"
	runs 1 'threads that may not be started' setpriv --reuid 65534 --clear-groups \
		prlimit --nproc=1 env ASAN_OPTIONS=detect_leaks=0 MANY=crowd MANY_LOUD=1 \
		"$T/many" $least --filter team
	like 'say why and what limits them' "$T/out" \
		'^team +failed: cannot start 1024 threads: .*temporarily unavailable \(see ulimit -u'
	is 'and its teardown is called' "$(grep -v '^profiling:' "$T/err" | tr '\n' ' ')" 'setup team 0 teardown team 0 '
else
	skip 'threads that may not be started' 'needs root and setpriv to become another user'
fi

# ---- random order ----------------------------------------------------------------------
runs 0 '--shuffle=SEED --list' "$many" --list --shuffle=3
cp "$T/out" "$T/order"
runs 0 'again' "$many" --list --shuffle=3
is 'the same seed gives the same order' "$(cat "$T/out")" "$(cat "$T/order")"
is 'of the same benchmarks' "$(sort "$T/order" | tr '\n' ' ')" 'arg/1 arg/3 arg/9 team '
seen=$(for seed in 0 1 2 3 4 5 6 7 8 9; do "$many" --list --shuffle=$seed | tr '\n' ' '; echo; done |
	sort -u | wc -l)
check 'other seeds give other orders' [ "$seen" -ge 4 ]
runs 0 'a table in random order' "$many" $least --no-counters --shuffle
seed=$(sed -n 's/^random order: --shuffle=\([0-9]*\) repeats it$/\1/p' "$T/out")
is 'is in the order of the seed it tells' "$(sed -n 's/^\(arg[^ ]*\|team\) .*/\1/p' "$T/out")" \
	"$("$many" --list --shuffle="$seed")"
runs 0 'the document' "$many" $least --json --shuffle=3
is 'is in that order, and tells the seed' \
	"$(json "$T/out" '[d["order"]["seed"]] + [b["name"] for b in d["benchmarks"]]')" \
	"[3, $(sed "s/.*/'&'/" "$T/order" | paste -sd, | sed 's/,/, /g')]"
for seed in x -1 '' 9007199254740992; do
	runs 2 "--shuffle=$seed is refused" "$many" "--shuffle=$seed"
done

# ---- as the collector asks -------------------------------------------------------------
ask() {
	wanted=$1
	shift
	runs 0 "$wanted" env PAWL_FD=3 "$@" sh -c 'exec "$0" $OPTIONS 3>"$1"' "$many" "$T/records"
	/usr/bin/python3 -ISc 'import json, sys
print(json.dumps([json.loads(l) for l in open(sys.argv[1])]))' "$T/records" >"$T/answer"
}
OPTIONS=
export OPTIONS
ask 'list' PAWL_ASK=list
is 'names every argument' "$(json "$T/answer" \
	'[(r["name"], r.get("argument"), r.get("threads")) for r in d[1:-1]]')" \
	"[('arg/1', 1, None), ('arg/3', 3, None), ('arg/9', 9, None), ('team', None, 2)]"
ask 'calibrate' PAWL_ASK=calibrate PAWL_BENCHMARK=arg/3 PAWL_MIN_TIME_NS=1000000
is 'finds it by that name' "$(json "$T/answer" '[r["type"] for r in d]')" \
	"['hello', 'calibration', 'end']"
ask 'run on threads' PAWL_ASK=run PAWL_BENCHMARK=team PAWL_ITERATIONS=25 PAWL_SLICES=4
is 'is exactly N iterations, each slice as many for each thread' \
	"$(json "$T/answer" '[r["iterations"] for r in d[1:-1]]')" '[6, 6, 6, 7, 25]'
is 'with the threads in the result' "$(json "$T/answer" 'd[-2]["threads"]')" 2
ask 'fewer iterations than threads' PAWL_ASK=run PAWL_BENCHMARK=team PAWL_ITERATIONS=1 PAWL_SLICES=4
is 'are one slice' "$(json "$T/answer" '[r["iterations"] for r in d[1:-1]]')" '[1, 1]'
OPTIONS=--shuffle=3
ask 'all, in random order' PAWL_MIN_TIME_NS=1000000
is 'say the seed first' "$(json "$T/answer" \
	'[(r["type"], r.get("seed", r.get("name"))) for r in d[1:-1]]')" \
	"[('order', 3), $(sed "s/.*/('result', '&')/" "$T/order" | paste -sd, | sed 's/,(/, (/g')]"
ask 'one benchmark' PAWL_ASK=list
is 'is asked for in no random order' "$(json "$T/answer" '[r["name"] for r in d[1:-1]]')" \
	"['arg/1', 'arg/3', 'arg/9', 'team']"

# ---- in a repository -------------------------------------------------------------------
extra=$(libpawl_flags)
new_repo "$T/repo"
cd "$T/repo" || exit 1
cp "$ROOT/tests/helpers/many.c" .
cat >Makefile <<END
include cost.mk
many: many.c cost.mk
	\$(CC) -O2 -D_GNU_SOURCE -DCOST=\$(COST) -I$ROOT -I$ROOT/include -o \$@ many.c \
		$BUILD/libpawl.a $extra
END
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	build = make
	runs = 12..12
	minTime = 1ms
[benchmark "many"]
	command = ./many
END
echo /many >.gitignore
echo 'COST = 1000' >cost.mk
commit_all . 'one'
echo 'COST = 3000' >cost.mk
commit_all . 'three times the work'
runs 1 'the work of each argument is compared' pawl compare --json HEAD~1..HEAD
valid 'the document fits the schema' "$T/out"
of() {
	json "$T/out" "[$2 for b in d['benchmarks'] if b['name'] == '$1'][0]"
}
is 'each under its name' "$(json "$T/out" '[b["name"] for b in d["benchmarks"]]')" \
	"['many/arg/1', 'many/arg/3', 'many/arg/9', 'many/team']"
is 'CPU time decides for one thread' "$(of many/arg/3 'b["gate"]')" cpu
is 'wall time for several' "$(of many/team 'b["gate"]')" wall
is 'it is a regression' "$(of many/arg/9 'b["verdict"]')" regressed
is "a benchmark's own counter is a metric of both sides" "$(of many/arg/1 \
	'[(m["samples"][0], m["baseline_samples"][0]) for m in b["metrics"] if m["name"] == "steps"]')" \
	'[(3000, 1000)]'
if [ "$(nproc)" -gt 1 ]; then
	is 'one thread is pinned to one processor' "$(of many/arg/1 \
		'[set(m["samples"]) for m in b["metrics"] if m["name"] == "processors"]')" '[{1}]'
	is 'several threads are not' "$(of many/team \
		'[min(m["samples"]) > 1 for m in b["metrics"] if m["name"] == "processors"]')" '[True]'
else
	skip 'several threads are not pinned to one processor' 'there is one processor'
fi
cat >>.pawlconfig <<'END'
	metric = steps
END
runs 1 'its counter decides where it is told to' pawl compare --json HEAD~1..HEAD
is 'by name' "$(of many/team 'b["gate"]')" steps
