# pawl hyperfine: hyperfine's command line, its figures and its files, beside the real one.
. "$(dirname "$0")/../../lib.sh"

export HOME="$T" XDG_STATE_HOME="$T/state" GIT_CEILING_DIRECTORIES="$T"
cd "$T" || exit 1

# ---- what the line says -----------------------------------------------------------------------

# refuses NAME PATTERN WORDS...: exits with 2 and says that, or hints at it
refuses() {
	name=$1 pattern=$2
	shift 2
	runs 2 "$name is refused" pawl hyperfine "$@"
	like "and says so: $pattern" "$T/err" "$pattern"
}

refuses 'no command' 'no command to measure'
refuses 'an unknown option' "^hint: did you mean '--warmup'" --warmpu 3 true
refuses 'an option without its value' "'--parameter-scan' needs a value: VAR MIN MAX" -P n 1
refuses 'a second value' "'--runs' is given twice" -r 3 --runs=4 true
refuses '--show-output' '^pawl: error: --show-output of hyperfine is not offered' --show-output true
refuses '--sort' "^hint: .*jq '.results .= sort_by" --sort mean-time true
refuses '--output null' "^hint: .*'COMMAND >FILE'" --output null true
refuses 'a scan and a list' 'exclude each other' -P n 1 2 -L m a,b true
refuses 'a step alone' '--parameter-step-size needs --parameter-scan' -D 1 true
refuses 'a scan downwards' "from '3' to '1'" -P n 3 1 true
refuses 'a step of 0' "in steps of '0'" -P n 1 3 -D 0 true
refuses 'a parameter that is no number' 'takes numbers' -P n a 3 true
refuses 'a parameter of two lists' "'a' is given twice" -L a 1 -L a 2 true
refuses 'two preparations of three' '3 times: once for each' -p true -p true true true true
refuses 'more names than commands' 'given 2 times for 1 command' -n a -n b true
refuses '--runs and --min-runs' '--runs and --min-runs exclude' -r 3 -m 4 true
refuses '--min-runs over --max-runs' '--min-runs 5 is more than --max-runs 3' -m 5 -M 3 true
refuses 'no run at all' '--runs takes a number from 1' -r 0 true
refuses 'an unknown unit' '--time-unit takes' -u hour true
refuses 'an unknown style' '--style takes' --style loud true
refuses 'an open quote without a shell' "'true \"': " -N 'true "'
refuses 'an empty command' 'a command is empty' ' '
refuses 'setups that undo each other' '^hint: pawl runs the commands in turns' \
	-L d a,b -s 'make {d}' true
refuses 'a file that cannot be written' 'nowhere' --export-json nowhere/x.json true
runs 0 'its version is told' pawl hyperfine --version
like 'as pawl' "$T/out" '^pawl [0-9]'

# ---- one command ----------------------------------------------------------------------------

runs 0 'one command alone is measured' pawl hyperfine -r 3 -N 'sleep 0.01' --export-json one.json
like 'its mean and deviation are shown' "$T/out" \
	'^  Time \(mean ± σ\): +[0-9]+\.[0-9] ms ± +[0-9.]+ ms    \[User: [0-9.]+ ms, System: [0-9.]+ ms\]$'
like 'and its range' "$T/out" '^  Range \(min … max\): +[0-9]+\.[0-9] ms … +[0-9.]+ ms    3 runs$'
unlike 'and nothing is said of comparing' "$T/err" 'no change can be called'
is 'the file has three runs' "$(json one.json 'len(d["results"][0]["times"])')" 3

# ---- what runs when --------------------------------------------------------------------------

runs 0 'setup, preparation and cleanup are run' pawl hyperfine -r 2 -S sh \
	-s 'echo setup >>log' -p 'echo p{n} >>log' -C 'echo c{n} >>log' -c 'echo end{n} >>log' \
	-L n 1,2 'echo run{n} >>log; sleep 0.001'
is 'the setup once, and first' "$(head -n 1 log; grep -c setup log)" 'setup
1'
is 'the cleanups last, each once' "$(tail -n 2 log; grep -c end log)" 'end1
end2
2'
sed '/setup\|end/d' log | paste -d ' ' - - - | sort -u >turns
is 'each run is between its own two' "$(cat turns)" 'p1 run1 c1
p2 run2 c2'
runs 4 'a setup that fails ends it' pawl hyperfine -r 2 -s 'echo broken >&2; exit 3' 'touch ran'
like 'with its line and its words' "$T/err" "^pawl: error: --setup 'echo broken .*status 3.*broken"
check 'before anything ran' [ ! -e ran ]

# ---- commands that fail ------------------------------------------------------------------------

runs 4 'a command that fails ends it' pawl hyperfine -r 2 'sleep 0.001' 'sh -c "exit 3"' \
	--export-json failed.json
like 'it is named, with its status' "$T/err" "^pawl: error: 'sh -c \"exit 3\"': exited with status 3"
like 'and the way around it' "$T/err" '^hint: .*--ignore-failure'
check 'and no file is written' [ ! -e failed.json ]
runs 0 'with -i it is measured' pawl hyperfine -i -r 2 -n ok -n bad true 'exit 3' \
	--export-json ignored.json
# On a busy machine both may last longer, or seem to when they are looked at first.
for _ in 1 2 3 4; do
	grep -q 'lasts under 5 ms' "$T/err" && break
	pawl hyperfine -i -r 2 -n ok -n bad true 'exit 3' --export-json ignored.json >"$T/out" 2>"$T/err"
done
if [ "$(json ignored.json 'min(r["median"] for r in d["results"]) < 0.004')" = True ]; then
	like 'a warning calls it by its name' "$T/err" "^pawl: warning: '(ok|bad)' lasts under 5 ms"
