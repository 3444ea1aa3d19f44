# libpawl from outside: the real examples by hand and as the collector starts them.
. "$(dirname "$0")/../../lib.sh"

arrays=$BUILD/examples/arrays
least=--min-time=2ms

# ---- by hand ---------------------------------------------------------------------------
runs 0 "--list" "$arrays" --list
is "--list prints the names" "$(tr '\n' ' ' <"$T/out")" "arrays/two-loops arrays/merged-loop "
runs 0 "--list --filter glob" "$arrays" --list --filter '*/merged*'
is "--filter takes a glob" "$(cat "$T/out")" "arrays/merged-loop"
runs 0 "--list --filter=part" "$arrays" --list --filter=two
is "--filter takes a part of the name" "$(cat "$T/out")" "arrays/two-loops"
runs 2 "a filter that takes nothing is refused" "$arrays" --filter nothing
like "... and says so" "$T/err" "^arrays: error: no benchmark matches"
runs 2 "an unknown option is refused" "$arrays" --lost
like "... by name" "$T/err" "^arrays: error: unknown option '--lost': see --help$"
is "... and nothing is on stdout" "$(cat "$T/out")" ""
runs 2 "an argument is refused" "$arrays" something
runs 2 "--min-time without a unit is refused" "$arrays" --min-time 250
runs 2 "--clock without such a clock is refused" "$arrays" --clock sundial
runs 0 "--help" "$arrays" --help
for option in --list --filter --strategy --min-time --iterations --clock --clocks --counters \
	--no-counters --shuffle --details --json --help --version; do
	like "--help tells of $option" "$T/out" "^ +$option"
done
runs 0 "--version" "$arrays" --version
like "--version tells the library's version" "$T/out" '^arrays, pawl [0-9]+\.[0-9]+\.[0-9]+$'
runs 0 "--clocks" "$arrays" --clocks
like "--clocks lists the kernel's clock" "$T/out" '^monotonic_raw '
like "--clocks lists the tick counter, or why not" "$T/out" '^tsc '

runs 0 "the table" "$arrays" $least
like "the table has a line for each benchmark" "$T/out" '^arrays/two-loops .* (ns|us|ms) .*/s '
like "... the median first, which the throughput follows from" "$T/out" \
	'^benchmark +median +[+]- +net +mean +first +(rate|throughput) +clean$'
like "the table says which clock" "$T/out" '^pawl .*: clock [a-z_]+, step '
is "the table's columns are aligned" \
	"$(grep -E '^(benchmark|arrays/(two|merged).*/s)' "$T/out" | awk '{print length($0)}' |
		sort -u | wc -l)" 1
for name in cycles instructions branches branch-misses kernel-instructions page-faults l1d-reads \
	l1d-misses cache-references cache-misses llc-loads llc-misses; do
	like "the table has $name, or why not" "$T/out" "(^per iteration.*| )$name( |,|$)"
done
runs 0 "--no-counters" "$arrays" $least --no-counters
unlike "--no-counters says nothing of counters" "$T/out" 'page-faults'

runs 0 "--json" "$arrays" --json $least
cp "$T/out" "$T/doc"
is "the document has both benchmarks" \
	"$(json "$T/doc" '[b["name"] for b in d["benchmarks"]]')" \
	"['arrays/two-loops', 'arrays/merged-loop']"
is "a mean is the time by the iterations" \
	"$(json "$T/doc" 'all(abs(b["mean_ns"] * b["iterations"] / b["wall_ns"] - 1) < 1e-6
		for b in d["benchmarks"])')" True
is "the throughput is one by the estimate, the median of the clean batches where there are any" \
	"$(json "$T/doc" 'all(abs(b["throughput_per_s"] * b["estimate_ns"] / 1e9 - 1) < 1e-9 and
		(b["clean"]["n"] == 0 or b["estimate_ns"] == b["clean"]["median_ns"])
		for b in d["benchmarks"])')" True
is "the stretch lasts the least time" \
	"$(json "$T/doc" 'all(b["wall_ns"] >= 2e6 for b in d["benchmarks"])')" True
is "the iterations are a power of two" \
	"$(json "$T/doc" 'all(b["iterations"] & (b["iterations"] - 1) == 0
		for b in d["benchmarks"])')" True
