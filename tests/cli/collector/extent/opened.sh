# The same machine code does something else with other files: what a benchmark opens of its tree,
# starts, loads or looks for is the same on both sides, or it is measured.
. "$(dirname "$0")/../../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >main.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
static int number(const char *name)
{
	FILE *f = fopen(name, "r");
	int n = 0, good = f && fscanf(f, "%d", &n) == 1;

	return good ? n : 0;
}
static int started(void)
{
	int status = 0;

	if (!vfork()) {
		execl("./helper", "helper", (char *)0);
		_exit(1);
	}
	return wait(&status) < 0 || status;
}
int main(int c, char **v)
{
	const char *what = c > 1 ? v[1] : "";
	FILE *f;

	if (!strcmp(what, "starts"))
		return started();
	if (!strcmp(what, "calls"))
		return system("./script.sh") != 0;
	if (!strcmp(what, "reads"))
		return number("data/rounds") < 0;
	if (!strcmp(what, "links"))
		return number("data/now") < 0;
	if (!strcmp(what, "looks"))
		return access("data/flag", F_OK) == 0 ? usleep(1) : 0;
	if (!strcmp(what, "loads"))
		return !dlopen("./plugin.so", RTLD_NOW);
	if (!strcmp(what, "under"))
		return number("dir/n") < 0;
	if (!strcmp(what, "chained"))
		return number("far") < 0;
	if (!strcmp(what, "enters"))
		return chdir("dir") || number("n") < 0;
	if (!strcmp(what, "tries"))
		return execl("./late.sh", "late.sh", (char *)0) == 0;
	if (!strcmp(what, "sleeps"))
		return usleep(150000);
	if (!strcmp(what, "folders"))
		return mkdir("data/made", 0700) ? usleep(1) : rmdir("data/made");
	if (!strcmp(what, "hooks"))
		return link("data/flag", "data/other") ? 0 : unlink("data/other");
	if (!strcmp(what, "moves"))
		return rename("data/flag", "data/flag2") ? 0 : rename("data/flag2", "data/flag");
	if (!strcmp(what, "cuts"))
		return truncate("data/flag", 0) ? 0 : usleep(1);
	if (!strcmp(what, "permits"))
		return chmod("data/flag", 0644) ? 0 : usleep(1);
	if (!strcmp(what, "watches"))
		return inotify_add_watch(inotify_init(), "data/flag", IN_OPEN) < 0 ? 0 : usleep(1);
	if (!strcmp(what, "handles"))
		return listxattr("data/flag", NULL, 0) < 0 ? 0 : usleep(1);
	if (!strcmp(what, "around"))
		return access("/proc/self/cwd/data/flag", F_OK) ? 0 : usleep(1);
	if (!strcmp(what, "rings")) /* what it asks for by one is not seen; none is allowed: so it may be */
		return syscall(SYS_io_uring_setup, 4, &(char[256]){ 0 }) == 0;
	if (!strcmp(what, "keeps"))
		return mkdir("written", 0700) || rename("written", "written2") || rmdir("written2");
#ifdef __x86_64__
	if (!strcmp(what, "numbers")) { /* access() as programs of 32 bits ask */
		static char name[] = "data/flag";
		long there;

		__asm__ volatile("int $0x80" : "=a"(there) : "a"(33), "b"(name), "c"(0) : "memory");
		return there ? 0 : usleep(1);
	}
#endif
	if (!strcmp(what, "makes") && (f = fopen("made.txt", "w")))
		return fprintf(f, "%d\n", number("data/rounds")) < 0 || fclose(f);
	if (!strcmp(what, "takes"))
		return number("made.txt") < 0;
	if (!strcmp(what, "writes") && (f = fopen("written.txt", "w")))
		fclose(f);
	return 0;
}
END
echo 'static volatile int n = 3; int main(void) { return n > 7; }' >helper.c
echo 'int plugin = 1;' >plugin.c
echo 'int main(void) { return 0; }' >other.c
printf '#!/bin/sh\nexit 0\n' >script.sh
chmod +x script.sh
mkdir data
echo 1 >data/rounds
echo 2 >data/more
ln -s rounds data/now
mkdir data/one data/two
echo 1 >data/one/n
echo 2 >data/two/n
ln -s data/one dir
ln -s near far
ln -s data/one/n near
cat >Makefile <<'END'
all: prog helper other plugin.so
prog: main.c
	cc -O1 -o $@ main.c -ldl
