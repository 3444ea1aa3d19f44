# Which branch a comparison says that its head is of.
. "$(dirname "$0")/../../lib.sh"

new_work_repo "$T/repo"
cd "$T/repo" || exit 1
set_work 1000 'one'
commit_all . 'two'
git checkout -q -b other
commit_all . 'three'
git checkout -q main
runs 0 'a branch that is not checked out' pawl compare main..other
like 'is named as it was typed' "$T/out" '"three" on other$'
runs 0 'an id' pawl compare "main..$(git rev-parse other)"
like 'is of no branch that is known, and nothing is said of one' "$T/out" '"three"$'
runs 0 'unless it is said' pawl compare --branch topic "main..$(git rev-parse other)"
like 'which it is of' "$T/out" '"three" on topic$'
runs 0 'HEAD' pawl compare
like 'is of the branch that is checked out' "$T/out" '"two" on main$'
