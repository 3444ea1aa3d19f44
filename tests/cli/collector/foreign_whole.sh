# Whole runs whose output is read: what a format says, what nobody says of a counter, and what has no ratio.
. "$(dirname "$0")/../../lib.sh"

# Nothing of what is built here may differ by where it lies.
new_project() {
	new_repo "$T/$1"
	cd "$T/$1" || exit 1
	printf '/build/\n' >.gitignore
}

field() {
	json "$T/out" "[$2 for b in d['benchmarks'] if b['name'] == '$1'][0]"
}

# ---- whole runs: what a program prints or writes is read --------------------------------------

new_project whole
cat >.pawlconfig <<'END'
[pawl]
	project = demo
[benchmark "printed"]
	command = ./lnt.sh
	format = lnt
[benchmark "written"]
	command = ./bmf.sh
	format = bmf
	output = build/out.json
[benchmark "stale"]
	command = true
	format = bmf
	output = old.json
[benchmark "wrong"]
	command = echo hello
	format = nanobench
[benchmark "count"]
	command = ./count.sh
	format = lnt
[benchmark "counted"]
	command = ./count.sh
	format = lnt
	metric = steps
END
printf '#!/bin/sh\necho a.exec 0.25\necho b.exec 0.5\necho b.steps 7\n' >lnt.sh
printf '#!/bin/sh\nmkdir -p build\necho %s >build/out.json\n' \
	"'{\"parse\": {\"latency\": {\"value\": 12.5}}}'" >bmf.sh
