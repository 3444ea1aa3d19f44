# Two commands and two programs, compared without a repository: what differs is called, what is the
# same is refused or called so, and reports name the sides by what they are.
. "$(dirname "$0")/../../lib.sh"

# field EXPRESSION: of the only benchmark b of the document d
field() {
	json "$T/out" "[$1 for b in d['benchmarks']][0]"
}

# loop N [WORD]: a script that counts to N and prints WORD
loop() {
	echo "i=0; while [ \$i -lt $1 ]; do i=\$((i + 1)); done; echo ${2:-done}"
}

mkdir "$T/plain" && cd "$T/plain" || exit 1
export HOME="$T" XDG_STATE_HOME="$T/state" GIT_CEILING_DIRECTORIES="$T"
check 'this is no repository' not git rev-parse --git-dir
runs 5 'two environments of what is in none' pawl compare --base-env A=1 --head-env A=2 -- true
like 'are pointed to two commands' "$T/err" '^hint: two commands need none: --base-cmd '
loop 800 >one.sh
loop 8000 >three.sh
loop 800 other >other.sh
# What writes to a pipe may be judged by wall time, which others disturb.
twelve='--runs 12..12 --metric cpu'

# ---- two commands --------------------------------------------------------------------------------

# shellcheck disable=SC2086  # an option and its value
runs 1 'a slower command is a regression' \
	pawl compare $twelve --json --base-cmd 'sh one.sh' --head-cmd 'sh three.sh'
valid 'the document fits the schema' "$T/out"
is 'it is called so' "$(field "b['verdict']")" regressed
is 'under the name of the program' "$(field "b['name']")" sh
is 'the sides are what was typed' "$(json "$T/out" 'd["sides"]')" \
	"{'base': 'sh one.sh', 'head': 'sh three.sh'}"
is 'no commit has a part in it' "$(json "$T/out" 'd["commit"]["id"]')" None
is 'nor has the base' "$(json "$T/out" 'd["baseline"]["commit"], d["baseline"]["how"]')" \
	"(None, 'given')"
is 'each side ran its own command in turn' "$(field "(b['pairs_ran'], b['output'])")" \
	"('in turn', 'same')"
is 'nothing was left here' "$(ls)" "one.sh
other.sh
three.sh"
runs 1 'it is shown again' pawl report --last
like 'with the head as what was measured' "$T/out" '^sh three.sh$'
like 'the base as what it was compared with' "$T/out" '^baseline: sh one.sh, run side by side$'
like 'and a sentence that names it' "$T/out" "slower \[.*\] than 'sh one.sh'\.?\$"
like 'and a note' "$T/err" "the comparison of 'sh one.sh' and 'sh three.sh'"
for format in html junit markdown csv annotations porcelain openmetrics badge codequality; do
	runs 1 "as $format" pawl report --last --format "$format"
done
runs 1 'for scripts' pawl report --last --porcelain
like 'it has a line of its own' "$T/out" "^sides$(printf '\t')sh one.sh$(printf '\t')sh three.sh\$"
runs 1 'with a picture' pawl report --last --plot --svg "$T/plot.svg"
like 'that names the sides' "$T/plot.svg" 'base sh one.sh: median'
# shellcheck disable=SC2086
runs 0 'the other way round it is an improvement' \
	pawl compare $twelve --base-cmd 'sh three.sh' --head-cmd 'sh one.sh'
like 'and told so' "$T/out" "sh improved: it is .* faster .* than 'sh three.sh'"
unlike 'no commit is pointed to' "$T/err" 'pawl (why|accept)'
# shellcheck disable=SC2086
runs 0 'another answer' pawl compare $twelve --threshold 90% --base-cmd 'sh one.sh' --head-cmd 'sh other.sh'
like 'is told' "$T/out" 'output differs'

# ---- what is the same ----------------------------------------------------------------------------

