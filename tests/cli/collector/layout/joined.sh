# Entries of several objects that the order of the link joins to one table: a layout of that is
# another program, whatever its bytes say.  It runs as it was built, and the report says so.
. "$(dirname "$0")/../../../lib.sh"
unset PAWL_LAYOUTS

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >t.h <<'END'
struct entry { long k; void (*f)(long); } __attribute__((aligned(16)));
void work(long k);
END
cat >main.c <<'END'
#include "t.h"
extern const struct entry first, last;
__attribute__((noinline)) void work(long k)
{
	for (volatile long i = 0; i < k; i++)
		;
}
int main(void)
{
	const struct entry *e;

	for (e = &first + 1; e < &last; e++)
		if (e->f)
			e->f(e->k);
	return 0;
}
END
for i in first last; do
	printf '#include "t.h"\nconst struct entry %s = { 0, 0 };\n' $i >$i.c
done
for i in 1 2 3; do
	printf '#include "t.h"\nconst struct entry entry_%d = { 4000000, work };\n' $i >t$i.c
done
cat >Makefile <<'END'
objects = first.o t1.o t2.o t3.o last.o main.o
prog: $(objects)
	cc -no-pie -fuse-ld=bfd -o $@ $(objects)
%.o: %.c
	cc -O1 -fno-pie -c -o $@ $<
END
printf '[pawl]\n\tbuild = make\n\tseed = 7\n[benchmark "prog"]\n\tcommand = ./prog\n' >.pawlconfig
printf 'prog\n*.o\n' >.gitignore
commit_all . one
sed -i 's/4000000/60000000/' t2.c
commit_all . 'one entry takes longer'

pawl compare --json --pairs 12 --layouts 6 >"$T/out" 2>"$T/err"
is 'the entry that changed is seen' "$(json "$T/out" "d['benchmarks'][0]['verdict']")" regressed
is 'it ran as it was built' "$(json "$T/out" "d['benchmarks'][0]['layouts']['why']")" \
	'in another layout it does something else than as it was built'
is 'and in no layout' "$(json "$T/out" "[t['name'] for t in d['benchmarks'][0]['tracks'] if t['name'] == 'layout']")" '[]'
pawl report --last >"$T/out"
like 'the report says so' "$T/out" 'one layout of each side'
