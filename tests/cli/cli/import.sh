# Results of other harnesses: stored once, tagged, shown, and refused with the place of the fault.
. "$(dirname "$0")/../../lib.sh"

data=$ROOT/tests/data/foreign
new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\tproject = demo\n' >.pawlconfig
commit_all . one
first=$(git rev-parse HEAD)
commit_all . two

n_stored() {
	pawl fsck | sed -n 's/^\([0-9]*\) results\{0,1\}.*/\1/p'
}

# ---- every format is told by its content ----------------------------------------------------

for file in google-repetitions.json go-count.txt go-events.json hyperfine.json catch2.xml \
	perf-stat.json callgrind.out nanobench.json junit.xml bmf.json lnt.txt \
	criterion/messages.json criterion/fib/20/new/sample.json; do
	runs 0 "$file is stored" pawl import --json "$data/$file"
	valid "$file gives a document that fits the schema" "$T/out"
	is "$file is the results of HEAD" "$(json "$T/out" 'd["commit"]["id"]')" \
		"$(git rev-parse HEAD)"
	format=$(json "$T/out" 'd["imported"][0]["format"]')
	is "$file is told from its content" "$(json "$T/out" \
		'set(b["format"] for b in d["benchmarks"])')" "{'$format'}"
	runs 0 "$file is read by that name too" pawl import --format "$format" \
		--commit "$first" "$data/$file"
done

# ---- what is stored --------------------------------------------------------------------------

pawl import --json --commit "$first" "$data/google-single.json" "$data/hyperfine.json" \
	"$data/lnt.txt" >"$T/out" 2>"$T/err"
is 'files that are there already are left out of the document' \
	"$(json "$T/out" '[f["name"].split("/")[-1] for f in d["imported"]]')" \
	"['google-single.json']"
is 'the digest is that of the file' "$(json "$T/out" 'd["imported"][0]["sha256"]')" \
	"$(sha256sum "$data/google-single.json" | cut -d ' ' -f 1)"
is 'the project is the configured one' "$(json "$T/out" 'd["project"]')" demo
is 'the machine is this one' "$(json "$T/out" 'len(d["machine"]["id"])')" 16
is 'a named commit is clean' "$(json "$T/out" 'd["commit"]["dirty"]')" False
is 'what a file does not have was not removed' "$(json "$T/out" 'd["settings"]["partial"]')" True

before=$(n_stored)
runs 0 'the same file again' pawl import "$data/google-repetitions.json"
like 'is told' "$T/out" 'google-repetitions.json: already imported for [0-9a-f]{12}$'
is 'and not stored again' "$(n_stored)" "$before"
runs 0 'standard input is a file' sh -c 'sed s/BM_sum/BM_other/ "$1" | pawl import -' sh \
	"$data/google-repetitions.json"
like 'and says how much it held' "$T/out" '^-: google, 4 benchmarks, 36 samples$'
like 'and where it went' "$T/out" '^stored as [0-9A-Z]{26} for [0-9a-f]{12}$'
is 'it is a result more' "$(n_stored)" "$((before + 1))"
runs 4 'it is reported, with the benchmark that failed' pawl report
like 'with its benchmarks' "$T/out" 'BM_other/1024 '
runs 0 'the series is there' pawl history --json BM_sum/1024
is 'with a point for each commit' "$(json "$T/out" 'len(d["points"])')" 2

echo change >>.pawlconfig.note
git add . && git commit -qm note && echo more >>.pawlconfig.note
runs 0 'a changed work tree marks the result' pawl import --json "$data/bmf.json"
is 'as dirty' "$(json "$T/out" 'd["commit"]["dirty"]')" True
like 'and says so' "$T/err" 'warning: .*marked dirty'
git checkout -q .

# What was imported beside changes by mistake could not be put right.
runs 0 'the same file for the commit itself' pawl import --json --commit HEAD "$data/bmf.json"
is 'is stored' "$(json "$T/out" 'd["commit"]["dirty"]')" False
runs 0 'a second time' pawl import --commit HEAD "$data/bmf.json"
like 'it is there' "$T/out" 'already imported'
echo more >>.pawlconfig.note
runs 0 'beside changes' pawl import "$data/bmf.json"
like 'too' "$T/out" 'already imported'
git checkout -q .

# pawl died of SIGSEGV over a benchmark without anything to judge it by
cat >"$T/complexity.json" <<'EOF'
{"context": {}, "benchmarks": [
{"name": "BM_c/8", "run_name": "BM_c/8", "run_type": "iteration", "real_time": 8, "cpu_time": 8},
{"name": "BM_c_BigO", "run_name": "BM_c", "run_type": "aggregate", "aggregate_name": "BigO",
 "cpu_coefficient": 1.5, "real_coefficient": 1.6, "big_o": "N", "time_unit": "ns"},
{"name": "BM_c_RMS", "run_name": "BM_c", "run_type": "aggregate", "aggregate_name": "RMS",
 "rms": 0.05}]}
