# A benchmark whose own name ends in '*' is accepted without those that only begin like it.
. "$(dirname "$0")/../../lib.sh"

# counts A B: what the two benchmarks count, a little above that
counts() {
	cat >hits.sh <<END
#!/bin/sh
more() { echo \$((\$1 + \$(od -An -N1 -tu1 /dev/urandom))); }
echo "get*.hits \$(more $1)"
echo "get_all.hits \$(more $2)"
END
	chmod +x hits.sh
	commit_all . "$*"
}

# verdicts: those of the last comparison, as it is shown now
verdicts() {
	pawl report --last --json >"$T/last.json" 2>/dev/null
	json "$T/last.json" '" ".join(b["name"][6:] + ("+" if b.get("accepted") else "-") for b in d["benchmarks"])'
}

# entries: the benchmarks of the file, as git reads them
entries() {
	git config -f .pawlaccepted --get-all "accept.$(git rev-parse HEAD).benchmark" | sort | paste -sd ' ' -
}

new_repo "$T/repo"
cd "$T/repo" || exit 1
hits 0
counts 1000000 1000000
counts 9000000 1200000
slow=$(git rev-parse --short=12 HEAD)
# shellcheck disable=SC2086
runs 1 'both count more' pawl compare $quick
like 'the line to type names the first one alone' "$T/err" \
	"^pawl: to accept one of them: pawl accept $slow --benchmark 'cache/get\\\\\*' --change "

runs 0 'it is accepted as it was printed' pawl accept HEAD --benchmark 'cache/get\*' --because x
like 'by its own size' "$T/out" "^accepted $slow for 'cache/get\\\\\*', \+[78][0-9][0-9](\.[0-9])?% of hits;"
is 'and no other' "$(verdicts)" 'get*+ get_all-'
is 'git reads the name as it was given' "$(entries)" 'cache/get\*'
runs 2 'a name of none is refused' pawl accept HEAD --benchmark 'cache/ge\*' --because x
like 'with the nearest one as it is typed' "$T/err" "^hint: did you mean 'cache/get\\\\\*'\\?\$"
runs 2 'a second entry for it, too' pawl accept HEAD --benchmark 'cache/get\*' --because x

rm .pawlaccepted
runs 0 'all are accepted' pawl accept HEAD --all --because y
is 'each by a name of its own' "$(entries)" 'cache/get\* cache/get_all'
is 'and both are' "$(verdicts)" 'get*+ get_all+'
runs 0 'again there is nothing' pawl accept HEAD --all --because y
like 'which it says' "$T/out" 'got worse that is not accepted$'

rm .pawlaccepted
runs 0 "without '\\' it stands for all names that begin so" pawl accept HEAD --benchmark 'cache/get*' --because z
like 'by the largest size' "$T/out" '\+[78][0-9][0-9](\.[0-9])?% of hits;'
is 'as before' "$(verdicts)" 'get*+ get_all+'
