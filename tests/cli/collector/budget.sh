# A budget that does not suffice for all benchmarks: some are measured, the others are reported as not
# measured, and a strict gate does not pass.
. "$(dirname "$0")/../../lib.sh"
CC=${CC:-cc}

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >nap.c <<'END'
#include <unistd.h>
int main(int c, char **v)
{
	(void)v;
	usleep(30000 + 7 * SIDE * c);
	return 0;
}
END
printf 'nap: nap.c\n\t%s -DSIDE=1 -o $@ nap.c\n' "$CC" >Makefile
{
	printf '[pawl]\n\tbuild = make\n'
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		printf '[benchmark "n%d"]\n\tcommand = ./nap %d\n' $i $i
	done
} >.pawlconfig
echo nap >.gitignore
commit_all . one
sed -i 's/SIDE=1/SIDE=2/' Makefile
commit_all . two

# reports NAME CURE: of the answer in out, with what was said in err
reports() {
	skipped=$(json "$T/out" "sum(b['status'] == 'skipped' for b in d['benchmarks'])")
	is "$1: all are named" "$(json "$T/out" "len(d['benchmarks'])")" 12
	check "$1: some are measured" [ "$skipped" -lt 12 ]
	check "$1: not all" [ "$skipped" -gt 5 ]
	like "$1: what is not measured is reported once" "$T/err" "^pawl: warning: out of time: $skipped of 12 benchmarks were not measured\$"
	like "$1: with what could be done" "$T/err" "^hint: give more time \\(--budget, for pushes pawl.hook.budget\\), or $2\$"
	is "$1: once" "$(grep -c 'not measured$' "$T/err")" 1
}

runs 3 'a comparison, strictly' pawl compare --wait 1h --budget 400ms --layouts off --strict --json
reports 'a comparison' 'name those that matter: -b n1'
valid 'the document is as its schema says' "$T/out"
runs 0 'a comparison' pawl compare --wait 1h --budget 400ms --layouts off
like 'the closing sentence counts them' "$T/out" '[0-9]+ skipped'
check 'and they are no rows' [ "$(grep -c '^ *. n[0-9]' "$T/out")" -lt 7 ]
make -s nap
runs 0 'a collection' pawl collect --wait 1h --budget 100ms --json
reports 'a collection' 'let several jobs share them \(--shard\)'
runs 3 'a collection, strictly' pawl collect --wait 1h --budget 100ms --strict --json

# ---- what takes longer than all of it ----------------------------------------------------------------

# A program that tells its benchmarks on one side only, and never ends on the other.
new_work_repo "$T/untold"
cd "$T/untold" || exit 1
cp work.c told.c
printf '#include <unistd.h>\nint main(void)\n{\n\tsleep(50);\n\treturn 0;\n}\n' >work.c
set_work 1000 'tells nothing'
cp told.c work.c
set_work 1001 'tells its benchmarks'
runs 3 'a program that does not end on one side' pawl compare --wait 1h --budget 500ms --layouts off --strict --json
is 'is not measured, and nothing of it was added' "$(json "$T/out" "[b['status'] for b in d['benchmarks']]")" "['skipped']"
# patient COMMAND...: on a busy machine the side that answers may need all of a short budget
patient() {
	for budget in 500ms 3s 15s; do
		"$@" --budget $budget >"$T/patient"
		status=$?
		[ $status -eq 3 ] || break
	done
	cat "$T/patient"
	return $status
}
runs 4 'one that told them has failed' patient pawl compare --wait 1h --layouts off --strict --json HEAD..HEAD~1
is 'where it does not end any more' "$(json "$T/out" "[b['status'] for b in d['benchmarks']]")" "['timeout']"
git checkout -q HEAD~1
runs 3 'one that is collected' pawl collect --wait 1h --budget 500ms --strict --json
is 'is not waited for either' "$(json "$T/out" "[b['status'] for b in d['benchmarks']]")" "['skipped']"

# Whether a program from elsewhere opens anything of the commits takes a run of each.
new_repo "$T/elsewhere"
cd "$T/elsewhere" || exit 1
{
	printf '[pawl]\n\tbuild = true\n'
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		printf '[benchmark "s%d"]\n\tcommand = sleep 0.3 0.00%02d\n' $i $i
	done
} >.pawlconfig
commit_all . one
echo >more
commit_all . two
runs 4 'programs from elsewhere' pawl compare --wait 1h --budget 1s --layouts off --json
skipped=$(json "$T/out" "sum(b['status'] == 'skipped' for b in d['benchmarks'])")
check 'are not all looked at within the budget' [ "$skipped" -gt 5 ]
is 'those that were are refused' "$(grep -o 'lies in neither tree' "$T/out" | wc -l)" $((12 - skipped))

# A head that never ends, where the base takes no time at all, is no matter of the budget.
cd "$T/repo" || exit 1
sed -i 's/SIDE=2/SIDE=1000000/' Makefile
commit_all . 'never ends'
runs 4 'a head that does not end' pawl compare --wait 1h --budget 1200ms --layouts off --json -b n1
like 'has failed' "$T/out" '"status": *"timeout"'
cd "$T/untold" || exit 1
git checkout -q -f -
sed -i 's/^int main.*/&\n#define pawl_main(...) (sleep(50), 0)/' work.c
sed -i '1i #include <unistd.h>' work.c
commit_all . 'says nothing'
case $BUILD in
*asan* | *tsan*) skip 'one that does not even say which benchmarks it has' 'with a sanitizer the base takes its time, too' ;;
*)
	runs 4 'one that does not even say which benchmarks it has' pawl compare --wait 1h --budget 1200ms --layouts off --json
	is 'has failed, too' "$(json "$T/out" "[(b['name'], b['status']) for b in d['benchmarks']]")" "[('work/chain', 'timeout')]"
	;;
esac

# Nor is a program of another harness waited for.
printf '[benchmark "other"]\n\tcommand = build/bench\n\tformat = google\n' >>.pawlconfig
make -s
runs 3 'one of another harness that does not list its benchmarks' pawl collect --wait 1h --budget 500ms --strict --json
is 'is not waited for either' "$(json "$T/out" "[b['status'] for b in d['benchmarks']]")" "['skipped', 'skipped']"