plugin.so: plugin.c
	cc -shared -fPIC -o $@ plugin.c
END
{
	printf '[pawl]\n\tbuild = make -s all\n'
	for what in starts calls reads links under chained enters tries looks loads folders hooks moves cuts permits watches handles around rings keeps numbers writes nothing; do
		printf '[benchmark "%s"]\n\tcommand = ./prog %s\n' $what $what
	done
} >.pawlconfig
printf 'prog\nhelper\nother\n*.so\nwritten.txt\nmade.txt\n' >.gitignore
commit_all . one

# compares NAME [OPTION...]: the last two commits; each benchmark with its verdict, or why it was
# measured
compares() {
	name=$1
	shift
	pawl compare --json -q --pairs 6 --layouts off --threshold 90% "$@" >"$T/out" 2>"$T/err"
	status=$?
	[ $status -le 1 ]
	result $? "$name" "exit status $status" "$(tail -n 20 "$T/err")"
	json "$T/out" "'\n'.join('%s: %s' % (b['name'], 'identical' if b['verdict'] == 'identical' else (b['metrics'] != [] and b['changes'] and b['changes'].get('why')) or 'measured') for b in d['benchmarks'])" >"$T/verdicts"
}

# verdict NAME
verdict() {
	sed -n "s,^$1: ,,p" "$T/verdicts"
}

# Files that none of them opens or looks for.
sed -i '1i/* a comment */' main.c
sed -i 's/return 0/return 7/' other.c
echo text >notes.txt
commit_all . two
compares 'files that nobody opens'
is 'all are the same, but what is not seen' "$(grep -v ': identical$' "$T/verdicts" | cut -d: -f1 | sort | tr '\n' ' ')" \
	"$([ "$(uname -m)" != x86_64 ] || echo 'around numbers rings ')"
if [ "$(uname -m)" != x86_64 ]; then
	skip 'which files are opened' 'only programs of x86-64 are watched'
	exit 0
fi
is 'what each opens is kept beside both trees' "$(ls .git/pawl/trees/*/opened/* 2>/dev/null | wc -l)" 40
ls -di .git/pawl/trees/*/opened >"$T/kept"

sed -i 's/3/4/' helper.c
sed -i 's/exit/: ; exit/' script.sh
echo 22 >data/rounds
ln -sf more data/now
ln -sfn data/two dir
ln -sf data/two/n near
cp script.sh late.sh
: >data/flag
sed -i 's/1/2/' plugin.c
mkdir data/made
: >data/made/x
commit_all . three
compares 'the same code with other files'
is 'what was kept stays when a tree is used again' "$(ls -di .git/pawl/trees/*/opened | grep -cFf "$T/kept")" 2
differs='it opens or looks for a file that differs'
is 'a helper that it starts' "$(verdict starts)" "$differs ('helper')"
is 'a script that a shell runs' "$(verdict calls)" "$differs ('script.sh')"
is 'data that no configuration names' "$(verdict reads)" "$differs ('data/rounds')"
like 'a link that leads elsewhere' "$T/verdicts" "^links: $differs \('data/(now|rounds)'\)"
is 'a folder that is a link' "$(verdict under)" "$differs ('dir/n')"
is 'a link to a link' "$(verdict chained)" "$differs ('far')"
is 'a linked folder that it goes into' "$(verdict enters)" "$differs ('dir')"
is 'a program that it tries to start' "$(verdict tries)" "$differs ('./late.sh')"
is 'a file that is new, and looked for' "$(verdict looks)" "$differs ('data/flag')"
is 'a plugin' "$(verdict loads)" "$differs ('plugin.so')"
is 'a folder that is new, and is to be made' "$(verdict folders)" "$differs ('data/made')"
for what in hooks moves cuts permits watches handles; do
	is "a file that is new ($what)" "$(verdict $what)" "$differs ('data/flag')"
done
is 'a folder that it makes itself' "$(verdict keeps)" identical
for what in numbers around rings; do
	is "what is not seen ($what)" "$(verdict $what)" 'it asks for more files than can be seen'
