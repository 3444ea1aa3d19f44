# What the machine was at fault for does not stay with a bisection.
. "$(dirname "$0")/../../../lib.sh"

# 100 ms, and 120 from the culprit on, which has `mid`: there the machine fails while a file is there.
new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >.pawlconfig <<END
[pawl]
	project = demo
	build = sh ./build.sh
	runs = 12..12
[benchmark "b"]
	command = ./bench.sh
	format = lnt
END
cat >build.sh <<END
if [ -f mid ] && [ -f '$T/no-network' ]; then
	echo 'fatal: unable to access: Could not resolve host: example.invalid'
	exit 1
fi
END
cat >bench.sh <<END
#!/bin/bash
here=\${0%/*}
[ ! -f "\$here/mid" ] || [ ! -f '$T/no-memory' ] || exit 137
ms=100
[ ! -f "\$here/slow" ] || ms=120
awk -v t="\$ms" -v r=\$((RANDOM % 1000)) 'BEGIN{printf "x.exec %.9f\\n", t/1000*(1+(r-500)/50000)}'
END
chmod +x bench.sh
commit_all . 'good'
git tag good
echo a >a
commit_all . 'a'
touch mid slow
commit_all . 'culprit'
culprit=$(git rev-parse HEAD)
git rm -q mid
commit_all . 'c'
echo d >d
commit_all . 'd'

for fault in no-network no-memory; do
	touch "$T/$fault"
	runs 0 "with $fault" pawl bisect good HEAD --quick --benchmark b/x
	like 'one cannot be measured' "$T/out" "^$(printf %.12s "$culprit")  skip "
	like 'and the answer is a range' "$T/out" 'moved in one or more of these 2 commits'
	rm "$T/$fault"
	runs 0 'the same command later' pawl bisect good HEAD --quick --benchmark b/x
	like 'finds the commit' "$T/out" "^commit $culprit\$"
	like 'with what was measured before' "$T/err" 'going on with [1-9][0-9]* comparisons from before'
	pawl bisect --reset
done
