# What a push is stopped for: a regression, also beside a benchmark that fails, and nothing else.
. "$(dirname "$0")/../../lib.sh"

git init -q --bare "$T/remote.git"
new_repo "$T/repo"
cd "$T/repo" || exit 1
hits 1000000
printf '[benchmark "other"]\n\tcommand = ./other.sh\n' >>.pawlconfig
printf '#!/bin/sh\nexit "$(cat status)"\n' >other.sh
chmod +x other.sh
echo 0 >status
commit_all . 'one'
git remote add origin "$T/remote.git"
git push -q origin HEAD:main
export PAWL_MIN_TIME=1ms
git config pawl.hook.block true
git config pawl.hook.budget 20m # it may wait for others who measure
pawl hook install >/dev/null

echo 3 >status
commit_all . 'one that fails'
runs 0 'a benchmark that fails stops no push' git push origin HEAD:main
like 'it is said' "$T/err" '^pawl: main: a build or a benchmark failed; the push goes on$'
hits 4000000
printf '[benchmark "other"]\n\tcommand = ./other.sh\n' >>.pawlconfig
commit_all . 'slower, and still failing'
runs 1 'a regression beside it does' git push origin HEAD:main
like 'which is in the table' "$T/err" 'cache/a .*regressed'
like 'both are said' "$T/err" '^pawl: main: a build or a benchmark failed$'
like 'and that it is stopped' "$T/err" '^pawl: the push is stopped'
like 'with what accepts it' "$T/err" '^pawl: to accept this change: pawl accept '
pawl accept HEAD --all --because 'wanted' >/dev/null
commit_all . 'accept it'
runs 0 'what is accepted does not' git push origin HEAD:main

mkdir conf
git mv .pawlconfig conf/pawl
git mv .pawlaccepted conf/accepted
ln -s conf/pawl .pawlconfig
ln -s conf/accepted .pawlaccepted
commit_all . 'pawl keeps its files elsewhere'
runs 0 'what is accepted in a linked file does not' git push origin HEAD:main
hits 16000000
git checkout -q conf/pawl
commit_all . 'slower again'
runs 1 'a regression of a project whose configuration is a link does' git push origin HEAD:main
like 'as one that is in the table' "$T/err" 'cache/a .*regressed'
git rm -q --cached conf/pawl
git commit -q -m 'a link to nothing'
runs 0 'a link to nothing that is pushed does not' git push origin HEAD:main
like 'it is said' "$T/err" "^pawl: error: '.pawlconfig' of [0-9a-f]{12} is a link to nothing that the commit has"
like 'and that nothing was compared' "$T/err" '^pawl: main: not compared; the push goes on'