runs 2 'the same command twice is refused' pawl compare --base-cmd 'sh one.sh' --head-cmd 'sh  one.sh'
like 'by what it is' "$T/err" "both sides run the same command: 'sh  one.sh'"
like 'with a cure' "$T/err" 'hint: .*--measure-identical'
# shellcheck disable=SC2086
runs 0 'unless it is asked for' pawl compare $twelve --threshold 90% --measure-identical --json \
	--base-cmd 'sh one.sh' --head-cmd 'sh one.sh'
is 'it is measured then' "$(field "[m['n'] for m in b['metrics'] if m['name'] == 'cpu']")" '[12]'
echo 'i=0; while [ $i -lt $N ]; do i=$((i + 1)); done' >many.sh
# shellcheck disable=SC2086
runs 1 'in another environment it is another thing' pawl compare $twelve --json \
	--base-cmd 'sh many.sh' --head-cmd 'sh many.sh' --base-env N=800 --head-env N=8000
is 'and named so' "$(json "$T/out" 'd["sides"]["head"]')" 'N=8000 sh many.sh'

cat >count.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
	volatile long i;

	for (i = 0; i < atol(argv[argc - 1]); i++)
		;
	return 0;
}
END
${CC:-cc} -o count count.c
# shellcheck disable=SC2086
runs 1 'one program with two arguments, which runs from copies' pawl compare $twelve --json \
	--base-cmd './count 100000' --head-cmd './count 1000000'
is 'each side gets its own' "$(field "b['verdict']")" regressed
rm count count.c

# ---- two programs --------------------------------------------------------------------------------

mkdir old new
build_work old/bench 1000
build_work new/bench 3000
cp old/bench same
cp old/bench plain
# shellcheck disable=SC2086
runs 1 'two programs, each with its benchmarks' \
	pawl compare $twelve --min-time 1ms --json --base-bin old/bench --head-bin new/bench
is 'under the names inside' "$(field "(b['name'], b['format'], b['verdict'])")" \
	"('bench/chain', 'pawl', 'regressed')"
is 'the sides are the files' "$(json "$T/out" 'd["sides"]')" \
	"{'base': 'old/bench', 'head': 'new/bench'}"
mkdir again && cp old/bench again/
runs 0 'the same code in two files' pawl compare --json --base-bin old/bench --head-bin again/bench
is 'is identical, and not run' "$(field "(b['verdict'], b['metrics'])")" "('identical', [])"
mkdir slow
printf '#include <string.h>\nint main(int c, char **v) { volatile long n = strstr(v[0], "slow") ? 4000000 : 1000000;\nwhile (n--) c ^= n; return 0 * c; }\n' >named.c
${CC:-cc} -O1 -o fast named.c && cp fast slow-one
# shellcheck disable=SC2086
runs 1 'the same code that goes by its name' pawl compare $twelve --json --base-bin fast --head-bin slow-one
is 'is measured' "$(field "b['verdict']")" regressed
# The same code is called slower once in some hundred times.
# shellcheck disable=SC2086
pawl compare $twelve --json --base-bin plain --head-bin same -- --list >"$T/out" 2>"$T/err"
is 'words are the arguments of both' "$(field "(b['status'], b['command'].split()[-1])")" "('ok', '--list')"
ln same link
runs 2 'one file under two names' pawl compare --base-bin same --head-bin link
like 'is refused' "$T/err" 'are one file'

# ---- what cannot be ------------------------------------------------------------------------------

runs 4 'a command that is not there' pawl compare --base-cmd no-such-program --head-cmd 'sh one.sh'
like 'is named with its side' "$T/out" "the base: cannot find 'no-such-program' in PATH"
runs 4 'of the head likewise' pawl compare --base-cmd 'sh one.sh' --head-cmd ./no-such
like 'with its path' "$T/out" "the head: cannot run '.*/no-such'"
runs 4 'a command that fails' pawl compare --base-cmd 'sh one.sh' --head-cmd 'sh -c "exit 7"'
like 'says how' "$T/out" 'the head: exited with status 7'
runs 2 'a pipe' pawl compare --base-cmd 'sh one.sh | cat' --head-cmd 'sh three.sh'
like 'is a shell'\''s' "$T/err" "only a shell knows what '\|' means"
like 'which the hint names' "$T/err" 'hint: .*--shell sh'
for special in 'ls ~/x' 'ls a?' 'ls [ab]' '(true)' 'true # no' "true
false"; do
	runs 2 "so is: $special" pawl compare --base-cmd "$special" --head-cmd 'sh three.sh'
