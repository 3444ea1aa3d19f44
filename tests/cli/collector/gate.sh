# Which time decides about real programs: CPU time, unless the program itself waits or has threads;
# and another metric where one is named.
. "$(dirname "$0")/../../lib.sh"

mkdir "$T/repo"
cd "$T/repo" || exit 1
git init -q .
cat >common.h <<'END'
#include <stdint.h>
static inline int compute(long n)
{
	volatile uint64_t x = 1;

	while (n--)
		x = x * 3 + 1;
	return !x;
}
END
echo '#include "common.h"
int main(void) { return compute(1000000); }' >computes.c
echo '#include <string.h>
#include <unistd.h>
#include "common.h"
static char text[1000000];
int main(void)
{
	memset(text, 97 + compute(300000), sizeof(text));
	return write(1, text, sizeof(text)) != sizeof(text);
}' >prints.c
echo '#include <unistd.h>
#include "common.h"
int main(void) { return compute(300000) | usleep(10000); }' >sleeps.c
echo '#include <pthread.h>
#include "common.h"
static void *work(void *n) { return compute(8000000) ? n : NULL; }
int main(void)
{
	pthread_t t;

	return pthread_create(&t, NULL, work, NULL) || compute(8000000) || pthread_join(t, NULL);
}' >threads.c
echo '#include <sys/wait.h>
#include <unistd.h>
#include "common.h"
int main(void)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(compute(1000000));
	return waitpid(pid, &status, 0) != pid || status;
}' >helper.c
# The file is in no cache: it is read around it.
echo '#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	static char bytes[65536] __attribute__((aligned(4096)));
	int fd = open(argv[argc - 1], O_RDONLY | O_DIRECT), n = 0;

	while (fd >= 0 && read(fd, bytes, sizeof(bytes)) > 0)
		n++;
	return n != 64;
}' >reads.c
disk=$T # the files of a run may be in memory
[ "$(stat -f -c %T "$T")" != tmpfs ] || disk=$(mktemp -d "$BUILD/gate.XXXXXX") || exit 1
head -c 4194304 /dev/zero >"$disk/file"
sync "$disk/file"
for name in computes sleeps; do
	printf '%s\n' '#!/bin/sh' "./$name" 'status=$?' 'exit $status' >shell-$name
	chmod +x shell-$name
done
{
	echo '[pawl]'
	echo '	build = make'
	for name in computes prints sleeps threads helper shell-computes shell-sleeps; do
		printf '[benchmark "%s"]\n\tcommand = ./%s\n' $name $name
	done
} >.pawlconfig
printf '%s\n' 'all: computes prints sleeps threads helper reads' '%: %.c common.h' \
	"	cc -O2 -pthread $(linker_flag) -o \$@ \$<" >Makefile
printf '%s\n' computes prints sleeps threads helper reads >.gitignore
commit_all . one
echo '/* */' >>common.h
sed -i 's/compute(long n)/compute(long n0)/; s/volatile uint64_t x = 1;/&\n\tlong n = n0 + n0 \/ 100;\n/' common.h
sed -i 's/, n = 0;/, n = 1;/; s/n != 64/n != 65/' reads.c
commit_all . two

# gate PROGRAM: of the entry in the document.
gate() {
	json "$T/out" "[(b['gate'], b['gate_why'][:12]) for b in d['benchmarks'] if b['name'] == '$1'][0]"
}

# cpu PROGRAM WHAT: CPU time decides.  What a hypervisor takes of the processor looks like waiting,
# and may do so in all runs that choose: then the program is asked again, alone.
cpu() {
	cp "$T/out" "$T/all"
	for again in 1 2 3 4; do
		[ "$(gate "$1")" = "('wall', 'it waits (I/')" ] || break
		echo "# $1: not told by comparison $again"
		pawl compare --json --pairs 6 --threshold 90% -b "$1" >"$T/out" 2>"$T/err" </dev/null
	done
	is "$2" "$(gate "$1")" "('cpu', 'one thread t')"
	mv "$T/all" "$T/out"
}