else
	skip 'a warning calls it by its name' 'they lasted too long to be warned of'
fi
is 'and its status is in the file' \
	"$(json ignored.json '[(r["command"], r["exit_codes"]) for r in d["results"]]')" \
	"[('ok', [0, 0]), ('bad', [3, 3])]"
runs 0 "the environment is handed on, but pawl's own tokens" \
	env PAWL_TEST_WORD=seen PAWL_TOKEN=secret PAWL_EXPORT_TOKEN=secret \
	pawl hyperfine -r 1 'test "$PAWL_TEST_WORD${PAWL_TOKEN-}${PAWL_EXPORT_TOKEN-}" = seen'

# ---- two commands, and the verdict ---------------------------------------------------------------

runs 0 'two commands exit with 0 whatever the verdict is' pawl hyperfine -m 12 -M 20 \
	'sleep 0.002' 'sleep 0.4' --export-pawl two.json --export-markdown two.md
like 'the fastest is named' "$T/out" "^  'sleep 0.002' ran\$"
like 'and how much faster it is' "$T/out" "^    [0-9]+\.[0-9]{2} ± [0-9.]+ times faster than 'sleep 0.4'\$"
like 'each with its deviation, in the tables too' "$T/two.md" '^. `sleep 0.4` . [0-9.]+ ± [0-9.]+ . '
like "with pawl's verdict" "$T/out" '^sleep 0.4 regressed: .* slower \[.*\] than .sleep 0.002.\.$'
is 'which its document has' "$(json two.json 'd["benchmarks"][0]["verdict"]')" regressed
valid 'its document is one of pawl' two.json
is 'wall time decides, as in hyperfine' "$(json two.json 'd["benchmarks"][0]["gate"]')" wall
runs 0 'a name that pawl would make up is no other command' \
	pawl hyperfine -N -r 2 -n base -n t -n t -n 't (#2)' true true true true --export-pawl four.json
is 'all are measured' \
	"$(json four.json 'sorted((b["name"], b["status"]) for b in d["benchmarks"])')" \
	"[('t (#2)', 'ok'), ('t (#3)', 'ok'), ('t (#6)', 'ok')]"
runs 0 'a table to standard output' pawl hyperfine -N -r 2 true --style none --export-markdown -
like 'is there' "$T/out" '^. .true. . '
check 'and in no file' [ ! -e - ]
runs 0 'the same command twice is measured, too' pawl hyperfine -r 2 true true --style none
is '--style none prints nothing' "$(cat "$T/out")" ''
runs 0 'a reference is what all are compared with' pawl hyperfine -r 2 --reference 'sleep 0.003' \
	-L t 1,2 'sleep 0.00{t}' --export-json reference.json
is 'and is the first of them' "$(json reference.json '[r["command"] for r in d["results"]]')" \
	"['sleep 0.003', 'sleep 0.001', 'sleep 0.002']"

# ---- beside the real one ---------------------------------------------------------------------------

if ! command -v hyperfine >/dev/null; then
	skip 'the files are those of hyperfine' 'hyperfine is not installed'
	exit
fi
cat >shape.py <<'END'
# shape.py FOLDER: what its files hold, without the figures
import json, re, sys
def shape(x, key=None):
    if isinstance(x, dict):
        return [(k, shape(v, k)) for k, v in x.items()]
    if isinstance(x, list):
        return [shape(v, key) for v in x]
    return "number" if isinstance(x, (int, float)) and key != "exit_codes" else x
print(shape(json.load(open(sys.argv[1] + "/r.json"))))
for name in ("r.csv", "r.md", "r.adoc", "r.org"):
    text = open(sys.argv[1] + "/" + name).read()
    # a figure has a point or is 0 beside a comma; names and commands have none of both
    text = re.sub(r"(?<=,)[0-9][0-9.e-]*(?=[,\n])", "N", text)
    # which is the fastest differs: only that has no deviation behind its ratio
    print(re.sub(r"[0-9]+\.[0-9]+(?= |$)", "N", re.sub(r" ± [0-9.]+", "", text), flags=re.M))
END
# both NAME WORDS...: the same line for both programs, and the shapes of their files
both() {
	name=$1
	shift
	mkdir -p real ours
	rm -f real/* ours/*
	for which in real ours; do
		program='pawl hyperfine'
		[ "$which" = ours ] || program=hyperfine
		# shellcheck disable=SC2086  # two words
		$program --style basic --export-json $which/r.json --export-csv $which/r.csv \
			--export-markdown $which/r.md --export-asciidoc $which/r.adoc \
			--export-orgmode $which/r.org "$@" >$which/out 2>$which/err ||
			result 1 "$name: $program runs" "$(cat $which/err)"
		/usr/bin/python3 shape.py $which >$which.shape
	done
	is "$name: the files are those of hyperfine" "$(cat ours.shape)" "$(cat real.shape)"
}

both 'parameters, names and statuses' -N -i -r 2 -L t 12,15 -L w 'a\,b,"c' \
	'sleep 0.0{t}' "sh -c 'sleep 0.0{t}; exit 3'"
both 'a scan with a step' -r 2 -P t 0.010 0.02 -D 0.005 'sleep {t} # {t|}'
both 'one run' -N -r 1 -n 'a|b' 'sleep 0.011' --time-unit second
both 'a shell, names and preparations' -S bash -r 2 -w 1 -p 'x=(1 2)' -n 'first' -n 'sec"ond' \
	'sleep 0.011' '[[ a == a ]] && sleep 0.013'
commit_all() { :; }
new_repo "$T/repo"
cd "$T/repo" && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one || exit 1
runs 0 "pawl import takes ours as hyperfine's" pawl import "$T/ours/r.json"