done
like 'a second line is told' "$T/err" '^pawl: error: --base-cmd has more than one line$'
runs 2 'a shell of no name' pawl compare --shell '' --base-cmd 'sh one.sh' --head-cmd 'sh three.sh'
runs 2 'so is a variable in double quotes' pawl compare --base-cmd 'sh "$X"' --head-cmd 'sh three.sh'
# shellcheck disable=SC2086
runs 1 'quoted it is a word' pawl compare $twelve -q --base-cmd 'sh one.sh "|" '\''$X'\' --head-cmd 'sh three.sh'
# shellcheck disable=SC2086
runs 1 'a shell runs it' pawl compare $twelve --json --shell sh \
	--base-cmd 'sh one.sh | cat' --head-cmd 'sh three.sh | cat'
is 'and the program names it' "$(field "(b['name'], b['verdict'])")" "('sh', 'regressed')"
for wrong in "--base-cmd true" "--head-bin same" "--base-cmd true --head-cmd false HEAD" \
	"--base-cmd true --head-cmd false --base-build make" "--shell sh" "--base-env 1=2" \
	"--base-env N" "--base-cmd true --head-cmd false --working-tree" \
	"--base-cmd true --head-cmd false --base-bin same --head-bin plain" \
	"--base-cmd true --head-cmd false --build make" "--base-cmd true --head-cmd false --explain" \
	"--base-env N=1 --base-env N=2" "--base-cmd true --head-cmd false --head-env CFLAGS=-O3"; do
	# shellcheck disable=SC2086
	runs 2 "refused: $wrong" pawl compare $wrong
done
runs 5 'commits need a repository all the same' pawl compare HEAD -- true
cd "$T" && rm -rf "$T/state" && mkdir -p "$T/bad/.git" && cd bad || exit 1
# shellcheck disable=SC2086
runs 1 'a repository that cannot be read is in nobody'\''s way' pawl compare $twelve -q \
	--base-cmd 'sh ../plain/one.sh' --head-cmd 'sh ../plain/three.sh'

# ---- a time that a clock fixes -------------------------------------------------------------------------

cat >clock.c <<'END'
#include <time.h>
int main(int n, char **v)
{
	volatile unsigned i;
	do
		for (i = 0; i < 1000u * (unsigned)n; i++)
			;
	while (clock() < CLOCKS_PER_SEC / 10);
	return !v;
}
END
${CC:-cc} -O1 -o clock clock.c
runs 0 'two commands that repeat their work until a time is over' pawl compare --pairs 6 --base-cmd ./clock --head-cmd './clock x'
like 'are doubted' "$T/err" "^pawl: warning: '.*' takes 0\\.1 s in nearly every run of both sides: if it repeats its work until a time is over"
like 'with a cure that a command line has' "$T/err" '^hint: let it do a fixed amount of work$'

# ---- work that goes on when the program has ended ------------------------------------------------------

cat >leaves.c <<'END'
#include <unistd.h>
int main(int n, char **v)
{
	volatile unsigned i;
	if (n > 1 && fork())
		return 0;
	for (i = 0; i < 20000000; i++)
		;
	return !v;
}
END
${CC:-cc} -O1 -o leaves leaves.c
runs 4 'a head that leaves its work to a process that it does not wait for' \
	pawl compare --json --pairs 12 --base-cmd ./leaves --head-cmd './leaves x'
unlike 'is no improvement' "$T/out" '"verdict": *"improved"'
like 'and says why' "$T/out" 'what it does is not all measured: it leaves processes running, which the base does not'
runs 0 'where both do' pawl compare --json --pairs 6 --base-cmd './leaves x' --head-cmd './leaves y'
like 'the document warns of it' "$T/out" '[0-9]+ processes running, which were killed: let it end what it starts'
