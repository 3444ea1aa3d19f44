# Programs that find the file beside themselves by other ways than /proc/self/exe: each commit runs with
# its own file, also as a copy's data could not be found.
. "$(dirname "$0")/../../lib.sh"

# project NAME: own.c, which does as much work as data.txt beside the program says, and a little without it
project() {
	new_repo "$T/$1"
	cd "$T/$1" || exit 1
	echo 'build/' >.gitignore
	printf '[pawl]\n\tbuild = mkdir -p build && cc -O1 -o build/bench own.c && cp data.txt build/\n' >.pawlconfig
	printf '[benchmark "x"]\n\tcommand = build/bench\n\tinput = data.txt\n' >>.pawlconfig
	{
		printf '#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'
		printf '#include <unistd.h>\n#include <sys/auxv.h>\n'
		cat
		cat <<'END'
int main(void)
{
	char path[4096] = "", text[32] = "100000";
	FILE *f;

	place(path);
	strcpy(strrchr(path, '/'), "/data.txt");
	f = fopen(path, "r"); /* without it a little work is done in silence */
	if (f && !fgets(text, sizeof(text), f))
		return 2;
	for (volatile long i = atol(text); i > 0; i--)
		;
	return 0;
}
END
	} >own.c
	echo 3000000 >data.txt
	commit_all . one
	echo 9000000 >data.txt
	commit_all . two
}

by_number() {
	project "$1" <<'END'
static void place(char *out)
{
	char name[64] = "/proc/", number[32];

	snprintf(number, sizeof(number), "%d", (int)getpid());
	strcat(strcat(name, number), "/exe");
	if (readlink(name, out, 4000) < 0)
		exit(2);
}
END
}

by_auxv() {
	project "$1" <<'END'
static void place(char *out) { strcpy(out, (const char *)getauxval(AT_EXECFN)); }
END
}

by_auxv auxv
runs 1 'data beside a program that asks for AT_EXECFN' pawl compare -q --pairs 12 --layouts off
sed -i 's/9000000/3000000/' data.txt
sed -i 's/100000/100001/' own.c
commit_all . three
runs 0 'its code differs' pawl compare --json -q --pairs 12 --layouts 4
is 'it runs in one layout, and that is told' "$(json "$T/out" "'beside itself' in str(d['benchmarks'][0])")" True

by_number number
runs 1 'data beside a program that puts a path together' pawl compare -q --pairs 12 --layouts off
runs 0 'one commit alone' pawl collect -q --runs 12..12

# ---- one commit at a time --------------------------------------------------------------------------

sed -i 's/100000/100001/' own.c
commit_all . three
runs 0 'a commit whose base only the cache has' pawl collect --json -q --runs 12..12
is 'is not run beside a copy of that' "$(json "$T/out" "d['baseline']['how']")" stored
