# Where what is executed cannot be recorded or kept, it is measured as before, and one line says
# what was not done; what was left unfinished is no answer.
. "$(dirname "$0")/../../../lib.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip 'what is executed' 'only programs of x86-64 are recorded'
	exit 0
fi
new_repo "$T/repo"
cd "$T/repo" || exit 1
# While it is traced and "$T/kill" is there it takes that away and kills who traces it.  It asks for
# its status only then: who asks how it lies in memory is measured.
cat >prog.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int idle(int x) { return x * 3; }
int main(void)
{
	FILE *f = access(KILL, F_OK) ? NULL : fopen("/proc/self/status", "r");
	char line[200];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "TracerPid:", 10) && atoi(line + 10) && !unlink(KILL))
			kill(atoi(line + 10), SIGKILL);
	return 0;
}
END
cat >.pawlconfig <<END
[pawl]
	build = cc -O1 -fuse-ld=bfd '-DKILL=\"$T/kill\"' -c prog.c && cc -fuse-ld=bfd -o prog prog.o
[benchmark "work"]
	command = ./prog
END
printf 'prog\n*.o\n' >.gitignore
commit_all . one
sed -i 's/x \* 3/x * 5/' prog.c && commit_all . 'what it does not execute'

# compares NAME VERDICT REASON: REASON: "" where it is known
compares() {
	pawl compare --json --pairs 12 --layouts off --threshold 90% >"$T/out" 2>"$T/err"
	status=$?
	[ $status -le 1 ]
	result $? "$1" "exit status $status" "$(tail -n 20 "$T/err")"
	is "$1: whether it is measured" "$(json "$T/out" "d['benchmarks'][0]['metrics'] != []")" "$2"
	is "$1: why" "$(json "$T/out" "'$3' in (d['benchmarks'][0]['changes'].get('why') or '') if '$3' else d['benchmarks'][0]['changes'].get('why')")" "$4"
}

: >"$T/kill"
pawl compare --pairs 12 --layouts off >"$T/out" 2>"$T/err"
status=$?
if [ -e "$T/kill" ]; then
	skip 'what is executed' 'ptrace is refused here'
	exit 0
fi
is 'it was killed while it recorded' "$status" 137
is 'nothing is kept' "$(ls .git/pawl/trees/*/layouts/*/executed-* 2>/dev/null)" ''
compares 'after that' False '' None

# What cannot be written: something lies where it is to be kept.
for kept in .git/pawl/trees/*/layouts/*/executed-*; do
	rm "$kept" && mkdir "$kept" && : >"$kept/full"
done
compares 'where nothing can be kept' False '' None
for kept in .git/pawl/trees/*/layouts/*/executed-*; do
	rm -r "$kept" && echo 'pawl executed 1' >"$kept"
done
compares 'what an older pawl kept' False '' None

# Trees that were built before links were recorded.
rm -rf .git/pawl/trees/*/links .git/pawl/trees/*/layouts
compares 'trees from before' True 'no link was recorded' True
