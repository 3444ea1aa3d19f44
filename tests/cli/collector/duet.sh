# Both sides of a pair at once, where that scatters less: chosen, kept, told; or forbidden.
. "$(dirname "$0")/../../lib.sh"

mkdir "$T/repo" "$T/peers"
cd "$T/repo" || exit 1
git init -q .
# Computes for 18 ms, and every fourth of those that ran alone for 72: of pairs in turn each second
# one is four times apart.  That another one runs is read from locks, which nobody leaves behind;
# that none will come, from a parent who waits.
cat >lonely.c <<'END'
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
static double computed(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void compute(double seconds)
{
	while (computed() < seconds)
		;
}
static int open_file(const char *folder, const char *name, int how)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return open(path, how | O_CREAT | O_RDWR | O_CLOEXEC, 0600);
}
/* Appends a byte; whether it is a fourth one. */
static bool is_fourth(const char *folder)
{
	int fd = open_file(folder, "alone", O_APPEND);
	off_t n = write(fd, "+", 1) == 1 ? lseek(fd, 0, SEEK_END) : 0;

	return n % 4 == 0;
}
static bool is_held(int lock)
{
	if (flock(lock, LOCK_SH | LOCK_NB))
		return true;
	flock(lock, LOCK_UN);
	return false;
}
static bool parent_waits(void)
{
	char path[40], text[500] = "", *end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)getppid());
	f = fopen(path, "r");
	if (!f || !fgets(text, sizeof(text), f))
		return true;
	fclose(f);
	end = strrchr(text, ')');
	return !end || end[2] == 'S';
}
int main(int argc, char **argv)
{
	int first = open_file(argv[1], "first", 0), second = open_file(argv[1], "second", 0);
	bool is_second = flock(first, LOCK_EX | LOCK_NB), seen = is_second;

	(void)argc;
	if (is_second)
		flock(second, LOCK_EX);
	compute(0.018);
	while (!seen && !(seen = is_held(second)) && !parent_waits() && computed() < 0.5)
		compute(computed() + 0.001);
	if (!seen && is_fourth(argv[1]))
		compute(0.072);
	return puts("done") < 0;
}
END
# By CPU time, said here: where a host takes the processor away, wall time may be chosen, and then
# no pair runs at once (gate.sh has the choice).
{
	printf '[pawl]\n\tbuild = make\n'
	printf '[benchmark "lonely"]\n\tcommand = ./lonely %s\n\tmetric = cpu\n' "$T/peers"
	printf '[benchmark "forbidden"]\n\tcommand = ./lonely %s\n\tmetric = cpu\n\tatOnce = false\n' "$T/peers"
} >.pawlconfig
printf '%s\n' 'lonely: lonely.c' '	cc -O2 -o $@ $<' >Makefile
echo lonely >.gitignore
commit_all . one
sed -i 's/compute(0.018);/compute(0.0181);/' lonely.c # what runs, or nothing would be measured
commit_all . two

# of NAME EXPRESSION: of the entry b in the document.
of() {
	json "$T/out" "[$2 for b in d['benchmarks'] if b['name'] == '$1'][0]"
}
wall="[(m['state'], m.get('reason')) for m in b['metrics'] if m['name'] == 'wall'][0]"

# Five pairs of a machine that others use may scatter all the same: then once more.
for _ in 1 2 3; do
	pawl compare --json --pairs 12 >"$T/first" 2>"$T/err"
	grep -q '"at once"' "$T/first" && break
done
runs 0 'programs that scatter alone' cp "$T/first" "$T/out"
is 'run at once' "$(of lonely "b['pairs_ran']")" 'at once'
is 'with all pairs' "$(of lonely "[m['n'] for m in b['metrics'] if m['name'] == 'cpu'][0]")" 12
is 'judged by CPU time' "$(of lonely "b['gate']")" cpu
is 'and have no wall time' "$(of lonely "$wall")" \
	"('absent', 'both sides ran at once and shared a processor')"
is 'what they print is seen' "$(of lonely "b['output']")" same
is 'or in turn where that is configured' "$(of forbidden "b['pairs_ran']")" 'in turn'
is 'with a wall time' "$(of forbidden "$wall[0]")" ok
valid 'the document is as its schema says' "$T/out"
