# Row 10: no memory, once or from some point on: an error that says so, or the right answer, and a sound store.
. "$(dirname "$0")/loop_lib"

case $BUILD in
*asan*)
	skip 'no memory' 'the sanitizer has an allocator of its own'
	exit 0
	;;
esac
${CC:-cc} -shared -fPIC -O1 -o "$T/nomem.so" "$ROOT/tests/faults/nomem.c" -ldl || exit 1
export PRELOAD="$T/nomem.so"
start_bad_server
loop 'no answer is another one without a word' 5 1000000 memory report json history fsck export
loop 'no result is lost or stored in silence' 3 1000000 memory import repair push
loop 'of whatever format it is imported' 1 1000000 memory imports
loop 'a collection neither' 3 400 memory collect
loop 'nor a comparison or a hook' 1 400 memory compare hook
git update-ref refs/remotes/origin/main HEAD~1
loop 'nor one of a new branch' 1 400 memory hook-new --places --near 6
make_ledger
# Import and migrate alone make 55,000, most of them SQLite's own, the same ones for each row.
loop_of ledger 'nor a command of pawld' 2 4000 memory all
loop_of served 'nor pawld while it takes and gives' 3 40

# What reads all else: where a few calls were those of a command before, they are not tried again.
. "$ROOT/tests/faults/rich_lib"
rich_repo
loop 'nothing is accepted that was not said, nor alike what is not' 2 400 memory accepted hooks accept alike --places --near 6
loop 'no file is left out, and nothing let pass that is not accepted' 2 400 memory working rich --places --near 6
case ${PAWL_TEST_SLOW:-}$BUILD in [12]* | *coverage)
	loop 'nor where it was built and compared before' 1 400 memory again sides init --places --near 6
	;;
esac
unset GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS
line_repo
loop 'no change point is another one without a word' 1 400 memory steps --places --near 6
if wide_repo; then
	loop 'nor what git has to be asked for' 1 400 memory report collect --places --near 6
else
	skip 'long ids' 'git has none'
fi