EOF
runs 0 'a benchmark with its complexity' pawl import --json "$T/complexity.json"
is 'which makes no benchmark' "$(json "$T/out" '[b["name"] for b in d["benchmarks"]]')" "['BM_c/8']"
like 'but is kept' "$T/out" 'aggregate BigO of BM_c'
echo 'BenchmarkUntimed-8 100 55 widgets/op' >"$T/untimed.txt"
runs 0 'a Go benchmark without a time' pawl import --json "$T/untimed.txt"
is 'is judged by what it has' "$(json "$T/out" 'd["benchmarks"][0]["gate"]')" widgets/op

# An import takes no metric: that cure was none.
for event in cycles instructions; do
	printf '{"counter-value": "<not supported>", "unit": "", "event": "%s"}\n' "$event"
done >"$T/uncounted.json"
runs 0 'events that were all not counted' pawl import --project uncounted "$T/uncounted.json"
runs 4 'are a benchmark that failed' pawl report --project uncounted
like 'with the reason' "$T/out" "gated by 'cycles', which could not be had: <not supported>$"

# ---- figures without samples -----------------------------------------------------------------

cat >"$T/sums.json" <<'EOF'
{"results": [{"command": "ls", "mean": 0.002, "stddev": 0.0001, "median": 0.0019, "user": 0.001,
 "system": 0.0005, "min": 0.001, "max": 0.003}]}
EOF
sed 's/0.0019/0.0038/' "$T/sums.json" >"$T/more.json"
pawl import -q --project sums --commit HEAD~1 "$T/sums.json" >/dev/null
runs 0 'a result of mean and median is stored' pawl import --project sums "$T/more.json"
runs 0 'it is measured' pawl report -v --project sums
like 'and has its median' "$T/out" 'ls +3\.80 ms +no-baseline$'
like 'and its figures' "$T/out" 'head: figures without samples, mean 2\.00 ms, stddev 100 us'
like 'how it was measured is not made up' "$T/out" '^imported: how it was measured is not known$'
unlike 'no runs' "$T/out" 'runs a side|seed'
runs 0 'nor in a page' pawl report --project sums --format html
unlike 'of runs' "$T/out" 'of each side|<th>seed'
runs 0 'two of them are compared' pawl report --project sums HEAD~1..HEAD
like 'by their figures' "$T/out" 'ls +1\.90 ms +3\.80 ms +\+100 % +inconclusive$'
like 'which give no verdict, and why' "$T/out" 'figures: there are no samples to judge by'
unlike 'nor were there runs' "$T/out" 'undecided after'
runs 0 'as Markdown' pawl report --project sums --format markdown HEAD~1..HEAD
like 'both, too' "$T/out" '^\| \? \| ls \| 1.90 ms \| 3.80 ms \| \+100 % \|'
runs 0 'as CSV' pawl report --project sums --format csv HEAD~1..HEAD
like 'too' "$T/out" '"wall","ns",lower,yes,0,0,3800000,1900000,2,'
pawl report --project sums --json HEAD~1..HEAD >"$T/out"
valid 'as JSON they fit the schema' "$T/out"
runs 0 'the history has them' pawl history --project sums ls
unlike 'but no failure' "$T/out" failed
runs 0 'a tracker that takes figures gets them' pawl export --project sums --format bencher
is 'the mean of each time' "$(json "$T/out" 'sorted((k, v["value"]) for k, v in d["ls"].items())')" \
	"[('cpu', 1500000), ('latency', 2000000)]"
unlike 'with nothing to say' "$T/err" left
runs 0 'one that takes samples gets none' pawl export --project sums --format google
like 'and that is said' "$T/err" "^pawl: warning: 1 benchmark is left out: it has no samples, which 'google' needs"

# ---- what several calls imported -------------------------------------------------------------

# import_one NAME SECONDS COMMIT: a benchmark of five times
import_one() {
	printf '{"results": [{"command": "%s", "times": [%s, %s, %s, %s, %s]}]}\n' "$1" "${2}1" "${2}2" \
		"${2}3" "${2}4" "${2}5" >"$T/one-$1-$2.json"
	pawl import -q --project calls --commit "$3" "$T/one-$1-$2.json" >/dev/null
}
import_one x 0.10 HEAD~1
import_one y 0.20 HEAD~1
import_one gone 0.50 HEAD~1
import_one x 0.40 HEAD
import_one x 0.30 HEAD
import_one y 0.60 HEAD
import_one new 0.70 HEAD
runs 0 'what several calls imported is compared' pawl report --project calls --json HEAD~1..HEAD
valid 'it fits the schema' "$T/out"
is 'as one result, each benchmark as it was imported last, and nothing is said to be removed' "$(json "$T/out" \
	'sorted((b["name"], round(m["delta"]["ratio"], 1)) for b in d["benchmarks"] for m in b["metrics"] if "delta" in m and m["name"] == b["gate"])')" \
	"[('x', 2.9), ('y', 3.0)]"
