# What a collection compares by building another commit: the last tag, and a base that
# stored samples say nothing of.
. "$(dirname "$0")/../../../lib.sh"

new_work_repo "$T/repo" steps
cd "$T/repo" || exit 1

# ---- the last tag ----------------------------------------------------------------------------

set_work 1000 one
runs 0 'without a tag' pawl collect --since-tag
like 'there is nothing to hold it against' "$T/err" 'no tag below'
git tag v1
set_work 1500 'slower'
runs 1 'half as much again' pawl collect -q
echo text >README
commit_all . 'a document'
runs 0 'the next commit is identical' pawl collect -q
runs 1 'but not since the tag' pawl collect --since-tag
like 'which is named' "$T/err" 'since the last tag, v1'
like 'the step before it is none' "$T/out" 'work/chain .*identical'
like 'the whole is' "$T/out" 'work/chain .*regressed'
runs 0 'as much may be allowed' env PAWL_CREEP=100% pawl collect -q --since-tag
runs 1 'JSON has the same status' pawl collect --json --since-tag
valid 'and is one document' "$T/out"
runs 2 'no time' pawl collect --since-tag --budget soon
runs 0 'accepted' pawl accept HEAD~1 --benchmark work/chain --because 'the new table is worth it'
commit_all . 'accept it'
runs 0 'it is no reason to stop any more' pawl collect --since-tag
like 'and says why' "$T/out" 'the new table is worth it'

runs 0 'the history does not stop either' pawl history work/chain
like 'and says why' "$T/out" 'the new table is worth it'

# ---- a base that is not in the cache any more ------------------------------------------------------------------------------

# By time: stored samples of a counter can be held against any.
sed -i '/metric = steps/d' .pawlconfig
set_work 6000 'four times the work'
rm -rf .git/pawl/cache
make -s
cp -r . "$T/copy"
(cd "$T/copy" && pawl collect --no-build) >"$T/out" 2>&1
is 'without a build it cannot be compared' "$?" 0
like 'and is told so' "$T/out" 'work/chain .*(no-baseline|inconclusive|suspect)'
runs 1 'with one the base is built and run side by side' pawl collect --json
is 'which was done' "$(json "$T/out" 'd["benchmarks"][0]["baseline_how"] or d["baseline"]["how"]')" rebuilt
is 'and is a verdict' "$(json "$T/out" 'd["benchmarks"][0]["verdict"]')" regressed
valid 'the document fits the schema' "$T/out"
runs 1 'it is stored' pawl report

# ---- a clone that ends early ------------------------------------------------------------------------

new_repo "$T/whole"
cd "$T/whole" || exit 1
printf '[benchmark "true"]\n\tcommand = true\n' >.pawlconfig
commit_all . one
git tag v1
echo text >README
commit_all . two
git clone -q --depth 1 "file://$T/whole" "$T/early"
cd "$T/early" || exit 1
runs 0 'a clone without the tagged commit' pawl collect --runs 2..2 --since-tag
like 'says that it ends early' "$T/err" '^pawl: warning: this clone ends early, and there is no tag below '
like 'with the cure' "$T/err" '^hint: git fetch --tags --unshallow$'