done
is 'a file that it writes itself' "$(verdict writes)" identical
is 'one that opens none' "$(verdict nothing)" identical
valid 'the document is as its schema says' "$T/out"
runs 0 'in words' pawl report --last
like 'why it was measured' "$T/out" "starts is measured although its code is the same: it opens or looks for a file that differs \('helper'\)"

# What another benchmark made in the tree of the base is an input, as any other file.
printf '[benchmark "makes"]\n\tcommand = ./prog makes\n[benchmark "takes"]\n\tcommand = ./prog takes\n' >>.pawlconfig
commit_all . four
echo 333 >data/rounds
commit_all . five
compares 'one benchmark makes what the next one reads' -b makes -b takes
is 'the file that another one made' "$(verdict takes)" "$differs ('made.txt')"

sed -i '/"makes"/,$d' .pawlconfig
printf '[benchmark "sleeps"]\n\tcommand = ./prog sleeps\n' >>.pawlconfig
commit_all . six
echo more >>notes.txt
commit_all . seven
compares 'time ends while it is looked at' -b sleeps --budget 300ms --wait 1h
is 'that is no failure' "$(verdict sleeps)" 'no time was left to see which files it opens'

# Inside a program the first iterations are not all: one opens its table in the 51st.
cat >late.c <<'END'
#include <stdio.h>
#include "pawl.h"
static int n, value;
static void late(void *ctx, uint64_t times, struct pawl_run *r)
{
	(void)ctx;
	(void)r;
	for (; times--; n++) {
		FILE *f = n == 50 ? fopen("data/rounds", "r") : NULL;

		if (f)
			value = getc(f);
		for (int i = 0; i < 1000; i++)
			value = pawl_hide(value);
	}
}
static void never(void *ctx, uint64_t times, struct pawl_run *r)
{
	n = 51;
	late(ctx, times, r);
}
static void makes(void *ctx, uint64_t times, struct pawl_run *r)
{
	FILE *from = fopen("data/rounds", "r"), *to = fopen("made.txt", "w");

	fputc(getc(from), to);
	fclose(from);
	fclose(to);
	never(ctx, times, r);
}
static void takes(void *ctx, uint64_t times, struct pawl_run *r)
{
	FILE *f = fopen("made.txt", "r");

	if (f)
		fclose(f);
	never(ctx, times, r);
}
int main(int argc, char **argv)
{
	static const struct pawl_bench all[] = { PAWL_BENCH("late", late), PAWL_BENCH("never", never),
						 PAWL_BENCH("makes", makes), PAWL_BENCH("takes", takes) };

	return pawl_main(argc, argv, all, 4);
}
END
printf '[pawl]\n\tbuild = make -s late\n\tminTime = 1ms\n[benchmark "in"]\n\tcommand = ./late\n' >.pawlconfig
printf 'late: late.c\n\tcc -O1 -I%s/include -o $@ late.c %s/libpawl.a %s\n' "$ROOT" "$BUILD" "$(libpawl_flags)" >Makefile
echo late >>.gitignore
commit_all . eight
echo 444 >data/rounds
commit_all . nine
compares 'a benchmark inside a program'
is 'that opens a file in a late iteration' "$(verdict in/late)" "$differs ('data/rounds')"
is 'one that opens none' "$(verdict in/never)" identical
is 'one that reads what another one made' "$(verdict in/takes)" "$differs ('made.txt')"
compares 'once more, when the other one need not be looked at' -b in/makes -b in/takes
is 'and nothing is there that it made' "$(verdict in/takes)" "$differs ('made.txt')"

# ---- who looks for leaks at its end cannot while it is traced ------------------------------------------

if echo 'int main(int n, char **v) { return !v[n - 1]; }' >leaks.c &&
	cc -fsanitize=address -o leaks leaks.c 2>/dev/null && ./leaks; then
	printf '[pawl]\n\tbuild = cc -fsanitize=address -o leaks leaks.c\n[benchmark "leaks"]\n\tcommand = ./leaks\n' >.pawlconfig
	echo leaks >>.gitignore
	commit_all . ten
	echo '/* no code */' >>leaks.c
	commit_all . eleven
	compares 'a program with the leak sanitizer'
	is 'is looked at without it' "$(verdict leaks)" identical
else
	skip 'a program with the leak sanitizer' 'the compiler makes none'
fi
