# tests/run and tests/slow themselves: they count what ran, name what did not, end what runs too long,
# and remember what passed.
. "$(dirname "$0")/../../lib.sh"
# What it starts decides by itself what is long.
unset PAWL_TEST_SLOW PAWL_TEST_HW

mkdir -p "$T/a b/tests/cli/room/part" "$T/a b/tests/cli/other" "$T/a b/tests/hw" "$T/a b/tests/unit/room" \
	"$T/a b/build/tests" "$T/a b/build/helpers"
cd "$T/a b" || exit 1
cp "$ROOT/tests/run" "$ROOT/tests/run-one" "$ROOT/tests/slow" "$ROOT/tests/lib.sh" tests
cp "$BUILD/helpers/limit" build/helpers
BUILD=build
export BUILD
# script NAME LINE
script() {
	printf '. tests/lib.sh\n%s\n' "$2" >"tests/$1"
}
# program NAME LINE
program() {
	: >"tests/unit/room/$1.c"
	printf '#!/bin/sh\n%s\n' "$2" >"build/tests/$1"
	chmod +x "build/tests/$1"
}
script cli/room/same.sh "skip one 'no room'"
script cli/room/part/in.sh 'result 0 inside'
script cli/other/same.sh "skip one 'no room'; skip two 'no time'"
script hw/same.sh 'result 0 two; sleep 0.2; result 0 three'
program test_program 'echo ok 1; echo "  # skipped: no key"; echo "not ok 2 # SKIP opens"'
runs 0 'a folder with a blank' env PAWL_TEST_JOBS=2 PAWL_TEST_HW=1 tests/run
is 'all are counted, also two of one name' "$(tail -n 1 "$T/out")" '4 passed, 0 failed, 4 skipped'
is 'what did not run is told by its reason' "$(sed -n '/^Did not run/,$p' "$T/out" | sort | head -n 3)" \
	'   1  no key (test_program.c)
   1  no time (same.sh)
   2  no room (same.sh)'
runs 0 'one room' tests/run --room room
is 'is its scripts and its programs' "$(tail -n 1 "$T/out")" '2 passed, 0 failed, 2 skipped'
runs 0 'a folder of it' tests/run --room room/part
is 'too' "$(tail -n 1 "$T/out")" '1 passed, 0 failed, 0 skipped'
runs 2 'a room that is none' tests/run --room nowhere
like 'is refused' "$T/err" "no room 'nowhere'"
printf 'tests/cli/room/same.sh\n' >tests/long
runs 0 'what is long' env PAWL_TEST_JOBS=1 tests/run
is 'comes first' "$(sed -n 's/^pass \([^:]*\):.*/\1/p' "$T/out" | head -n 1)" tests/cli/room/same.sh
unlike 'emulated machines are left out' "$T/out" 'tests/hw'

# ---- what fails ------------------------------------------------------------------------------

script cli/room/bad.sh 'result 1 four'
script cli/room/dead.sh 'kill -KILL $$'
script cli/room/mute.sh ':'
runs 1 'failures' tests/run cli/room/bad cli/room/dead cli/room/mute
is 'are counted' "$(tail -n 1 "$T/out")" '0 passed, 3 failed, 0 skipped'
like 'a killed one is named' "$T/out" 'cli/room/dead.sh ended with status 137'
like 'and one that asserts nothing' "$T/out" 'cli/room/mute.sh asserted nothing'
script cli/room/long.sh 'result 1 four; seq -f "ok %g - more" 100'
runs 1 'what failed' tests/run cli/room/long
like 'is shown however much comes behind it' "$T/out" '^    not ok 1 - '
rm tests/cli/room/long.sh
script cli/room/gone.sh 'kill -KILL $(cut -d " " -f 4 /proc/$PPID/stat); sleep 0.2' # tests/run-one
runs 1 'without the one who tells' tests/run cli/room/gone
like 'it is named all the same' "$T/out" '^FAIL tests/cli/room/gone.sh: it did not run'
runs 1 'nothing that is called so' tests/run nowhere
is 'is no success' "$(tail -n 1 "$T/out")" '0 passed, 0 failed, 0 skipped'
: >tests/unit/room/test_unbuilt.c
runs 1 'a program that was not built' tests/run test_unbuilt
like 'is none that passed' "$T/out" 'test_unbuilt.c ended with status 127'
rm tests/unit/room/test_unbuilt.c tests/cli/room/bad.sh tests/cli/room/dead.sh tests/cli/room/mute.sh \
	tests/cli/room/gone.sh