is "a counter has a value or a reason, never both nor 0 for nothing" \
	"$(json "$T/doc" 'all((c["value"] is None) == (c["state"] not in ("ok", "scaled"))
		and (c["value"] is not None or len(c["reason"]) > 10)
		for b in d["benchmarks"] for c in b["counters"])')" True
is "every counter is reported" \
	"$(json "$T/doc" '[len(b["counters"]) for b in d["benchmarks"]]')" "[12, 12]"

for example in list_walk empty; do
	runs 0 "example $example" "$BUILD/examples/$example" --json $least --no-counters
	is "example $example measured everything" \
		"$(json "$T/out" 'all(b["mean_ns"] > 0 for b in d["benchmarks"])')" True
done
runs 0 "example sort_lines" "$BUILD/examples/sort_lines" 1000
is "sort_lines sorts the same lines each time" "$(cat "$T/out")" \
	"$("$BUILD/examples/sort_lines" 1000)"
runs 2 "sort_lines refuses nonsense" "$BUILD/examples/sort_lines" many
if [ -c /dev/full ]; then
	runs 1 "a table that cannot be written is a failure" \
		sh -c '"$1" --no-counters --min-time 1ms >/dev/full' sh "$arrays"
fi

# ---- as the collector starts it --------------------------------------------------------
cat >"$T/drive.py" <<'END'
# usage: drive.py SCENARIO PROGRAM: prints what went wrong, or nothing
import json, os, resource, socket, subprocess, sys, time

program = sys.argv[2]

