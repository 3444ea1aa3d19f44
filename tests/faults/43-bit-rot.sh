# Row 43: a bit of a value flipped: passed over with a word, never a baseline.
# See: tests/cli/reporter/damaged.sh: which is told, by its name
# See: tests/cli/reporter/damaged.sh: collect tells what it did not compare with
# See: tests/unit/lib/store/local/test_store_store_damaged.c: damaged_row_is_passed_over_and_never_a_baseline
. "$(dirname "$0")/loop_lib"

loop 'of a damaged store every answer is the true one or says that it is not' 6 1000 damage report json history export fsck
values_repo
loop 'nor are damaged receipts and kept comparisons another answer' 2 1000 damage receipt kept
loop 'nor the notes of built trees' 1 500 damage built
if slow_only 'nor kept bisections, cached programs, recorded links and layouts'; then
	loop 'nor kept bisections and cached programs' 1 500 damage bisected cached
	loop 'nor recorded links, kept layouts, and the wrappers that recorded them' 1 300 damage linked
fi
