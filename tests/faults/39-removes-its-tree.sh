# Row 39: a benchmark that removes the tree it runs in: the repository stays as it is, and the next comparison too.
. "$(dirname "$0")/../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '#!/bin/sh\nrm -rf ./* ./.git ./.pawlconfig\n' >rm.sh
chmod +x rm.sh
printf '[pawl]\n\tbuild = true\n\truns = 12..12\n[benchmark "rm"]\n\tcommand = ./rm.sh\n' >.pawlconfig
commit_all . one
echo '# two' >>rm.sh
commit_all . two
git rev-parse HEAD >"$T/before"
find . -path ./.git/pawl -prune -o -path ./.git/objects -prune -o -type f -print | sort >"$T/files"
pawl compare --quick >"$T/out" 2>"$T/err"
status=$?
check "it is measured, or failed, in its own folder ($status)" [ "$status" -le 4 ]
git rev-parse HEAD >"$T/after"
check 'the commit is the same' cmp "$T/before" "$T/after"
find . -path ./.git/pawl -prune -o -path ./.git/objects -prune -o -type f -print | sort >"$T/now"
check 'no file of the repository is gone' cmp "$T/files" "$T/now"
is 'nothing differs' "$(git status --porcelain)" ''
is 'no work tree is left registered' "$(git worktree list | wc -l)" 1
# A kept tree of which files are gone would be another program.
printf '#!/bin/sh\ncat rm.sh >/dev/null\n' >cat.sh
git config pawl.runs 12..12
pawl compare --quick -- cat rm.sh >"$T/out" 2>"$T/err"
status=$?
check "the next comparison finds its files ($status)" [ "$status" -le 1 ]