def drive(turns=None, pipe=False, **env):
    """Returns the exit status and the records; turns: how many are given before the end."""
    ours, theirs = socket.socketpair()
    process = subprocess.Popen([program], pass_fds=[theirs.fileno()],
                               env={**os.environ, "PAWL_FD": str(theirs.fileno()), **env},
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    theirs.close()
    records, given = [], 0
    lines = ours.makefile("rb")
    for line in lines:
        assert line.endswith(b"\n"), line
        record = json.loads(line)
        records.append(record)
        if record["type"] == "ready":
            if turns is not None and given == turns:
                ours.shutdown(socket.SHUT_WR)
            else:
                ours.sendall(b"g")
                given += 1
    out, err = process.communicate()
    assert out == b"", out
    return process.returncode, records, err

def types(records):
    return [r["type"] for r in records]

def same(got, wanted):
    assert got == wanted, f"{got} is not {wanted}"

def listing():
    status, r, _ = drive(PAWL_ASK="list")
    same(status, 0)
    same(types(r), ["hello", "benchmark", "benchmark", "end"])
    same(r[0]["protocol"], 1)
    same([b["name"] for b in r[1:3]], ["arrays/two-loops", "arrays/merged-loop"])
    same(r[1]["items"], 8192)

def calibrate():
    status, r, _ = drive(PAWL_ASK="calibrate", PAWL_BENCHMARK="arrays/two-loops",
                         PAWL_MIN_TIME_NS="3000000")
    same(status, 0)
    same(types(r), ["hello", "calibration", "end"])
    c = r[1]
    assert c["wall_ns"] >= 3000000 and c["iterations"] >= 1, c
    assert c["first_ns"] > 0 and c["cpu_ns"] > 0, c
    for field in ("process_cpu_ns", "run_delay_ns", "voluntary_switches"):
        assert field in c, field

def run():
    status, r, _ = drive(PAWL_ASK="run", PAWL_BENCHMARK="arrays/merged-loop",
                         PAWL_ITERATIONS="1003", PAWL_SLICES="4")
    same(status, 0)
    same(types(r), ["hello"] + 4 * ["slice"] + ["result", "end"])
    same([s["iterations"] for s in r[1:5]], [251, 251, 251, 250])
    same([s["slice"] for s in r[1:5]], [0, 1, 2, 3])
    result = r[5]
    same(result["iterations"], 1003)
    same(result["errors"], 0)
    assert abs(sum(s["wall_ns"] for s in r[1:5]) - result["wall_ns"]) <= 4, r
    for field in ("process_cpu_ns", "voluntary_switches", "involuntary_switches", "minor_faults",
                  "major_faults", "run_delay_ns", "migrations", "throughput_per_s"):
        assert field in result, field
    same(sorted(result["clean"]), ["ci95_high_ns", "ci95_low_ns", "clock", "dropped", "failed",
                                   "max_ns", "mean_ns", "median_ns", "migrated", "min_ns", "n",
                                   "p99_ns", "preempted", "sd_ns", "waiting"])
    same(result["strategy"], "iterations")
    same(result["empty_ns"], None)
    same(len(result["counters"]), 12)

def no_counters():
    status, r, _ = drive(PAWL_ASK="run", PAWL_BENCHMARK="arrays/merged-loop",
                         PAWL_ITERATIONS="10", PAWL_COUNTERS="0")
    same(status, 0)
    same(r[2]["counters"], [])

def turns():
    status, r, _ = drive(PAWL_ASK="run", PAWL_BENCHMARK="arrays/two-loops", PAWL_TURNS="1",
                         PAWL_ITERATIONS="1000", PAWL_SLICES="5")
    same(status, 0)
    same(types(r), ["hello"] + 5 * ["ready", "slice"] + ["ready", "result", "end"])
    # Waiting for a turn is voluntary, and must not be in the record.
    assert r[-2]["voluntary_switches"] == 0, r[-2]

def gone():
    for given in (0, 2):
        status, r, err = drive(turns=given, PAWL_ASK="run", PAWL_BENCHMARK="arrays/two-loops",
                               PAWL_TURNS="1", PAWL_ITERATIONS="100", PAWL_SLICES="5")
        same(status, 3)
        same(types(r), ["hello"] + given * ["ready", "slice"] + ["ready"])
        same(err, b"")

def all_of_them():
    status, r, _ = drive(PAWL_MIN_TIME_NS="2000000")
    same(status, 0)
    same(types(r), ["hello", "result", "result", "end"])

def faults():
    for env, part in [({"PAWL_ASK": "dance"}, "PAWL_ASK"),
                      ({"PAWL_ASK": "run"}, "PAWL_BENCHMARK"),
                      ({"PAWL_ASK": "run", "PAWL_BENCHMARK": "none", "PAWL_ITERATIONS": "5"},
                       "no such benchmark"),
                      ({"PAWL_ASK": "run", "PAWL_BENCHMARK": "arrays/two-loops"},
                       "PAWL_ITERATIONS"),
                      ({"PAWL_ASK": "run", "PAWL_BENCHMARK": "arrays/two-loops",
                        "PAWL_ITERATIONS": "99999999999999999999"}, "PAWL_ITERATIONS"),
                      ({"PAWL_ASK": "run", "PAWL_BENCHMARK": "arrays/two-loops",
                        "PAWL_ITERATIONS": "-5"}, "PAWL_ITERATIONS")]:
        status, r, _ = drive(**env)
        same(status, 2)
        same(types(r), ["hello", "error", "end"])
        assert part in r[1]["message"], r[1]

def descriptors():
    def status_of(fd, **kept):
        p = subprocess.run([program], env={**os.environ, "PAWL_FD": fd, "PAWL_ASK": "list"},
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, **kept)
        same(p.stdout, b"")
        assert b"PAWL_FD" in p.stderr and p.stderr.count(b"\n") == 1, p.stderr
        return p.returncode
    for fd in ("77", "", "-1", "two", "99999999999999999999"):
        same(status_of(fd), 2)
    with open("/dev/full", "wb") as full:
        same(status_of(str(full.fileno()), pass_fds=[full.fileno()]), 2)
    ours, theirs = os.pipe()
    os.close(ours)  # nobody reads: an error, not SIGPIPE
    same(status_of(str(theirs), pass_fds=[theirs]), 2)
    with open("/dev/null", "rb") as read_only:
        same(status_of(str(read_only.fileno()), pass_fds=[read_only.fileno()]), 2)

globals()[sys.argv[1]]()
END
drives() {
	check "$1" timeout 600 /usr/bin/python3 "$T/drive.py" "$2" "$arrays"
}
drives "list: hello, a record for each benchmark, end" listing
drives "calibrate: the iterations for the least time" calibrate
drives "run: exactly N iterations in slices that differ by one" run
drives "run without counters has none" no_counters
drives "run with turns waits before each slice" turns
drives "run ends with status 3 and no word when the collector goes" gone
drives "without a question every benchmark is a result" all_of_them
drives "wrong orders are error lines and status 2" faults
drives "a descriptor that cannot be written is status 2, and never a hang" descriptors
