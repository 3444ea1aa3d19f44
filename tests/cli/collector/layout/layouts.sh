# Pairs drawn over layouts of both sides: recorded, told, used again, bounded, left alone.
. "$(dirname "$0")/../../../lib.sh"
unset PAWL_LAYOUTS

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >hot.c <<'END'
extern int rest(int);
static int table[64];
int hot(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		table[i % 64] += rest(i);
		sum += table[(i * 7) % 64];
	}
	return sum;
}
END
cat >rest.c <<'END'
#include <stdio.h>
extern int hot(int);
int rest(int i) { return i ^ 3; }
int main(void) { printf("%d\n", hot(600000)); return 0; }
END
cat >Makefile <<'END'
prog: hot.o rest.o
	cc -o $@ hot.o rest.o
%.o: %.c
	cc -O1 -c -o $@ $<
END
printf '[pawl]\n\tbuild = make\n\tseed = 7\n[benchmark "prog"]\n\tcommand = ./prog\n' >.pawlconfig
printf 'prog\n*.o\n' >.gitignore
commit_all . one
for i in 1 2; do
	printf 'int unused_%s(int a) { return a * %s + 1; }\n' $i $i$i >>rest.c
	sed -i "s/i ^ [0-9]*/i ^ 3$i/" rest.c # what runs, or nothing would be measured
	commit_all . "unused $i"
done

# layout TRACK-EXPRESSION: of the only benchmark's layouts, in $T/out
layout() {
	json "$T/out" "[(lambda x: $1)(next(t['head'] for t in b['tracks'] if t['name'] == 'layout')) for b in d['benchmarks']][0]"
}

measures() {
	name=$1
	shift
	pawl compare "$@" >"$T/out" 2>"$T/err"
	status=$?
	[ $status -le 1 ]
	result $? "$name" "exit status $status" "$(tail -n 20 "$T/err")"
}

measures 'ten pairs of four layouts' --json --pairs 10 --layouts 4
is 'each pair has one' "$(layout 'len(x)')" 10
is 'four of them' "$(layout 'sorted(set(x))')" '[1, 2, 3, 4]'
is 'each as often as the others' "$(layout 'sorted(x.count(k) for k in set(x))')" '[2, 2, 3, 3]'
is 'they are told' "$(json "$T/out" "d['benchmarks'][0]['layouts']['n']")" 4
valid 'the document is as its schema says' "$T/out"
layouts=$(find .git/pawl/trees -path '*/layouts/*/[0-9]*' ! -name '*.*' | sort)
is 'of both sides' "$(printf '%s\n' "$layouts" | wc -l)" 8
stamps=$(stat -c '%n %i %y' $layouts)

measures 'once more' --json --pairs 12 --layouts 4
is 'they are used again' "$(stat -c '%n %i %y' $layouts)" "$stamps"
is 'none is made' "$(find .git/pawl/trees -path '*/layouts/*/[0-9]*' ! -name '*.*' | wc -l)" 8
is 'three pairs of each' "$(layout 'sorted(x.count(k) for k in set(x))')" '[3, 3, 3, 3]'

measures 'six of six' --json --pairs 12 --layouts 6
is 'the spread is told' "$(json "$T/out" "[isinstance(d['benchmarks'][0]['layouts'][k], (int, float)) for k in ('between', 'within', 'floor')]")" '[True, True, True]'
measures 'in words' --pairs 12 --layouts 6 --verbose
like 'the number' "$T/out" 'layouts: 6, drawn for the pairs'
like 'what they did' "$T/out" 'other layouts moved the change by up to [0-9.]+ %|layouts did not move the change'
for format in markdown html; do
	measures "as $format" --pairs 12 --layouts 6 --format $format
	like "$format says it" "$T/out" 'layouts: 6'
done

