# A project that is called otherwise than it was: a remote was added, or the folder renamed.
. "$(dirname "$0")/../../lib.sh"

new_stored_repo "$T/repo"
mkdir -p .git/pawl
for permille in 0 5; do
	echo "$head $base paired $permille 1700000000 two"
done | "$BUILD/helpers/history" .git/pawl/results.db proj 0123456789abcdef 7

for command in report 'report HEAD~1..HEAD' history 'history list' 'site .site' 'export --format lnt' 'export --format csv HEAD~1..HEAD'; do
	# shellcheck disable=SC2086
	runs 5 "$command: it has no result" pawl $command
	like '  the error says which project has' "$T/err" "the results here are of project 'proj', and this is 'repo'"
done
runs 0 'as it says' pawl report --project proj
printf '[pawl]\n\tproject = proj\n' >.pawlconfig
runs 0 'or' pawl report
git remote add origin https://forge.invalid/team/other.git
runs 0 'which a remote does not change' pawl report
rm .pawlconfig

# Where the project has some result, others are not spoken of.
echo "$base $base paired 0 1690000000 one" | "$BUILD/helpers/history" .git/pawl/results.db other 0123456789abcdef 7
runs 5 'this commit has none' pawl report
unlike '  and it is told to collect' "$T/err" "project 'proj'"