is 'nor added' "$(json "$T/out" 'sorted((b["name"], b["status"]) for b in d["benchmarks"])')" \
	"[('new', 'ok'), ('x', 'ok'), ('y', 'ok')]"
runs 0 'in words, too' pawl report --project calls HEAD~1..HEAD
unlike 'nobody knows whether one was added or removed' "$T/out" ' (added|removed)'

# One processor and two were compared, and two sizes of the input.
printf 'BenchmarkX 10 200 ns/op\nBenchmarkX-2 10 101 ns/op\nBenchmarkX 10 201 ns/op\n' >"$T/both.txt"
printf 'BenchmarkX-2 10 100 ns/op\nBenchmarkX-2 10 102 ns/op\n' >"$T/two.txt"
printf 'BenchmarkSort/n-1000 10 100 ns/op\n' >"$T/small.txt"
printf 'BenchmarkSort/n-2000 10 200 ns/op\n' >"$T/large.txt"
printf 'BenchmarkSame-8 10 100 ns/op\n' >"$T/same.txt"
pawl import -q --project procs --commit HEAD~1 "$T/both.txt" "$T/small.txt" "$T/same.txt" >/dev/null
sed -i.old 's/ 100 / 300 /' "$T/same.txt"
pawl import -q --project procs --commit HEAD "$T/two.txt" "$T/large.txt" "$T/same.txt" >/dev/null
runs 0 'go benchmarks whose suffix was cut' pawl report --project procs HEAD~1..HEAD
like 'with another number of processors are not compared' "$T/out" 'BenchmarkX +- +101 ns +- +no-baseline$'
like 'and why' "$T/out" "not compared: it is 'BenchmarkX-2' here and 'BenchmarkX' in the base"
like 'nor with another number at the end' "$T/out" "not compared: it is 'BenchmarkSort/n-2000' here and 'BenchmarkSort/n-1000' in the base"
like 'with the same they are' "$T/out" 'BenchmarkSame +100 ns +300 ns +\+200 %'

# ---- what is refused -------------------------------------------------------------------------

before=$(n_stored)
# refused NAME PATTERN FILE...
refused() {
	name=$1
	pattern=$2
	shift 2
	runs 5 "$name is refused" pawl import "$@"
	like "$name: the message names the place" "$T/err" "$pattern"
}
echo hello >"$T/hello"
refused 'what nobody knows' "error: '.*hello': in no known format: tried google, go" "$T/hello"
head -c 500 "$data/google-single.json" >"$T/cut.json"
refused 'a file cut short' "cut.json': not JSON: line [0-9]+" "$T/cut.json"
sed 's/"real_time": [0-9.e+]*/"real_time": -1/' "$data/google-single.json" >"$T/negative.json"
refused 'a negative time' "negative.json': benchmarks\[0\].real_time: a time must not be negative" \
	"$T/negative.json"
sed 's/"real_time": [0-9.e+]*/"real_time": NaN/' "$data/google-single.json" >"$T/nan.json"
refused 'a NaN' "nan.json': benchmarks\[0\].real_time: not a finite number" "$T/nan.json"
sed 's/"ns"/"fortnights"/' "$data/google-single.json" >"$T/unit.json"
refused 'an unknown unit' "benchmarks\[0\].time_unit: must be ns" "$T/unit.json"
sed 's/seq 2/seq 1/' "$data/hyperfine.json" >"$T/twice.json"
refused 'a name twice' "results\[1\]: benchmark 'seq 1' is there twice" "$T/twice.json"
sed 's/8.5/9/' "$data/lnt.txt" >"$T/a.txt" && echo >>"$T/a.txt"
cp "$T/a.txt" "$T/b.txt" && echo >>"$T/b.txt"
refused 'a name in two files' "b.txt': line 2: benchmark '.*' is there twice, in another input" \
	"$T/a.txt" "$T/b.txt"
refused 'a good file beside a bad one' 'hello' "$data/junit.xml" "$T/hello"
cat "$data/google-single.json" "$data/go-count.txt" >"$T/mixed"
refused 'two formats in one file' "mixed': not JSON: line [0-9]+" "$T/mixed"
refused 'another format than the named one' 'not XML' --format junit "$data/lnt.txt"
truncate -s 65M "$T/huge"
refused 'a huge file' 'huge' "$T/huge"
refused 'a file that is not there' 'absent' "$T/absent"
is 'nothing of all that was stored' "$(n_stored)" "$before"
runs 2 'an unknown format is wrong usage' pawl import --format gooogle "$T/hello"
like 'which names the nearest' "$T/err" '^hint: did you mean .google.'
runs 2 'no file is wrong usage' pawl import
runs 5 'an unknown commit' pawl import --commit nowhere "$data/bmf.json"

# ---- and measured results --------------------------------------------------------------------

runs 0 'a collection after imports' pawl collect --json $quick -- true
is 'has no imported baseline' "$(json "$T/out" 'd["baseline"]["commit"]')" None
