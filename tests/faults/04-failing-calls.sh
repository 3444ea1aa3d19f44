# Row 4: a system call fails (EIO of fsync, no space, no descriptors, ...), or a statement: told, nothing lost, no wrong answer.
. "$(dirname "$0")/loop_lib"

# The tests of both stores, in which each call is first made once for each of its statements, with that failing; those
# that take minutes (their statements fail by the hundred thousand) in the long form.
statements='store store_damaged store_index store_open queue visit migrate alerts alerts_accept alerts_chain alerts_order
	alerts_retract outbox ledger ledger_compare ledger_history ledger_order ledger_units ledger_trust'
[ -z "${PAWL_TEST_SLOW:-}" ] || statements="$statements ledger_fold_steps ledger_fsck ledger_fsck_moved
	ledger_mended ledger_retract lists move_same watch watch_creep watch_gone watch_retract"
for name in $statements; do
	PAWL_TEST_STATEMENTS=fail "$BUILD/tests/test_store_$name" >"$T/statements" 2>&1
	result $? "each statement fails first: test_store_$name" "$(cat "$T/statements")"
	sed -n 's/^statements: /# /p' "$T/statements"
done

case $BUILD in
*asan*)
	skip 'failing calls' 'the sanitizer ends a program that gets no memory'
	exit 0
	;;
esac
"$STEP" count "$T/count" 0 true
if [ $? -eq 125 ]; then
	skip 'failing calls' 'no process may be traced here, or its calls are not known'
	exit 0
fi
start_bad_server
all=
[ -z "${PAWL_TEST_SLOW:-}" ] || all=--all-errors
loop 'no answer is another one without a word' 3 1000000 calls report json history fsck export $all
loop 'no result is lost or stored in silence' 2 1000000 calls import repair push $all
[ "${PAWL_TEST_SLOW:-}" = 2 ] && every=$all || every=
loop 'a collection neither' 2 1200 calls collect $every
loop 'nor a comparison or a hook' 1 1200 calls compare hook $every
make_ledger
loop_of ledger 'nor a command of pawld' 1 1000000 calls all $all
. "$ROOT/tests/faults/rich_lib"
rich_repo
loop 'nor what is accepted in a file that is committed' 3 400 calls hooks accept
