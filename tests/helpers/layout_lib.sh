# What a build of pawl's is to linkers, without the commit around it: $KEY/tree is the tree.
# Sourced by the scripts of layouts, behind lib.sh.
PAWL=$(cd "$BUILD" && pwd)/pawl
LAYOUTS=$(cd "$BUILD" && pwd)/helpers/layouts
KEY=$T/key

# new_tree: an empty tree with the three parts of a small program, which is entered
new_tree() {
	rm -rf "$KEY" "$T/linkers"
	mkdir -p "$KEY/tree" "$T/linkers"
	"$LAYOUTS" --install "$T/linkers" "$PAWL" || echo '# cannot install the linkers'
	cd "$KEY/tree" || exit 1
	cat >main.c <<'END'
#include <stdio.h>
int f(int), h(int);
int started, plain = 5, many[300];
const int table[] = { 1, 2, 3, 4, 5, 6 };
__attribute__((constructor)) static void first(void) { started = 1; }
static int local(int x) { return x + many[x]; }
int main(int c, char **v)
{
	printf("%d %d %d %s\n", f(c), h(c), table[c] + plain + started + local(c), *v ? "" : "x");
	return 0;
}
END
	cat >f.c <<'END'
extern int started;
int kept[50] = { 1, 2 }, q;
__attribute__((constructor)) static void second(void) { started = started * 10 + 2; }
__attribute__((noinline)) static int local(int x) { return x * 7; }
int f(int x)
{
	for (int i = 0; i < x; i++)
		q += local(i);
	return q + kept[x];
}
END
	cat >h.c <<'END'
extern int started;
__thread int t = 4;
const char *const names[] = { "abc", "def" };
__attribute__((constructor)) static void third(void) { started = started * 10 + 3; }
__attribute__((noinline)) static int local(int x) { return x * 9; }
int unused(int x) { return x + 1; }
int h(int x)
{
	t += local(x);
	return t + names[x & 1][0];
}
END
}

# recorded COMMAND...: in the tree, as the build of a commit would
recorded() {
	env COMPILER_PATH="$T/linkers" PAWL_BUILD_LINKS="$KEY/links" "$@"
}

# records: how many links were recorded
records() {
	ls "$KEY/links" 2>/dev/null | grep -c '^[0-9]*-[0-9]*$'
}

# has PROGRAM: whether it is installed
has() {
	command -v "$1" >/dev/null
}

# nm [OPTION...] FILE...: with the compiler's own plugin; looking for one would load all of LLVM, if that is
# here, and take five times as long
plugin=$(${CC:-cc} -print-file-name=liblto_plugin.so)
nm() {
	if [ -e "$plugin" ]; then set -- --plugin "$plugin" "$@"; fi
	command nm "$@"
}
