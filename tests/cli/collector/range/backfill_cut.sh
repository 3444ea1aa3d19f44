# A range of which some benchmarks of a section were measured, and then others.
. "$(dirname "$0")/../../../lib.sh"

# x takes 100 ms always, y more with each commit; with 1 % of scatter.
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
. "${0%/*}/y.sh"
awk -v y="$y" -v r=$((RANDOM % 1000)) -v q=$((RANDOM % 1000)) 'BEGIN {
	printf "x.exec %.9f\n", 0.1*(1+(q-500)/50000)
	printf "y.exec %.9f\n", y/1000*(1+(r-500)/50000)
}'
END
chmod +x bench.sh
for y in 100 120 150; do
	echo "y=$y" >y.sh
	commit_all . "y takes $y ms"
done
git tag first HEAD~2

runs 0 'one benchmark of the section' pawl backfill first..HEAD -b b/x
like 'is measured' "$T/out" ' [1-9] comparisons? now'
runs 0 'the same again' pawl backfill first..HEAD -b b/x
like 'is not measured anew' "$T/out" ' 0 comparisons now'
runs 0 'the other one' pawl backfill first..HEAD -b b/y
like 'is measured, too' "$T/out" ' [1-9] comparisons? now'
runs 1 'and is in the history' pawl history b/y
like 'with both steps' "$T/out" '2 moved it'
runs 0 'the section' pawl backfill first..HEAD -b b
like 'is more than each of them' "$T/out" ' [1-9] comparisons? now'
runs 0 'the section again' pawl backfill first..HEAD -b b
like 'is not measured anew either' "$T/out" ' 0 comparisons now'
runs 0 'one of it' pawl backfill first..HEAD -b b/y
like 'is part of it' "$T/out" ' 0 comparisons now'
runs 0 'all benchmarks' pawl backfill first..HEAD
like 'may be more than what was asked for' "$T/out" ' [1-9] comparisons? now'
runs 0 'all of them again' pawl backfill first..HEAD
like 'are there' "$T/out" ' 0 comparisons now'
# As other machines do it.
ids=$(for c in first HEAD~1 HEAD; do git rev-parse --short=12 $c; done | paste -sd, -)
runs 0 'a part of one benchmark' pawl backfill --part="$ids" --files="$T/parts" -b b/x
runs 4 'joined for all' pawl backfill first..HEAD --files="$T/parts" --join
like 'it is left out' "$T/err" '2 files are left out: without some benchmarks'
runs 0 'joined for that one' pawl backfill first..HEAD --files="$T/parts" --join -b b/x
like 'nothing is missing' "$T/out" ', 0 missing'

# Where no result has the other one yet, nothing but what was asked for tells that there is one.
rm -rf .git/pawl/results.db "$T/parts"
runs 0 'one benchmark, in an empty store' pawl backfill first..HEAD -b b/x
runs 0 'then its section' pawl backfill first..HEAD -b b
like 'is measured' "$T/out" ' [1-9] comparisons? now'
runs 1 'with the other one' pawl history b/y
like 'and both steps' "$T/out" '2 moved it'
runs 0 'a part of one benchmark' pawl backfill --part="$ids" --files="$T/parts" -b b/x
rm -rf .git/pawl/results.db
runs 4 'joined for the section' pawl backfill first..HEAD --files="$T/parts" --join -b b
like 'both are missing' "$T/out" ', 2 missing$'
like 'and left out' "$T/err" '2 files are left out: without some benchmarks'
runs 0 'joined for the one' pawl backfill first..HEAD --files="$T/parts" --join -b b/x
like 'both are there' "$T/out" ', 0 missing$'

# What one command line measured is whole, whatever the configuration has.
runs 0 'a command' pawl backfill first..HEAD -- ./bench.sh
runs 0 'a command again' pawl backfill first..HEAD -- ./bench.sh
like 'is not measured anew' "$T/out" ' 0 comparisons now'
