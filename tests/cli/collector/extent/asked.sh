# Two given programs of the same code that ask for files by where they lie are measured.
. "$(dirname "$0")/../../../lib.sh"

cd "$T" || exit 1
mkdir old new
cat >prog.c <<'CODE'
#include <libgen.h>
#include <stdio.h>
#include <string.h>
int main(int c, char **v)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/rounds", c > 2 ? "." : dirname(v[0]));
	f = c > 1 ? fopen(path, "r") : NULL;
	return f && fclose(f);
}
CODE
cc -o old/prog prog.c
cp old/prog new
echo 1 >old/rounds
echo 9 >new/rounds
echo 5 >rounds

# verdict ARGUMENT...
verdict() {
	[ $# -eq 0 ] || set -- -- "$@"
	pawl compare --json -q --pairs 6 --threshold 90% --base-bin old/prog --head-bin new/prog "$@" >"$T/out" 2>"$T/err"
	json "$T/out" "d['benchmarks'][0]['verdict'] == 'identical' or d['benchmarks'][0]['changes'].get('why')"
}

if [ "$(uname -m)" != x86_64 ]; then
	skip 'which files are asked for' 'only programs of x86-64 are watched'
	exit 0
fi
is 'no file' "$(verdict)" True
is 'a file of the folder that both run in' "$(verdict a b)" True
like 'a file beside itself' "$(verdict a >verdict; echo verdict)" "both sides ask for files of other names \('.*/old/rounds'\)"
