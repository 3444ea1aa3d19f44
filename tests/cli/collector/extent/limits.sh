# What limits a program is no code of it, and reaches it from elsewhere: from the shell that starts
# pawl, or by itself.  Where it decides what runs, or how much memory is left, nothing is identical.
. "$(dirname "$0")/../../../lib.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip 'what is executed' 'only programs of x86-64 are recorded'
	exit 0
fi

case $BUILD in
*asan* | *tsan*)
	skip 'limits of memory' 'a sanitizer reserves more than that itself'
	exit 0
	;;
esac

# begin NAME: a project of main.c and spare.c, which main.c executes no function of unless it is told to
begin() {
	new_repo "$T/$1"
	cd "$T/$1" || exit 1
	printf 'prog: main.o spare.o\n\t$(CC) -fuse-ld=bfd -o $@ main.o spare.o\n' >Makefile
	printf '%%.o: %%.c\n\t$(CC) -O1 -c -o $@ $<\n' >>Makefile
	printf '*.o\nprog\n' >.gitignore
	printf '[pawl]\n\tbuild = make -s CC=%s prog\n[benchmark "t"]\n\tcommand = ./prog\n' "${CC:-cc}" >.pawlconfig
	echo 'int spare(int); int spare(int x) { return x * 3; }' >spare.c
}

# verdict: of a comparison of the last two commits
verdict() {
	pawl compare --json -q --pairs 6 --layouts off --threshold 90% >"$T/out" 2>"$T/err"
	json "$T/out" "d['benchmarks'][0]['verdict'] == 'identical' or d['benchmarks'][0]['changes'].get('why') or 'measured'"
}

begin inherited
cat >main.c <<'END'
#include <sys/resource.h>
int spare(int);
int main(int c, char **v)
{
	struct rlimit r;

	return !v || getrlimit(RLIMIT_NOFILE, &r) || (r.rlim_cur > 400 && spare(c) < 0);
}
END
commit_all . one
sed -i 's/3/4/' spare.c
commit_all . two
is 'what it does not execute with few files' "$(ulimit -Sn 300 && verdict)" True
sed -i 's/4/5/' spare.c
commit_all . three
is 'and executes with more of them' "$(ulimit -Sn 500 && verdict)" measured

begin memory
echo 'int spare(int); int main(int c, char **v) { return c > 5 ? spare(c) : !v; }' >main.c
commit_all . one
sed -i 's/{.*/{ static char room[100000]; return room[x]++; }/' spare.c
commit_all . two
is 'memory that it does not use' "$(verdict)" True
limited='its memory is limited, and code that is not executed takes some'
is 'under an inherited limit of memory' "$(ulimit -v 8000000 && verdict)" "$limited"
is 'under one of data alone' "$(ulimit -d 8000000 && verdict)" "$limited"
