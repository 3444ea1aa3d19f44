# Both sides of a pair at once, where that scatters less: chosen, kept, told; or forbidden.
. "$(dirname "$0")/../../lib.sh"

mkdir "$T/repo" "$T/peers"
cd "$T/repo" || exit 1
git init -q .
# Computes for 18 ms, and alone for up to 18 ms more, another time in each run.
cat >lonely.c <<'END'
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static void compute(double seconds)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec < seconds);
}
static int peers(const char *path)
{
	DIR *d = opendir(path);
	int n = 0;

	while (d && readdir(d))
		n++;
	return n - 3; /* itself */
}
int main(int argc, char **argv)
{
	struct timespec now;
	char own[300];
	int seen;

	(void)argc;
	snprintf(own, sizeof(own), "%s/%d", argv[1], (int)getpid());
	close(open(own, O_CREAT | O_WRONLY, 0600));
	seen = peers(argv[1]) > 0;
	compute(0.018);
	seen = seen || peers(argv[1]) > 0;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!seen)
		compute(0.018 + 0.018 * (double)(now.tv_nsec / 1000 % 1000) / 1000);
	unlink(own);
	return puts("done") < 0;
}
END
{
	printf '[pawl]\n\tbuild = make\n'
	printf '[benchmark "lonely"]\n\tcommand = ./lonely %s\n' "$T/peers"
	printf '[benchmark "forbidden"]\n\tcommand = ./lonely %s\n\tatOnce = false\n' "$T/peers"
} >.pawlconfig
printf '%s\n' 'lonely: lonely.c' '	cc -O2 -o $@ $<' >Makefile
echo lonely >.gitignore
commit_all . one
sed -i 's/compute(\([0-9.]*\));/compute(\11);/' lonely.c # what runs, or nothing would be measured
commit_all . two

# of NAME EXPRESSION: of the entry b in the document.
of() {
	json "$T/out" "[$2 for b in d['benchmarks'] if b['name'] == '$1'][0]"
}
wall="[(m['state'], m.get('reason')) for m in b['metrics'] if m['name'] == 'wall'][0]"

# Where a neighbour holds pawl up between the two, one run may have been alone: then once more.
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
