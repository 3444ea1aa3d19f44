# The same machine code runs where it was built: what it finds beside itself, by its own path, in its
# own file or at a socket decides, and no copy takes its place that would find something else.
. "$(dirname "$0")/../../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >main.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
int core(void);
static int sorted(void)
{
	char path[4096];
	FILE *f;

	strcpy(path, (const char *)getauxval(AT_EXECFN));
	strcpy(strrchr(path, '/'), "/data.sorted");
	f = fopen(path, "r");
	return f ? fclose(f) : 0;
}
static int helper(void)
{
	int status = 0;

	if (!fork()) {
		execl("bin/tool/helper", "helper", (char *)0);
		_exit(1);
	}
	return wait(&status) < 0;
}
static int ask(int how)
{
	const struct sockaddr_un at = { AF_UNIX, "sock" };
	const struct sockaddr *a = (const struct sockaddr *)&at;
	int fd = socket(AF_UNIX, how == 2 ? SOCK_DGRAM : SOCK_STREAM, 0);

	if (how == 1 && !bind(fd, a, sizeof(at)))
		return unlink("sock");
	return how == 2 ? sendto(fd, "", 0, 0, a, sizeof(at)) > 0 : connect(fd, a, sizeof(at)) > 0;
}
int main(int c, char **v)
{
	const char *what = c > 1 ? v[1] : "";
	void *plugin = !strcmp(what, "plugin") ? dlopen("libplug.so", RTLD_NOW) : NULL;
	void (*run)(void) = plugin ? (void (*)(void))dlsym(plugin, "run") : NULL;

	if (run)
		run();
	if (!strcmp(what, "again"))
		return access("bin/libcore.so", R_OK);
	if (!strcmp(what, "sorted"))
		return sorted();
	if (!strcmp(what, "helper"))
		return helper();
	if (!strcmp(what, "connects"))
		return ask(0);
	if (!strcmp(what, "binds"))
		return ask(1);
	if (!strcmp(what, "sends"))
		return ask(2);
	return core();
}
END
echo 'int core(void) { return 0; }' >core.c
echo 'int core(void) { return 1; }' >core_tool.c
echo 'int core(void); int main(void) { return core(); }' >helper.c
echo 'void run(void) {}' >plug.c
cat >self.c <<'END'
#include <stdio.h>
int main(int c, char **v)
{
	FILE *f = c > 1 ? fopen(v[0], "r") : NULL;

	return f ? getc(f) != 0x7f : 0;
}
END
cat >Makefile <<'END'
all:
	mkdir -p bin/tool rel1 rel2
	cc -O1 -shared -fPIC $(DEBUG) -o bin/libcore.so core.c
	cc -O1 -shared -fPIC -o bin/tool/libcore.so core_tool.c
	cc -O1 -shared -fPIC -o bin/libplug.so plug.c
	cc -O1 -o bin/bench main.c -Lbin -lcore -ldl -Wl,--enable-new-dtags,-rpath,'$$ORIGIN:$$ORIGIN/../lib'
	cc -O1 -o bin/tool/helper helper.c -Lbin/tool -lcore -Wl,--enable-new-dtags,-rpath,'$$ORIGIN'
	cc -O1 $(DEBUG) -o bin/self self.c
	cc -O1 -o rel1/place self.c
	cp rel1/place rel2
	cp data.sorted bin
END
ln -s rel1 cur
echo 1 >data.sorted
mkdir rel1 rel2
{
	printf '[pawl]\n\tbuild = make -s\n'
	for what in plain plugin again sorted helper connects binds sends; do
		printf '[benchmark "%s"]\n\tcommand = bin/bench %s\n' $what $what
	done
	printf '[benchmark "self"]\n\tcommand = bin/self itself\n[benchmark "other"]\n\tcommand = bin/self\n'
	printf '[benchmark "place"]\n\tcommand = cur/place\n'
} >.pawlconfig
printf 'bin/\nrel1/\nrel2/\n' >.gitignore
commit_all . one

