# Finding the commit where branches were forked before GOOD.
. "$(dirname "$0")/../../../lib.sh"

# Commits that print a known time, with 1 % of scatter: old.sh says it, new.sh comes after it.
new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	build = true
[benchmark "b"]
	command = ./bench.sh
	format = lnt
END
cat >bench.sh <<'END'
#!/bin/bash
here=${0%/*}
. "$here/old.sh"
[ ! -f "$here/new.sh" ] || . "$here/new.sh"
awk -v t="$ms" -v r=$((RANDOM % 1000)) 'BEGIN{printf "x.exec %.9f\n", t/1000*(1+(r-500)/50000)}'
END
chmod +x bench.sh
echo ms=120 >old.sh
commit_all . 'old'
git branch side
echo ms=100 >new.sh
commit_all . 'good'
git tag good
echo ms=110 >new.sh
commit_all . 'culprit'
culprit=$(git rev-parse HEAD)
git checkout -q side
echo ms=132 >old.sh
commit_all . 'slower, and beside it'
for n in 2 3 4; do
	echo "$n" >"side$n"
	commit_all . "side $n"
done
git checkout -q main
git merge -q --no-edit side
echo after >after
commit_all . 'after'

runs 0 'a slower side from before GOOD' pawl bisect good HEAD --quick --benchmark b/x
like 'is not blamed: the commit on main is' "$T/out" "^commit $culprit\$"
unlike 'and its commits are not compared with GOOD' "$T/out" '(good|bad) .* side'
runs 0 'as a document' pawl bisect good HEAD --quick --benchmark b/x --json
is 'it is confirmed against its parent' \
	"$(json "$T/out" 'd["outcome"], d["commit"]["parent"], d["commits"]')" \
	"('found', '$(git rev-parse good)', 7)"
runs 0 'every commit of the main line' \
	pawl bisect good main --quick --benchmark b/x --steps
like 'every commit says the same' "$T/out" '^1 of 3 commits moved b/x:'
runs 2 'every commit, from one that is not on the main line' \
	pawl bisect side~1 HEAD --quick --benchmark b/x --steps
like 'is refused in so many words' "$T/err" \
	"error: GOOD \($(git rev-parse --short=12 side~1)\) is not on the main line of BAD"
like 'with a cure' "$T/err" '^hint: name a commit that .*--first-parent'

# The side has it: main has no new.sh.
git checkout -q -b other side~4
echo docs >docs
commit_all . 'good here'
git tag other-good
git merge -q --no-edit --no-ff side
echo 6 >six
commit_all . 'six'
runs 0 'a side from before GOOD that has the change' pawl bisect other-good HEAD --quick --benchmark b/x
like 'is searched from its merge base on' "$T/out" "^commit $(git rev-parse side~3)\$"
like 'and the commit is confirmed' "$T/out" \
	"^$(git rev-parse --short=12 side~4)\.\.$(git rev-parse --short=12 side~3)  .*  confirmed\$"
