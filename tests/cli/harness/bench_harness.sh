# `make bench-harness` still builds, and what its tables are made of is right.  No figure is looked
# at: it is no test of speed.
. "$(dirname "$0")/../../lib.sh"

programs=$BUILD/bench/harness
bench=$ROOT/tests/bench/harness
unset NANOBENCH UBENCH PIN
if [ ! -x "$programs/reference" ]; then
	skip "the programs of make bench-harness" "not built: make test-programs"
	exit 0
fi

# ---- programs --------------------------------------------------------------------------
runs 0 "the reference loop runs" "$programs/reference" 1
is "... and tells the times of each operation" \
	"$(sed -n 's/^\([a-z_]*\)	[0-9.]*[1-9][0-9]*$/\1/p' "$T/out" | tr '\n' ' ')" "empty empty_mean imul imul_mean "
runs 2 "... and refuses no time" "$programs/reference" 0
runs 0 "the operations under libpawl" env CALLS=9 sh -c 'exec "$@" 9>"$0"' "$T/calls" \
	"$programs/peer_pawl" --iterations 1000 --no-counters --json
is "... note every iteration, and the first call" \
	"$(awk '{ n += $1 } $3 < $2 { bad++ } END { print n, bad + 0 }' "$T/calls")" "1001 0"
runs_pair() {
	"$programs/pair" >"$T/pair" 2>"$T/why"
}
if runs_pair; then
	is "a pair of readings has its ticks" "$(grep -c '^[a-z_]*	[0-9]*\.[0-9]*$' "$T/pair")" \
		"$(grep -c . "$T/pair")"
elif [ $? -eq 77 ]; then
	check "without the clock it says why" test -s "$T/why"
else
	result 1 "a pair of readings has its ticks" "$(cat "$T/why")"
fi

# ---- the script ------------------------------------------------------------------------
runs 0 "the other harnesses' programs are built or left out" "$bench/run" --build-only
for peer in google-benchmark:peer_google nanobench:peer_nanobench ubench.h:peer_ubench; do
	if grep -q "${peer#*:}" "$T/out"; then
		result 0 "${peer%:*} is built"
	else
		like "${peer%:*} is left out with a reason" "$T/err" "left out: ${peer%:*}: ."
	fi
done
runs 0 "a header that does not compile is left out too" env UBENCH="$T" "$bench/run" --build-only
like "... with what the compiler says" "$T/err" 'left out: ubench.h: .*error'
runs 1 "rounds must be a number" env ROUNDS=some "$bench/run"
like "... and it says so" "$T/err" "ROUNDS is 'some'"
runs 1 "the processor must be there" env PIN=9999 "$bench/run"
like "... and it says so" "$T/err" "PIN is '9999'"

# ---- figures ---------------------------------------------------------------------------
py() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$bench python3 -c "$1"
}
# By hand: 2 P(B(12, 1/2) <= 2) = 158/4096 < 0.05 < 2 P(B <= 3), so the 3rd and the 10th of 12.
is "a median has the interval of the binomial distribution" \
	"$(py 'import report; print(*report.interval(range(12, 0, -1)))')" "6.5 3 10"
is "... and of five values the extremes" \
	"$(py 'import report; print(*report.interval([5, 1, 4, 2, 3]))')" "3 1 5"
is "rounds without a figure are told" \
	"$(py 'import report; print(report.show_interval([1, None, 3], 1))')" "2.0 [1.0 - 3.0], 1 x none"
cat >"$T/callgrind.out" <<'END'
fn=outer
10 3
cfn=op
calls=2 20
11 14
cfn=other
calls=1 30
12 100
fn=second
cfn=op
calls=3 20
13 21
END
is "calls and instructions of a function are summed over its callers" \
	"$(py "import costs, pathlib; print(*costs.called(pathlib.Path('$T/callgrind.out'), 'op'))")" \
	"5 35"
echo 'no marks here' >"$T/doc.md"
runs 1 "a document without the marks" py "import pathlib, report
report.into(pathlib.Path('$T/doc.md'), {})"
is "... is left as it is" "$(cat "$T/doc.md")" "no marks here"
check "docs/HARNESS-FIGURES.md has them" py "import report
text = open('$ROOT/docs/HARNESS-FIGURES.md').read()
assert text.index(report.BEGIN) < text.index(report.END)"
