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
make_ledger
# Import and migrate alone make 55,000, most of them SQLite's own, the same ones for each row.
loop_of ledger 'nor a command of pawld' 2 4000 memory all
loop_of served 'nor pawld while it takes and gives' 3 40
