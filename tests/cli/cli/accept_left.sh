# What pawl accept does not accept: names that only begin alike, and what --all cannot, which it says.
. "$(dirname "$0")/../../lib.sh"

# counts A B C Z: what the four benchmarks count, a little above that, but for the last
counts() {
	cat >hits.sh <<END
#!/bin/sh
more() { echo \$((\$1 + \$(od -An -N1 -tu1 /dev/urandom))); }
echo "a.hits \$(more $1)"
echo "b<int*>.hits \$(more $2)"
echo "b<intx>.hits \$(more $3)"
echo "z.hits $4"
END
	chmod +x hits.sh
	commit_all . "$*"
}

# verdicts: those of the last comparison, as it is shown now
verdicts() {
	pawl report --last --json >"$T/last.json" 2>/dev/null
	json "$T/last.json" '" ".join(b["name"][6:] + ("+" if b.get("accepted") else "-") for b in d["benchmarks"])'
}

new_repo "$T/repo"
cd "$T/repo" || exit 1
hits 0
counts 1000000 1000000 1000000 0
counts 2000000 2000000 9000000 70
id=$(git rev-parse HEAD)
slow=$(git rev-parse --short=12 HEAD)
# shellcheck disable=SC2086
runs 1 'four count more' pawl compare $quick

# ---- a '*' within a name ---------------------------------------------------------------------

runs 2 "a '*' stands for the rest of a name at its end alone" pawl accept HEAD --benchmark 'cache/*x>' --because x
like 'elsewhere it names what is not there' "$T/err" "^pawl: error: no benchmark 'cache/\*x>' is configured or has"
runs 0 'within it is a part of the name' pawl accept HEAD --benchmark 'cache/b<int*>' --because x
like 'whose own size is accepted' "$T/out" "^accepted $slow for 'cache/b<int\*>', \+100(\.[0-9])?% of hits;"
is 'and no other' "$(verdicts)" 'a- b<int*>+ b<intx>- z-'

# ---- all ------------------------------------------------------------------------------------

cp .pawlaccepted "$T/accepted"
runs 5 'one from nothing to something has no ratio' pawl accept HEAD --all --because y
like 'which is said' "$T/err" "^pawl: error: no ratio says how much worse 'cache/z' got\$"
like 'with what to do' "$T/err" "^hint: .*pawl accept $slow --benchmark cache/z --change any --because WHY\$"
check 'and nothing is written' cmp -s .pawlaccepted "$T/accepted"
runs 0 'it is accepted alone' pawl accept HEAD --benchmark cache/z --change any --because x
runs 0 'and all others' pawl accept HEAD --all --because y
is 'then all are' "$(verdicts)" 'a+ b<int*>+ b<intx>+ z+'
# shellcheck disable=SC2086
pawl compare $quick >/dev/null 2>&1
mv .pawlaccepted "$T/all"
cp "$T/accepted" .pawlaccepted
runs 5 'an entry that is taken back is missed again' pawl accept HEAD --all --because y
cp "$T/all" .pawlaccepted
git config -f .pawlaccepted --replace-all "accept.$id.change" +5% '^\+7'
is 'an entry may allow less than it is' "$(verdicts)" 'a+ b<int*>+ b<intx>- z+'
cp .pawlaccepted "$T/accepted"
runs 2 'which is no reason to say that all are accepted' pawl accept HEAD --all --because y
like 'it names the entry' "$T/err" "is accepted for 'cache/b<intx>' already: '.pawlaccepted' line [0-9]+\$"
check 'and leaves it' cmp -s .pawlaccepted "$T/accepted"
echo '[accept' >.pawlaccepted
runs 2 'nor is a file with a fault' pawl accept HEAD --all --because y
like 'it says where' "$T/err" "'.pawlaccepted'.* line 1"

# ---- which result ---------------------------------------------------------------------------

rm .pawlaccepted
# stored FINISHED DIRTY: a result of HEAD besides, of which deflate/6 regressed
stored() {
	rm -f .git/pawl/results.db
	/usr/bin/python3 -IS "$ROOT/tests/helpers/summaries.py" "$id" "$(git rev-parse HEAD~1)" each |
		sed "s/\"proj\"/\"demo\"/; s/2026-11-20T10:02:30Z/$1/; s/\"dirty\": false/\"dirty\": $2/" |
		"$BUILD/helpers/results" .git/pawl/results.db
}
stored 2026-11-20T10:02:30Z true
mv .git/pawl/comparisons "$T"
runs 5 'what uncommitted work did is no matter of the commit' pawl accept HEAD --all --because y
like 'of which nothing is known' "$T/err" "no result here says what of $slow got worse"
stored 2026-11-20T10:02:30Z false
runs 0 'the same of the commit is' pawl accept HEAD --all --because y
is 'also what a note of then calls accepted' "$(git config -f .pawlaccepted --get-all "accept.$id.benchmark" | paste -sd ' ')" \
	'deflate/6 deflate/9'
rm .pawlaccepted
mv "$T/comparisons" .git/pawl
runs 5 'a comparison besides counts for its own benchmarks' pawl accept HEAD --all --because y
like 'one of which has no ratio' "$T/err" "'cache/z'"
runs 0 'it is accepted alone, too' pawl accept HEAD --benchmark cache/z --change any --because x
runs 0 'all of both' pawl accept HEAD --all --because y
is 'are accepted' "$(git config -f .pawlaccepted --get-all "accept.$id.benchmark" | sort | paste -sd ' ')" \
	'cache/a cache/b<int*> cache/b<intx> cache/z deflate/6 deflate/9'
printf 'damaged' >.git/pawl/results.db
runs 5 'a damaged store is no lack of results' pawl accept HEAD --all --because y
unlike 'and that is said' "$T/err" 'no result here'

# ---- several at once ------------------------------------------------------------------------

rm -f .pawlaccepted .git/pawl/results.db
for name in a 'b<int*>' 'b<intx>' z; do
	pawl accept HEAD --benchmark "cache/$name" --change any --because x >/dev/null 2>&1 &
	all="${all:-} $!"
done
for pid in $all; do
	wait "$pid"
	ended="${ended:-}$?"
done
is 'four that accept at once end well' "$ended" 0000
is 'and none is lost' "$(git config -f .pawlaccepted --get-all "accept.$id.benchmark" | sort | paste -sd ' ')" \
	'cache/a cache/b<int*> cache/b<intx> cache/z'