printf '#!/bin/sh\necho a.steps 7\n' >count.sh
echo '{"old": {"latency": {"value": 1}}}' >old.json
chmod +x ./*.sh
commit_all . one
runs 4 'whole runs, some of them bad' pawl collect --json $quick
is 'a run gives all its benchmarks' "$(field printed/b "b['status']")" ok
is 'with the reported time in ns' "$(field printed/a "[m['samples'] for m in b['metrics'] \
	if m['name'] == 'wall']")" "[[$(printf '250000000, %.0s' 1 2 3 4 5 6 7 8 9 10 11)250000000]]"
is 'and what else it reports' "$(field printed/b "[m['n'] for m in b['metrics'] \
	if m['name'] == 'steps']")" '[12]'
is 'a file is read' "$(field written/parse "[m['median'] for m in b['metrics'] \
	if m['name'] == 'wall']")" '[12.5]'
is 'a file that was not written anew is no answer' "$(field stale "b['detail']")" \
	"it did not write 'old.json'"
is 'what is no such format is told' "$(field wrong "'format nanobench' in b['detail']")" True
is 'without a time something must decide' "$(field count/a "b['detail']")" \
	'it reports no time; name what decides: benchmark.count.metric'
is 'which may be another metric' "$(field counted/a "b['status'] + b['gate']")" oksteps
valid 'the document fits the schema' "$T/out"

# ---- more is better: what the format says of a metric decides ---------------------------------

new_project rates
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	build = true
[benchmark "score"]
	command = ./score.sh
	format = lnt
	metric = score
[benchmark "size"]
	command = ./size.sh
	format = bmf
	metric = file-size
END
score() { # score BASE: a little above it
	printf '#!/bin/sh\necho a.score $((%s + $(od -An -N1 -tu1 /dev/urandom)))\n' "$1" >score.sh
}
score 100000
printf '#!/bin/sh\necho %s\n' "'{\"parse\": {\"file-size\": {\"value\": 100}}}'" >size.sh
chmod +x ./*.sh
commit_all . one
score 200000
commit_all . 'twice the score'
runs 0 'a score that doubles is no regression' pawl compare --json --quick
is 'it is better' "$(field score/a "b['verdict']")" improved
is 'and the document says why' "$(field score/a "[m['better'] for m in b['metrics'] \
	if m['name'] == 'score']")" "['higher']"
is 'a unit stays what the format says' "$(field size/parse "[m['unit'] for m in b['metrics'] \
	if m['name'] == 'file-size']")" "['bytes']"
score 100000
commit_all . 'half the score'
runs 1 'one that halves is a regression' pawl compare --json --quick

# ---- what nobody tells of a counter ----------------------------------------------------------

new_project hits
hits 100000
commit_all . one
hits 200000
commit_all . 'twice the hits'
runs 1 'a counter of which nobody tells what is better is taken for a cost' \
	pawl compare --json --quick
git config benchmark.cache.better higher
runs 0 'where the configuration tells, more of it is no regression' pawl compare --json --quick
is 'it is better' "$(field cache/a "b['verdict']")" improved
git config benchmark.cache.better more
runs 2 'what is neither is refused' pawl compare --json --quick
like 'with an example' "$T/err" '^hint: for example: better = higher'

# ---- what has no ratio ---------------------------------------------------------------------------

new_project allocations
hits 0
printf '#!/bin/sh\necho a.hits 0\n' >hits.sh
commit_all . 'allocates nothing'
printf '#!/bin/sh\necho a.hits 5\n' >hits.sh
commit_all . 'allocates in every operation'
printf '#!/bin/sh\necho a.hits 5 # as before\n' >hits.sh
commit_all . 'says so'
git show HEAD~2:hits.sh | sed 's/0/0 # none/' >hits.sh
commit_all . 'none again'
runs 1 'from no allocation to five' pawl compare --json HEAD~3..HEAD~2
is 'is a regression by difference' \
	"$(json "$T/out" '[(m["delta"]["ratio"], m["delta"]["difference"]) for b in d["benchmarks"] for m in b["metrics"] if m["name"] == "hits"]')" \
	'[(None, 5)]'
valid 'which fits the schema' "$T/out"
runs 1 'for people' pawl compare HEAD~3..HEAD~2
like 'it is a difference' "$T/out" 'cache/a .* \+5 +\[\+5, \+5\] .*regressed'
like 'and told as one' "$T/out" 'has 5 more hits \[5, 5\]'
runs 0 'none on either side' pawl compare HEAD~3..HEAD
like 'is unchanged' "$T/out" 'cache/a .* 0 +\[0, 0\] .*unchanged'
runs 0 'the commit that begins to is found by difference' \
	pawl bisect HEAD~3 HEAD~1 --benchmark cache/a
like 'it is that one' "$T/out" "^commit $(git rev-parse HEAD~2)\$"
like 'with what it adds' "$T/out" 'cache/a went up with it: \+5 \[\+5, \+5\] against its parent, of \+5'
runs 0 'and as a document' pawl bisect HEAD~3 HEAD~1 --benchmark cache/a --json
is 'the difference stands beside no ratio' \
	"$(json "$T/out" 'd["delta"]["ratio"], d["delta"]["difference"], d["delta"]["ci"], d["delta"]["unit"]')" \
	"(None, 5, [5, 5], '1')"
runs 0 'commit by commit' pawl bisect HEAD~3 HEAD --benchmark cache/a --steps
like 'it comes and goes' "$T/out" '^2 of 3 commits moved cache/a:'
like 'and leaves nothing' "$T/out" '^together they make 0$'

# ---- an answer in parts --------------------------------------------------------------------------

new_project parts
cat >parts.sh <<'END'
#!/bin/sh
echo "BenchmarkA 100 10 ns/op 0 hits" >/dev/stdout
echo "BenchmarkB 100 10 ns/op 3 hits" >/dev/stdout
END
chmod +x parts.sh
cat >.pawlconfig <<'END'
[pawl]
	build = true
[benchmark "cache"]
	command = ./parts.sh
	format = go
	metric = hits
	better = lower
END
commit_all . 'opens its output for each line'
sed -i 's/ 0 hits/ 5 hits/' parts.sh
commit_all . 'and allocates'
runs 1 'what was written first is not lost' pawl compare --pairs 12 HEAD~1..HEAD