measures 'off' --json --pairs 6 --layouts off
is 'none is drawn' "$(json "$T/out" "'layouts' in d['benchmarks'][0] or [t['name'] for t in d['benchmarks'][0]['tracks'] if t['name'] == 'layout']")" '[]'
git config pawl.layouts off
measures 'off by configuration' --json --pairs 6
is 'none is drawn then' "$(json "$T/out" "'layouts' in d['benchmarks'][0]")" False
git config --unset pawl.layouts
runs 2 'a number that is none' pawl compare --layouts 33
like 'the numbers there are' "$T/err" 'a number from 2 to 32'

# What layouts do to the same code is calibrated, kept, and shown beside verdicts.
runs 0 'calibrating' pawl calibrate --quick --times 1
like 'has the layout spread' "$T/out" '(under [0-9.]+ %|% \[[0-9.]+, [0-9.]+\]) +(under )?[0-9.]+ %'
runs 0 'the list' pawl calibrate --list --json
is 'of its pairs of layouts' "$(json "$T/out" "(lambda l: (l['metric'], 0 <= l['low'] <= l['spread'] <= l['high'] < l['high'] + l['scatter']))(d['benchmarks'][0]['layouts'])")" "('cpu', True)"
pairs=$(json "$T/out" "d['benchmarks'][0]['layouts']['n']")
# Sixteen, where no pair was disturbed on both tries and each layout was there in time.
check "of most of them ($pairs)" [ "$pairs" -ge 12 ] && [ "$pairs" -le 16 ]
measures 'beside a verdict' --json --pairs 6 --layouts off
is 'they are told' "$(json "$T/out" "d['benchmarks'][0]['calibration']['layouts']['n']")" "$pairs"
valid 'as the schema says' "$T/out"
measures 'in words' --pairs 6 --layouts off --verbose
like 'what another place does' "$T/out" '(the same code in another place: up to|what another place does to the same code is lost in noise here: under) [0-9.]+ % either way'
# Where that hides what two builds of one layout each differ by, both are built alike, in many.
/usr/bin/python3 -IS - <<'END' || exit 1
import re, sqlite3
db = sqlite3.connect(".git/pawl/results.db")
key, text = db.execute("SELECT key, value FROM meta WHERE key LIKE 'calibrations:%'").fetchone()
# Without its sum, as an early pawl wrote it.
text, n = re.subn('"scatter":[0-9.e+-]+', '"scatter":0.5', text[:text.rindex("\nsum ")])
db.execute("UPDATE meta SET value = ? WHERE key = ?", (text, key))
db.commit()
raise SystemExit(n != 1)
END
make -s prog
check 'a base' pawl collect -q --runs 12..12
sed -i 's/hot(600000)/hot(1800000)/' rest.c
make -s prog
commit_all . 'three times the work'
runs 1 'what layouts hide is found' pawl collect --json --runs 12..12
unlike 'the calibration is known' "$T/err" 'stored calibrations'
is 'by builds that are alike' "$(json "$T/out" '[(b["verdict"], b["baseline_how"], b["layouts"]["n"] > 1) for b in d["benchmarks"]]')" \
	"[('regressed', 'rebuilt', True)]"
runs 0 'calibrating without' pawl calibrate --quick --times 1 --reset --layouts off --json
is 'knows none' "$(json "$T/out" "'layouts' in d['benchmarks'][0]")" False

# Not linked by a recorded link: one layout, and why.
cat >Makefile <<'END'
prog: hot.o rest.o
	COMPILER_PATH= cc -o $@ hot.o rest.o
%.o: %.c
	cc -O1 -c -o $@ $<
END
commit_all . 'no record'
echo 'int unused_3(int a) { return a * 33; }' >>rest.c
commit_all . 'unused 3'
measures 'no record' --json --pairs 6 --layouts 4
is 'as it was built' "$(json "$T/out" "d['benchmarks'][0]['layouts']['n']")" 0
measures 'no record, in words' --pairs 6 --layouts 4
like 'the reason' "$T/out" 'layouts: 1 of prog \('
printf '#!/bin/sh\nexec ./prog >/dev/null # 1\n' >script
chmod +x script
commit_all . script
echo '# 2' >>script
commit_all . 'another script'
measures 'a script' --json --pairs 6 --layouts 4 -- ./script
is 'a script has one' "$(json "$T/out" "d['benchmarks'][0]['layouts']['n']")" 0