for name in computes prints sleeps threads helper; do set -- "$@" -b $name; done
runs 0 'programs of five kinds' pawl compare --json --pairs 6 --threshold 90% "$@"
cpu computes 'one that computes: CPU time'
cpu prints 'one that prints a megabyte at once, too'
cpu helper 'one whose helper computes, too'
is 'one that sleeps: wall time' "$(gate sleeps)" "('wall', 'it waits (I/')"
is 'one with threads, too' "$(gate threads)" "('wall', 'it runs seve')"
is 'what is printed is the same on both sides' \
	"$(json "$T/out" "[b['output'] for b in d['benchmarks'] if b['name'] == 'prints']")" "['same']"

# placed WHAT LEAST MOST COMMAND...: how often pawl starts the one with threads as a batch job.
placed() {
	what=$1 least=$2 most=$3
	shift 3
	if "$@" strace -e trace=sched_setscheduler -o "$T/trace" pawl compare --json --pairs 6 --threshold 90% \
		-b threads >"$T/out" 2>"$T/err" </dev/null && grep -q 'exited with 0' "$T/trace"; then
		n=$(grep -c SCHED_BATCH "$T/trace")
		check "$what ($n times)" test "$n" -ge "$least" -a "$n" -le "$most"
	else
		skip "$what" 'strace is not installed or may not look'
	fi
}
[ "$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)" -lt 2 ] || placed 'each measured run of it is let alone at its start' 12 1000 env
placed 'none where there is one processor' 0 0 taskset -c "$(awk '/Cpus_allowed_list/ { sub(/[-,].*/, "", $2); print $2 }' \
	/proc/self/status)"

# Beside programs that keep all processors busy.
for i in 1 2 3; do
	timeout 60 sh -c 'while :; do :; done' &
	to_stop="$to_stop $!"
done
kinds='computes sleeps shell-computes'
! slow_only 'five kinds, and shells around two of them, on a busy machine' ||
	kinds="$kinds prints threads helper shell-sleeps"
set --
for name in $kinds; do set -- "$@" -b $name; done
runs 0 'programs and shells around them, on a busy machine' \
	pawl compare --json --pairs 6 --threshold 90% "$@"
for pid in $to_stop; do kill "$pid" && wait "$pid"; done 2>/dev/null
to_stop=
# Where a shell and its program wait for a processor at once, no run may tell; in each comparison some of 48 have the chance.
for name in $kinds; do
	case $name in
	*sleeps) is "$name: wall time" "$(gate $name)" "('wall', 'it waits (I/')" ;;
	threads) is 'threads: wall time' "$(gate threads)" "('wall', 'it runs seve')" ;;
	*) cpu $name "$name: CPU time" ;;
	esac
done

make_reads() { cc -O2 -o "$T/reads" reads.c && "$T/reads" "$disk/file"; }
if [ "$(stat -f -c %T "$disk")" != tmpfs ] && make_reads; then
	runs 0 'one that reads from the disk' pawl compare --json --pairs 6 --threshold 90% -- ./reads "$disk/file"
	is 'waits for it: wall time' "$(gate reads)" "('wall', 'it waits (I/')"
else
	skip 'one that reads from the disk' 'this file system reads nothing around its cache'
fi
[ "$disk" = "$T" ] || rm -rf "$disk"

runs 0 'a metric is named' pawl compare --json --pairs 6 --threshold 90% --metric wall
is 'and decides' "$(gate computes)" "('wall', 'configured')"
runs 0 'another one' pawl compare --json --pairs 6 --threshold 90% --metric=cpu -b sleeps -b computes
is 'for all benchmarks' "$(gate sleeps) $(gate computes)" "('cpu', 'configured') ('cpu', 'configured')"
runs 2 'one that cannot be' pawl compare --metric wal
like 'is refused with what was meant' "$T/err" "did you mean 'wall'"
runs 0 'collect takes it, too' pawl collect --json --no-push --runs 6..6 --threshold 90% --metric wall
is 'and lets it decide' "$(gate computes)" "('wall', 'configured')"