# ---- what fails beside others ------------------------------------------------------------------

script cli/room/once.sh 'skip one "no room"; [ -e "$ROOT/seen" ]; status=$?; : >"$ROOT/seen"; result "$status" again'
script cli/room/twice.sh 'result 1 four'
runs 1 'a run of all' tests/run
like 'tries what failed again, alone' "$T/out" '^pass tests/cli/room/once.sh: 1'
like 'and names what passed then' "$T/out" '^      tests/cli/room/once.sh$'
unlike 'not what failed twice' "$T/out" '^      tests/cli/room/twice.sh$'
is 'which counts as failed, the other as passed' "$(tail -n 1 "$T/out")" '3 passed, 1 failed, 5 skipped'
rm -f seen tests/cli/room/twice.sh
runs 1 'a run of some' tests/run room/once
is 'tries once' "$(tail -n 1 "$T/out")" '0 passed, 1 failed, 1 skipped'
rm -f seen
mkdir tests/cli/many
for i in 1 2 3 4 5; do
	script "cli/many/$i.sh" 'result 1 four'
done
runs 1 'a run in which more fails' tests/run
unlike 'is no matter of the machine' "$T/out" 'Tried again'
rm -rf seen tests/cli/many tests/cli/room/once.sh

# ---- limits ------------------------------------------------------------------------------------

script cli/room/eats.sh 'sh -c "(while :; do :; done) & wait"'
runs 1 'too much processor time' env PAWL_TEST_CPU=1 tests/run room/eats
like 'of what a test started ends it' "$T/out" 'used [1-9] s of processor time, 1 are allowed'
script cli/room/waits.sh "sleep 4821.$$ & sleep 1.5; result 0 three"
runs 0 'waiting is no use of it' env PAWL_TEST_CPU=1 tests/run room/waits
check 'what a test leaves running is ended' not running "^sleep 4821.$$"
script cli/room/waits.sh "sleep 4822.$$; result 0 three"
runs 1 'the wall clock' env PAWL_TEST_WALL=1 tests/run room/waits
like 'ends only what hangs, and says so' "$T/out" 'it waits for something that does not come'
check 'with all that it started' not running "^sleep 4822.$$"
script cli/room/waits.sh "sh -c 'kill -HUP \$\$'; is hung-up \$? 129"
runs 0 'what ignores a signal' sh -c 'trap "" HUP; exec tests/run room/waits'
is 'does not hand that on' "$(tail -n 1 "$T/out")" '1 passed, 0 failed, 0 skipped'
rm tests/cli/room/eats.sh tests/cli/room/waits.sh

# ---- the long forms ----------------------------------------------------------------------------

script cli/room/long.sh 'is slow "$PAWL_TEST_SLOW" 1; check file test -e file'
runs 1 'tests/slow' tests/slow room/ hw/
is 'runs the long forms' "$(tail -n 1 "$T/out")" '5 passed, 1 failed, 2 skipped'
like 'and shows a table' "$T/out" '^ +1 +1 +0 +[0-9]+  tests/cli/room/long.sh$'
cp "$T/out" "$T/first"
runs 1 'once more' tests/slow room/ hw/
is 'goes on with what has not run or passed' "$(sed -n 's/^[a-zA-Z][a-zA-Z]* \([^:]*\): .*/\1/p' "$T/out" | sort | tr '\n' ' ')" \
	'tests/cli/room/long.sh tests/cli/room/same.sh '
is 'and counts what has' "$(tail -n 1 "$T/out")" '5 passed, 1 failed, 2 skipped'
like 'which it says' "$T/err" 'going on: 3 tests have passed'
echo 'ok 7 - made' >file
runs 0 'a tree that changed' tests/slow room/ hw/
like 'starts over' "$T/err" 'another one than last time: starting over'
is 'with every test' "$(grep -c '^pass' "$T/out")" 5
is 'to its end' "$(tail -n 1 "$T/out")" '6 passed, 0 failed, 2 skipped'
runs 0 'when all have passed' tests/slow room/part
is 'nothing is run' "$(grep -c '^pass' "$T/out")" 0
runs 0 'FRESH=1' env FRESH=1 tests/slow room/part
is 'runs it again' "$(grep -c '^pass' "$T/out")" 1
