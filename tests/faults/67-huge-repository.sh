# Row 67: 20,000 files and 10,000 references: it is collected, its state is known, and nothing takes long.
# Slow: the repository takes seconds to make.
. "$(dirname "$0")/../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
awk 'BEGIN {
	print "commit refs/heads/main\ncommitter T <t@t.invalid> 1700000000 +0000\ndata 3\none"
	for (i = 0; i < 20000; i++)
		printf "M 644 inline d%d/f%d\ndata 2\nx\n\n", i % 200, i
	for (i = 0; i < 10000; i++)
		printf "reset refs/tags/t%d\nfrom refs/heads/main\n\n", i
	print "done"
}' | git fast-import --quiet --done 2>"$T/err" || cat "$T/err"
git reset -q --hard main
printf '[benchmark "x"]\n\tcommand = true\n' >.pawlconfig
commit_all . two
runs 0 'it is collected' pawl collect --no-push --runs 2..2
runs 0 'and is clean' pawl report --json
is 'as git says' "$(json "$T/out" 'd["commit"]["dirty"]')" False
echo more >d7/f7
runs 0 'a change among its files' pawl collect --no-push --runs 2..2 --json
is 'is seen' "$(json "$T/out" 'd["commit"]["dirty"]')" True
runs 0 'its history is walked' pawl history --json
