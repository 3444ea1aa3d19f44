# What a terminal gets and what a file gets: colour, width, characters, the line of progress.
TMPDIR=/tmp # a path is one word, which no width of a terminal parts
. "$(dirname "$0")/../../lib.sh"

new_stored_repo "$T/repo"

# on COLUMNS COMMAND...: its output on a terminal that wide, in $T/out
on() {
	/usr/bin/python3 -IS "$ROOT/tests/helpers/terminal.py" "$@" >"$T/out" 2>&1
}
# wide COLUMNS: the lines of $T/out that take more
wide() {
	answered "$T/out" "wide.py:wide(d, $1)"
}
# A bare environment: what the tester's own terminal is like must not count.
unset NO_COLOR CLICOLOR_FORCE FORCE_COLOR COLUMNS LC_CTYPE LANG
LC_ALL=C
TERM=xterm
export LC_ALL TERM
esc=$(printf '\033')

# ---- colour -----------------------------------------------------------------------------------------

fill each
# colours yes|no COMMAND...: on a terminal
colours() {
	wanted=$1
	shift
	on 80 "$@"
	if grep -q "${esc}\\[[0-9]" "$T/out"; then got=yes; else got=no; fi
	is "colour on a terminal: $*" "$got" "$wanted"
}
report='pawl report --project proj'
colours yes $report
colours no env TERM=dumb $report
colours no env -u TERM $report
colours no env NO_COLOR=1 $report
colours yes env NO_COLOR= $report
colours yes env NO_COLOR=1 $report --color always
colours no env CLICOLOR_FORCE=1 $report --color never
colours yes env TERM=dumb CLICOLOR_FORCE=1 $report
colours no env NO_COLOR=1 CLICOLOR_FORCE=1 $report
# in_file yes|no COMMAND...: to no terminal
in_file() {
	wanted=$1
	shift
	"$@" >"$T/out" 2>&1
	if grep -q "${esc}\\[" "$T/out"; then got=yes; else got=no; fi
	is "colour in a file: $*" "$got" "$wanted"
}
in_file no $report
in_file yes $report --color=always
in_file yes env CLICOLOR_FORCE=1 $report
in_file no env CLICOLOR_FORCE=0 $report
in_file no env FORCE_COLOR=1 NO_COLOR=1 $report

# Without its colours the answer is the same.
on 80 $report
sed "s/${esc}\\[[0-9;]*m//g" "$T/out" >"$T/plain"
on 80 $report --color never
check 'colour is never the meaning' cmp "$T/plain" "$T/out"

# ---- characters -------------------------------------------------------------------------------------

fill hostile
for locale in C POSIX de_DE.ISO-8859-1; do
	on 80 env LC_ALL="$locale" $report -v --plot
	unlike "$locale gets ASCII alone" "$T/out" "$(printf '[\200-\377]')"
done
LC_ALL=C.UTF-8 $report >"$T/out" 2>&1
like 'UTF-8 gets its own signs' "$T/out" '✗ '
env -u LC_ALL LANG=de_DE.utf8 $report >"$T/out" 2>&1
like 'by LANG too' "$T/out" '✗ '
LC_ALL=tr_TR.UTF-8 $report --json >"$T/turkish" 2>/dev/null
LC_ALL=C $report --json >"$T/c" 2>/dev/null
check 'a document is the same in every locale' cmp "$T/turkish" "$T/c"
LC_ALL=C.UTF-8 $report -v --color always >"$T/out" 2>&1
sed "s/${esc}\\[[0-9;]*m//g" "$T/out" >"$T/plain"
unlike 'no name moves the cursor' "$T/plain" "$esc"

# ---- width ------------------------------------------------------------------------------------------

# The narrowest, where all that can be cut is, and the usual one; in the long tests two more.
all_columns='40 80'
[ -z "${PAWL_TEST_SLOW:-}" ] || all_columns='40 60 80 200'
for kind in each hostile; do
	fill "$kind"
	for columns in $all_columns; do
		for command in "$report" "$report -v" "$report --plot" \
			'pawl history --project proj --machine 0123456789abcdef' 'pawl doctor'; do
			# a path is a word that stays whole
			[ "$columns $command" != '40 pawl doctor' ] || continue
			for locale in C C.UTF-8; do
				on $columns env LC_ALL=$locale $command
				is "$kind: $columns columns, $locale: $command" \
					"$(wide $columns)" ''
			done
		done
	done
done
fill each
on 200 env COLUMNS=40 $report
is 'COLUMNS counts before the terminal' "$(wide 40)" ''
for columns in 0 x -1 99999999999999999999; do
	env COLUMNS="$columns" $report >"$T/out" 2>/dev/null
	$report >"$T/free" 2>/dev/null
	check "COLUMNS=$columns is none" cmp "$T/out" "$T/free"
done
fill many 200
$report >"$T/free" 2>/dev/null
unlike 'where nothing is wide, nothing is cut' "$T/free" '[^.]\.\.\.[^.]|…'
on 20 $report
check 'twenty columns are few, and no fault' [ -s "$T/out" ]

# ---- progress ---------------------------------------------------------------------------------------

rm -rf .git/pawl
measure='pawl collect --runs 8..8 -- sleep 0.05'
on 40 $measure
like 'a terminal sees what runs' "$T/out" "$(printf '\r')${esc}\\[K"
is 'in a line that fits' "$(wide 40 |
	grep -v -e '^pawl: ' -e '^hint: ')" ''
on 40 env TERM=dumb $measure
unlike 'a dumb one gets no line that is drawn anew' "$T/out" "$esc"
$measure >"$T/out" 2>"$T/err"
unlike 'a file neither' "$T/err" "$esc|$(printf '\r')"
on 40 pawl collect --quiet --runs 8..8 -- sleep 0.05
unlike 'quiet is quiet' "$T/out" "$(printf '\r')${esc}\\[K"

# ---- who asks on it ---------------------------------------------------------------------------------

new_repo "$T/locked"
cd "$T/locked" || exit 1
printf 'printf "Passphrase: " >/dev/tty\nread -r word </dev/tty\necho "$word" >>%s/words\ncat\n' "$T" >"$T/ask.sh"
echo 'f filter=locked' >.gitattributes
echo one >f
commit_all . one
echo two >f
commit_all . two
git config filter.locked.smudge "sh '$T/ask.sh'"
on -t 'open\nopen\n' 80 pawl compare --build true --pairs 6 --layouts off HEAD~1 HEAD -- cat f
is 'a filter of a checkout may ask, for each side' "$(cat "$T/words" 2>/dev/null)" "$(printf 'open\nopen')"
