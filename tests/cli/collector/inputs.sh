# A file that a command names and the base does not have: nothing is compared, and that is said, unless
# both sides are to be given the same file.
. "$(dirname "$0")/../../lib.sh"

field() {
	json "$T/out" "[$2 for b in d['benchmarks'] if b['name'] == '$1'][0]"
}

# steps N: the program, which does N times what the file of its argument says
steps() {
	cat >run.c <<END
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "none";
	FILE *f = fopen(strncmp(name, "--file=", 7) ? name : name + 7, "r");
	unsigned long n = 0;
	volatile unsigned long x = 1;
	if (!f || fscanf(f, "%lu", &n) != 1)
		return 9;
	for (n *= $1; n > 0; n--)
		x = x * 31 + n;
	return 0;
}
END
}

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf 'run: run.c\n\t$(CC) -O1 -o run run.c\n' >Makefile
echo /run >.gitignore
steps 1
commit_all . one
steps 3
commit_all . two
steps 9
echo 300000 >fib.txt

# ---- untracked -----------------------------------------------------------------------------------

runs 4 'an untracked argument' pawl compare --working-tree -- ./run fib.txt
like 'is not compared' "$T/out" "not compared: the base has no 'fib.txt', which is untracked"
like 'and there are cures' "$T/out" 'absolute path|input = fib.txt|git add fib.txt'
like 'nor is anything else' "$T/out" '^Nothing was compared: run is in the head alone'
runs 4 'behind the = of an option' pawl compare --json --working-tree -- ./run --file=fib.txt
like 'it is found too' "$T/out" "not compared: the base has no 'fib.txt'"
valid 'the document fits the schema' "$T/out"
runs 1 'its absolute path' pawl compare --json --working-tree -- ./run "$PWD/fib.txt"
is 'is given to both' "$(field run "b['verdict']")" regressed
runs 1 'of commits as well' pawl compare --json HEAD~1..HEAD -- ./run "$PWD/fib.txt"
is 'which are compared' "$(field run "b['verdict']")" regressed
printf '[pawl]\n\tbuild = make\n[benchmark "fib"]\n\tcommand = ./run --file=fib.txt\n' >.pawlconfig
runs 4 'a benchmark of the configuration' pawl compare --working-tree
printf '\tinput = fib.txt\n' >>.pawlconfig
runs 1 'that names it as its input' pawl compare --working-tree
like 'is compared' "$T/out" 'fib .*regressed'
runs 1 'and once more' pawl compare --reuse HEAD~1..HEAD
runs 1 'the same' pawl compare --reuse HEAD~1..HEAD
like 'is known' "$T/err" 'is reused'
echo 300001 >fib.txt
runs 1 'with another file' pawl compare --reuse HEAD~1..HEAD
unlike 'it is not' "$T/err" 'is reused'

# ---- new in the head -----------------------------------------------------------------------------

rm .pawlconfig
commit_all . 'a file'
runs 4 'an argument that is new' pawl compare HEAD~1..HEAD -- ./run fib.txt
like 'is not compared either' "$T/out" "not compared: the base has no 'fib.txt', which is new in the head"
runs 4 'by its absolute path it is the same' pawl compare HEAD~1..HEAD -- ./run "$PWD/fib.txt"
runs 125 'which tests nothing' pawl compare --bisect HEAD~1..HEAD -- ./run fib.txt
printf '[pawl]\n\tbuild = make\n[benchmark "fib"]\n\tcommand = ./run fib.txt\n' >.pawlconfig
printf '\tinput = fib.txt\n[benchmark "own"]\n\tcommand = ./run Makefile2\n' >>.pawlconfig
echo 300000 >Makefile2
commit_all . 'another file'
runs 1 'one that is an input is given to both' pawl compare HEAD~2..HEAD
like 'and how to find which commit it was' "$T/err" \
	"^pawl: to find which commit it was: pawl bisect $(git rev-parse --short=12 HEAD~2) $(git rev-parse --short=12 HEAD) --benchmark "
like 'and compared' "$T/out" 'fib .*regressed'
like 'beside one that is not' "$T/out" "not compared: the base has no 'Makefile2'"
runs 0 'where something was compared, that one is no failure' pawl compare HEAD~1..HEAD
