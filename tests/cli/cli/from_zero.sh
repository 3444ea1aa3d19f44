# A counter that was 0 has no ratio to stored samples: where it looks worse, pawl collect builds the base.
. "$(dirname "$0")/../../lib.sh"

# counts N [BUILD]: what the benchmark counts
counts() {
	cat >.pawlconfig <<END
[pawl]
	project = demo
	runs = 12..12
	minTime = 1ms
	build = ${2:-true}
[benchmark "cache"]
	command = ./hits.sh
	format = lnt
	metric = hits
END
	printf '#!/bin/sh\necho a.hits %s\n' "$1" >hits.sh
	chmod +x hits.sh
	commit_all . "counts $1"
}

new_repo "$T/repo"
cd "$T/repo" || exit 1
counts 0
runs 0 'nothing is counted' pawl collect
echo text >README
commit_all . 'words'
runs 0 'nor by the next commit' pawl collect
unlike 'for which nothing is built' "$T/err" 'building'
counts 7
runs 1 'from 0 to 7 is a regression' pawl collect
like 'found side by side' "$T/out" 'cache/a +0 +7 +\+7 .* regressed'
counts 0
runs 0 'and back' pawl collect
unlike 'is worth no build' "$T/err" 'building'
like 'nor a verdict' "$T/out" 'some samples are zero: no ratio to the stored ones'