# Benchmarks of a libpawl program, which share processes: a layout each pair, of both processes.
new_repo "$T/linked"
cd "$T/linked" || exit 1
cat >bench.c <<'END'
#include "include/pawl.h"
extern unsigned step(unsigned);

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	unsigned x = 1;

	(void)r;
	while (n--)
		x = step(x) + *(unsigned *)ctx;
	pawl_keep(x);
}
int main(int argc, char **argv)
{
	static unsigned by[3] = { 1, 2, 3 };
	const struct pawl_bench b[] = { { .name = "one", .run = run, .ctx = &by[0] },
					    { .name = "two", .run = run, .ctx = &by[1] },
					    { .name = "three", .run = run, .ctx = &by[2] } };

	return pawl_main(argc, argv, b, 3);
}
END
echo 'unsigned step(unsigned x) { return x * 1103515245 + 12345; }' >step.c
lib=$BUILD/libpawl.a
extra=$(libpawl_flags)
cat >Makefile <<END
bench: bench.o step.o
	cc -o \$@ bench.o step.o $lib $extra -lm
%.o: %.c
	cc -O1 -I$ROOT -c -o \$@ \$<
END
printf '[pawl]\n\tbuild = make\n\tminTime = 1ms\n[benchmark "bench"]\n\tcommand = ./bench\n' >.pawlconfig
commit_all . one
sed -i 's,12345,12347,' step.c # what runs, or nothing would be measured
commit_all . two
measures 'a libpawl program' --json --pairs 12 --layouts 4
is 'each of its benchmarks has all of them' "$(json "$T/out" "[(b['name'], b['layouts']['n'], len(next(t['head'] for t in b['tracks'] if t['name'] == 'layout'))) for b in d['benchmarks']]")" "[('bench/one', 4, 12), ('bench/two', 4, 12), ('bench/three', 4, 12)]"

# A shared object of the project moves with the program that loads it; one that the build only copies stays.
new_repo "$T/shared"
cd "$T/shared" || exit 1
cp "$T/repo/hot.c" .
printf '#include <stdio.h>\nextern int hot(int);\nint main(void) { printf("%%d\\n", hot(200000)); return 0; }\n' >main.c
echo 'int rest(int i) { return i ^ 3; }' >rest.c
cat >Makefile <<'END'
prog: main.c libhot.so
	cc -O1 -o $@ main.c -L. -lhot -Wl,-rpath,'$$ORIGIN'
libhot.so: hot.c rest.c
	cc -O1 -fPIC -shared -o $@ hot.c rest.c
END
printf '[pawl]\n\tbuild = make\n[benchmark "prog"]\n\tcommand = ./prog\n' >.pawlconfig
printf 'prog\n*.so\n' >.gitignore
commit_all . one
sed -i 's/i ^ 3/i ^ 5/' rest.c
commit_all . two
measures 'a program with a shared object' --json --pairs 8 --layouts 4
is 'has its layouts' "$(json "$T/out" "d['benchmarks'][0]['layouts']['n']")" 4
is 'of all of it' "$(json "$T/out" "'why' in d['benchmarks'][0]['layouts']")" False
is 'so has the shared object, on both sides' "$(find .git/pawl/trees -path '*/layouts/*/[0-9]*' ! -name '*.*' | wc -l)" 16
sed -i 's/libhot.so: /libhot.so: Makefile /; s/cc -O1 -fPIC/COMPILER_PATH= cc -O1 -fPIC/' Makefile
commit_all . 'not recorded'
sed -i 's/i ^ 5/i ^ 9/' rest.c
commit_all . three
measures 'a shared object whose link was not recorded' --json --pairs 8 --layouts 4
is 'stays as it was built' "$(json "$T/out" "(d['benchmarks'][0]['layouts']['n'], d['benchmarks'][0]['layouts']['why'][:31])")" "(4, 'libhot.so ran as it was built: ')"
measures 'the same in words' --pairs 8 --layouts 4
like 'says so' "$T/out" 'layouts: not of all of prog \(libhot.so ran as it was built'
