# Row 53: a commit that was rewritten: its results stay, are found by its id, and are never taken for the new one's.
# See: tests/unit/lib/config/test_config_accepted_range.c: rebased_commit_is_known_by_subject_and_time
. "$(dirname "$0")/../lib.sh"

new_stored_repo "$T/repo"
mkdir -p .git/pawl
echo "$head $base paired 200 1700000000 two" | "$BUILD/helpers/history" .git/pawl/results.db proj 0123456789abcdef 7
old=$head
runs 1 'the result of a commit' pawl report --project proj
git commit -q --amend --allow-empty -m 'two, said better'
check 'which gets another id' [ "$(git rev-parse HEAD)" != "$old" ]
runs 5 'is not that of the new one' pawl report --project proj HEAD
runs 1 'but is shown by its id' pawl report --project proj "$old"
git reflog expire --expire=now --all
git gc -q --prune=now
check 'also when git has thrown the commit away' sh -c "! git cat-file -e $old 2>/dev/null"
runs 0 'the store is sound' pawl fsck
pawl report --project proj >"$T/out" 2>"$T/err"
status=$?
check "the answer for HEAD is another commit's or none ($status)" [ "$status" -ne 1 ] 