# compares NAME [OPTION...]: the last two commits; each benchmark with its verdict, or why it was measured
compares() {
	name=$1
	shift
	pawl compare --json -q --pairs 6 --threshold 90% "$@" >"$T/out" 2>"$T/err"
	status=$?
	[ $status -le 1 ]
	result $? "$name" "exit status $status" "$(tail -n 20 "$T/err")"
	json "$T/out" "'\n'.join('%s: %s' % (b['name'], 'identical' if b['verdict'] == 'identical' else (b['changes'] or {}).get('why') or 'measured') for b in d['benchmarks'])" >"$T/verdicts"
}

# verdict NAME
verdict() {
	sed -n "s,^$1: ,,p" "$T/verdicts"
}

if [ "$(uname -m)" != x86_64 ]; then
	skip 'what programs find where they lie' 'only programs of x86-64 are watched'
	exit 0
fi
echo text >notes.txt
commit_all . two
compares 'files that nobody opens'
is 'all are the same, but one that may send packets to any path' "$(grep -v ': identical$' "$T/verdicts" | cut -d: -f1)" sends

echo 'void run(void) { static volatile int n; n = 7; }' >plug.c
echo 'int core(void) { static volatile int n; n = 7; return 1; }' >core_tool.c
echo 2 >data.sorted
ln -sfn rel2 cur
sed -i '1i DEBUG = -g3' Makefile
: >sock
commit_all . three
compares 'the same code in another place' --layouts off
differs='it opens or looks for a file that differs'
is 'an object of its own, with more for debuggers' "$(verdict plain)" identical
is 'a program with more for debuggers' "$(verdict other)" identical
is 'which reads its own file' "$(verdict self)" "$differs ('bin/self')"
is 'which looks at its object, as the loader did' "$(verdict again)" "$differs ('bin/libcore.so')"
is 'a plugin beside a program with objects of its own' "$(verdict plugin)" "$differs ('bin/libplug.so')"
is 'data beside it whose name is nearly that of an object' "$(verdict sorted)" "$differs ('bin/data.sorted')"
is 'a helper with another object of that name' "$(verdict helper)" "$differs ('bin/tool/libcore.so')"
is 'the link to the program' "$(verdict place)" "$differs ('cur/place')"
for what in connects binds; do
	is "a file where a socket is looked for ($what)" "$(verdict $what)" "$differs ('sock')"
done
is 'packets to a path' "$(verdict sends)" 'it asks for more files than can be seen'

# Measured, no copy runs where one would do something else.
sed -i 's/return core();/static volatile int n;\n\n\tn = 7;\n\treturn core();/' main.c
commit_all . four
for what in plain plugin sorted helper; do
	compares "other code ($what)" --layouts 4 -b $what
	verdict $what >"$T/why-$what"
done
is 'copies of one that looks for nothing' "$(cat "$T/why-plain")" 'it loads shared objects of the project'
for what in plugin sorted; do
	like "no copy of one that looks beside itself ($what)" "$T/why-$what" '^it looks for files beside itself'
done
like 'no copy of one that starts another program' "$T/why-helper" '^it starts other programs'

# ---- two given programs --------------------------------------------------------------------------

mkdir A B
make -s
for to in A B; do
	cp -r bin/bench bin/libcore.so bin/libplug.so bin/data.sorted bin/self $to
done
printf '[benchmark "x"]\n\tcommand = none\n' >.pawlconfig

# given PROGRAM [ARGUMENT]: A's and B's
given() {
	pawl compare --json -q --pairs 6 --layouts off --threshold 90% --base-bin "A/$1" --head-bin "B/$1" ${2:+-- "$2"} >"$T/out" 2>"$T/err"
	json "$T/out" "d['benchmarks'][0]['verdict'] == 'identical' or d['benchmarks'][0]['changes'].get('why')"
}
is 'their own objects are the same' "$(given bench)" True
like 'a plugin beside each' "$(given bench plugin >verdict; echo verdict)" "both sides ask for files of other names \('.*/A/libplug.so'\)"
like 'data beside each' "$(given bench sorted >verdict; echo verdict)" "both sides ask for files of other names \('.*/A/data.sorted'\)"
