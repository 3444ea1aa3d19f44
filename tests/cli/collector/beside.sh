# Programs that find the file beside themselves by other ways than /proc/self/exe: each commit runs with
# its own file, also as a copy's data could not be found.
. "$(dirname "$0")/../../lib.sh"

# project NAME FLAG: one of tests/helpers/beside.c
project() {
	new_repo "$T/$1"
	cd "$T/$1" || exit 1
	cp "$ROOT/tests/helpers/beside.c" own.c
	echo 'build/' >.gitignore
	printf '[pawl]\n\tbuild = mkdir -p build && cc -O1 %s -o build/bench own.c && cp data.txt build/\n' "$2" >.pawlconfig
	printf '[benchmark "x"]\n\tcommand = build/bench\n\tinput = data.txt\n' >>.pawlconfig
	echo 3000000 >data.txt
	commit_all . one
	echo 9000000 >data.txt
	commit_all . two
}

project auxv -DBY_AUXV
runs 1 'data beside a program that asks for AT_EXECFN' pawl compare -q --pairs 12 --layouts off
sed -i 's/9000000/3000000/' data.txt
sed -i 's/100000/100001/' own.c
commit_all . three
runs 0 'its code differs' pawl compare --json -q --pairs 12 --layouts 4
is 'it runs in one layout, and that is told' "$(json "$T/out" "'beside itself' in str(d['benchmarks'][0])")" True

# Of what is optimised when it is linked nothing is recorded.
for how in BY_SCAN BY_MAPS; do
	project $how "-flto -D$how"
	runs 1 "data beside a program that finds it: $how" pawl compare -q --pairs 12 --layouts off
	sed -i 's/9000000/3000000/' data.txt
	sed -i 's/100000/100001/' own.c
	commit_all . three
	pawl compare --json -q --pairs 12 --layouts off >"$T/out" 2>"$T/err"
	is "$how: its code differs, and its data" "$(json "$T/out" "d['benchmarks'][0]['verdict']")" improved
done

project number -DBY_NUMBER
runs 1 'data beside a program that puts a path together' pawl compare -q --pairs 12 --layouts off
runs 0 'one commit alone' pawl collect -q --runs 12..12

# ---- one commit at a time --------------------------------------------------------------------------

sed -i 's/100000/100001/' own.c
commit_all . three
runs 0 'a commit whose base only the cache has' pawl collect --json -q --runs 12..12
is 'is not run beside a copy of that' "$(json "$T/out" "d['baseline']['how']")" stored
