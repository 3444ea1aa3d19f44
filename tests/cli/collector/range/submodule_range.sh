# A range of which some pairs move a submodule, and others do not: all are built alike.
. "$(dirname "$0")/../../../lib.sh"

export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
new_repo "$T/sub"
echo 1 >"$T/sub/data"
commit_all "$T/sub" 'data'
echo 2 >"$T/sub/docs"
commit_all "$T/sub" 'docs'

# 100 ms, and 120 with what is in the submodule, once it is used.
new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	build = true
	runs = 12..12
[benchmark "b"]
	command = ./bench.sh
	format = lnt
END
cat >bench.sh <<'END'
#!/bin/bash
here=${0%/*}
ms=100
[ ! -f "$here/uses" ] || [ ! -f "$here/sub/data" ] || ms=120
awk -v t="$ms" -v r=$((RANDOM % 1000)) 'BEGIN{printf "x.exec %.9f\n", t/1000*(1+(r-500)/50000)}'
END
chmod +x bench.sh
git submodule --quiet add "$T/sub" sub
git -C sub checkout -q HEAD~1
commit_all . 'with a submodule'
git tag good
echo a >a
commit_all . 'a'
echo uses >uses
commit_all . 'culprit: slow with the submodule'
culprit=$(git rev-parse HEAD)
echo b >b
commit_all . 'b'
git -C sub checkout -q main
commit_all . 'the submodule moves, docs only'
echo c >c
commit_all . 'c'

runs 0 'a submodule that moves later' pawl bisect good HEAD --quick --benchmark b/x
like 'hides no commit before' "$T/out" "^commit $culprit\$"
like 'all are built with it' "$T/err" 'a submodule moves in these commits: all are built with submodules'
like 'what to do next, too' "$T/out" '^look further: pawl why .* --submodules$'
runs 0 'every commit' pawl bisect good HEAD --quick --benchmark b/x --steps
like 'one moved it' "$T/out" '^1 of 5 commits moved b/x'
like 'the same' "$T/out" "^    $(printf %.12s "$culprit")  "
runs 0 'a backfill' pawl backfill good..HEAD
runs 1 'has a history' pawl history b/x --json
is 'with the same step' \
	"$(json "$T/out" '[p["commit"] for p in d["points"] if p["verdict"] == "regressed"]')" "['$culprit']"
git config pawl.submodules false
runs 0 'without any submodule' pawl bisect good HEAD --quick --benchmark b/x
like 'there is no change' "$T/out" 'b/x: no change between GOOD and BAD'
git config --unset pawl.submodules

# ---- where it is not here, and then it is ----------------------------------------------------------

git clone -q "$T/repo" "$T/clone"
cd "$T/clone" || exit 1
runs 4 'without the submodule' pawl bisect good HEAD --quick --benchmark b/x
like 'nothing can be measured' "$T/out" "submodule 'sub' moved and is not here"
runs 0 'between commits that do not move it' pawl bisect good HEAD~2 --quick --benchmark b/x --submodules
like 'there is no change' "$T/out" 'b/x: no change between GOOD and BAD'
like 'it is told that this is not kept' "$T/err" 'not here are not kept for the next call$'
git submodule --quiet update --init
runs 0 'with it' pawl bisect good HEAD --quick --benchmark b/x
like 'the commit is found' "$T/out" "^commit $culprit\$"
runs 0 'and between those' pawl bisect good HEAD~2 --quick --benchmark b/x --submodules
like 'too' "$T/out" "^commit $culprit\$"

# ---- a backfill of several calls -------------------------------------------------------------------

# The commits of which the history says that they are slower.
slower() {
	pawl history b/x --json >"$T/history"
	json "$T/history" '[p["commit"] for p in d["points"] if p["verdict"] == "regressed"]'
}
cd "$T/repo" || exit 1
rm -rf .git/pawl/results.db
runs 0 'of commits before the one that moves it' pawl backfill good..HEAD~2
runs 0 'then of all' pawl backfill good..HEAD
like 'those are measured again' "$T/err" 'of another build, or another command: measured again$'
is 'and the step is there' "$(slower)" "['$culprit']"
runs 0 'of those before, once more' pawl backfill good..HEAD~2
like 'nothing is measured' "$T/out" ' 0 comparisons now'

rm -rf .git/pawl/results.db
runs 0 'in two parts' pawl backfill good..HEAD --matrix 2
json "$T/out" '"\n".join(p["commits"] for p in d["include"])' >"$T/parts"
is 'that are built alike' "$(grep -c '^submodules:' "$T/parts") of $(wc -l <"$T/parts")" '2 of 2'
while read -r part; do
	runs 0 'one of them' pawl backfill --part "$part" --files "$T/files"
done <"$T/parts"
rm -rf .git/pawl/results.db
runs 0 'joined' pawl backfill good..HEAD --join --files "$T/files"
like 'nothing is missing' "$T/out" ', 0 missing$'
is 'the step is there' "$(slower)" "['$culprit']"

git clone -q "$T/repo" "$T/later"
cd "$T/later" || exit 1
runs 0 'where it is not here' pawl backfill good..HEAD
unlike 'no commit is at fault' "$T/out" '^left out, as'
runs 0 'and again' pawl backfill good..HEAD
like 'nothing is measured twice' "$T/out" ' 0 comparisons now'
git submodule --quiet update --init
runs 0 'and then it is' pawl backfill good..HEAD
unlike 'nothing of before counts' "$T/out" ' 0 comparisons now'
is 'the step is there' "$(slower)" "['$culprit']"
