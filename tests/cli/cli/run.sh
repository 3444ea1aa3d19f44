# tests/run itself: it counts what ran, and names what did not.
. "$(dirname "$0")/../../lib.sh"

mkdir -p "$T/a b/tests/cli/room" "$T/a b/tests/hw" "$T/a b/build/tests"
cd "$T/a b" || exit 1
cp "$ROOT/tests/run" "$ROOT/tests/run-one" "$ROOT/tests/lib.sh" tests
# script NAME LINE
script() {
	printf '. tests/lib.sh\n%s\n' "$2" >"tests/$1"
}
script cli/room/same.sh "skip one 'no room'"
script hw/same.sh 'result 0 two; sleep 0.2; result 0 three'
printf '#!/bin/sh\necho ok 1\n' >build/tests/test_program
chmod +x build/tests/test_program
runs 0 'a folder with a blank' env BUILD=build PAWL_TEST_JOBS=2 tests/run
is 'all are counted, also two of one name' "$(tail -n 1 "$T/out")" '3 passed, 0 failed, 1 skipped'
like 'with the reason of a skip' "$T/out" 'skipped: one # SKIP no room'

script cli/room/bad.sh 'result 1 four'
script cli/room/dead.sh 'kill -KILL $$'
script cli/room/mute.sh ':'
runs 1 'failures' env BUILD=build tests/run cli/room/bad cli/room/dead cli/room/mute
is 'are counted' "$(tail -n 1 "$T/out")" '0 passed, 3 failed, 0 skipped'
like 'a killed one is named' "$T/out" 'cli/room/dead.sh ended with status 137'
like 'and one that asserts nothing' "$T/out" 'cli/room/mute.sh asserted nothing'
script cli/room/gone.sh 'kill -KILL $(cut -d " " -f 4 /proc/$PPID/stat); sleep 0.2' # tests/run-one
runs 1 'without the one who tells' env BUILD=build tests/run cli/room/gone
like 'it is named all the same' "$T/out" '^FAIL tests/cli/room/gone.sh: it did not run'
runs 1 'nothing that is called so' env BUILD=build tests/run nowhere
is 'is no success' "$(tail -n 1 "$T/out")" '0 passed, 0 failed, 0 skipped'
