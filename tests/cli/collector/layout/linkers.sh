# One project with several linkers: what is drawn of each, no call for a function that was added
# elsewhere, and what became slower is found.
. "$(dirname "$0")/../../../lib.sh"
unset PAWL_LAYOUTS
CC=${CC:-cc}

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >main.c <<'END'
int puts(const char *);
unsigned work(unsigned);
int main(void) { return puts(work(300000) ? "one" : "other") < 0; }
END
cat >work.c <<'END'
#define TIMES 1
unsigned mix(unsigned, unsigned);
unsigned work(unsigned n)
{
	unsigned x = 1, i;

	for (i = 0; i < n * TIMES; i++)
		x = mix(x, i);
	return x;
}
END
echo 'unsigned mix(unsigned x, unsigned i) { return (x ^ i) * 2654435761u + (x >> 7); }' >mix.c
echo 'const char *const asked = "/proc/self/exe";' >asks.c
# add KIND FLAGS [COMPILER]: a program that is linked so
add() {
	kinds="$kinds $1"
	printf '%s: main.o work.o mix.o asks.o\n\t%s -o $@ main.o work.o mix.o %s\n' "$1" "${3:-$CC}" "$2" >>rules
	printf '[benchmark "%s"]\n\tcommand = ./%s\n' "$1" "$1" >>commands
}
kinds=
add bfd -fuse-ld=bfd
all=
! slow_only 'no libraries, no recorded link, clang, gold' || all=yes
[ -z "$all" ] || add static '-fuse-ld=bfd -static'
add asks '-fuse-ld=bfd -static asks.o'
# As rustc does it with its own lld: in a folder that is looked through before all others.
mkdir toolbox
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v ld.bfd)" >toolbox/ld.lld
chmod +x toolbox/ld.lld
add own '-Btoolbox -fuse-ld=lld'
[ -z "$all" ] || add none '-B. -fuse-ld=bfd'
[ -n "$all" ] && command -v clang >"$T/which" 2>&1 && add clang '-Btoolbox -fuse-ld=lld' clang
for linker in lld mold ${all:+gold}; do
	if command -v ld.$linker >"$T/which" 2>&1; then
		add $linker -fuse-ld=$linker
	else
		skip "$linker" "there is no ld.$linker"
	fi
done
{
	echo "all:$kinds"
	printf '%%.o: %%.c\n\t%s -O1 -c -o $@ $<\n' "$CC"
	cat rules
} >Makefile
{
	printf '[pawl]\n\tbuild = make\n'
	cat commands
} >.pawlconfig
rm rules commands
printf '%s\n' '*.o' $kinds >.gitignore
commit_all . one
echo 'unsigned added(unsigned x) { return x * 3; }' >>mix.c
commit_all . 'a function that nobody calls'

# of KIND FIELD
of() {
	json "$T/out" "[b for b in d['benchmarks'] if b['name'] == '$1'][0]$2"
}

runs 0 'a function that nobody calls' pawl compare --json --pairs 12 --layouts 2 --threshold 90% --measure-identical
for kind in $kinds; do
	case $kind in
	bfd | static | own | none | clang | lld | mold | gold)
		is "$kind: layouts" "$(of $kind "['layouts']['n']")" 2
		;;
	*)
		of $kind "['layouts']['why']" >"$T/why"
		like "$kind: one layout" "$T/why" 'asks.o. names /proc/self/exe'
		;;
	esac
	case $(of $kind "['verdict']") in
	regressed | improved) result 1 "$kind: no call" ;;
	*) result 0 "$kind: no call" ;;
	esac
done

sed -i 's/TIMES 1/TIMES 9/' work.c
commit_all . slower
runs 1 'what became slower' pawl compare --json --pairs 12 --layouts off --threshold 90%
for kind in $kinds; do
	is "$kind: is found" "$(of $kind "['verdict']")" regressed
done
