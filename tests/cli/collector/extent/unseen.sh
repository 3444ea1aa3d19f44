# What a commit changes beside the code that runs: none of it makes two builds identical.
. "$(dirname "$0")/../../../lib.sh"

export PAWL_LAYOUTS=off
loops='volatile long x = 0; for (long i = 0; i < k; i++) x += i;'

# project NAME: a repository that builds bin/bench of b.c and, where there is one, o.c
project() {
	new_repo "$T/$1"
	cd "$T/$1" || exit 1
	printf '/bin\n' >.gitignore
	printf '%s\n' 'bin/bench: $(wildcard *.c *.txt)' '	@mkdir -p bin' \
		'	for f in *.c; do $(CC) -w -O1 $(FLAGS) -c -o bin/$$f.o $$f || exit; done' \
		'	$(CC) -o bin/bench bin/*.o $(LINK)' >Makefile
}

# measured NAME REASON [OPTION...]: the two newest commits, which must not come out as the same
measured() {
	what=$1 reason=$2
	shift 2
	pawl compare --json --pairs 6 "$@" HEAD~1..HEAD -- bin/bench >"$T/out" 2>"$T/err"
	like "$what" "$T/out" "$reason"
	unlike "$what: it is not identical" "$T/out" '"verdict": *"identical"'
}

# ---- what is in the file and is not loaded by a section ---------------------------------------------

project payload
echo "int main(void) { long k = 10; $loops return 0; }" >b.c
printf '\tobjcopy --add-section payload=data.txt bin/bench\n' >>Makefile
echo 1000 >data.txt
commit_all . base
echo 5000 >data.txt
commit_all . head
measured 'a section that the program reads from its own file' '"binary_id"'

project stack
echo 'int main(void) { unsigned char code[16] = { 0xb8, 0, 0, 0, 0, 0xc3 }; void *p = code;
	__asm__ volatile("" : "+r"(p) : : "memory"); return ((int (*)(void))p)(); }' >b.c
echo 'LINK = -z execstack' >>Makefile
commit_all . base
sed -i 's/execstack/noexecstack/' Makefile
commit_all . head
case $(uname -m) in
x86_64) measured 'a stack that is not executable any more' 'killed by SIGSEGV' ;;
*) skip 'a stack that is not executable any more' 'the code is of x86-64' ;;
esac

# ---- what the loader does at each start ----------------------------------------------------------------

project pages
echo 'int main(int n, char **v) { void list(void); if (n > 1) list(); return 0; }' >b.c
table() {
	echo 'struct { const char *name; char text['$1']; } all[] = {'
	i=0
	while [ $i -lt 60 ]; do
		i=$((i + 1))
		echo "{ \"name$i\", \"x\" },"
	done
	echo '}; int puts(const char *); void list(void) { for (int i = 0; i < 60; i++) puts(all[i].name); }'
}
table 8 >o.c
commit_all . base
table 4088 >o.c
commit_all . head
measured 'as many places to fill in, each in a page of its own' 'more than functions changed'

# ---- texts that the linker joins ------------------------------------------------------------------------

# With -Os gcc aligns the text otherwise, and the linker no longer joins it with its twin: another address.
project joined
text='"a name of more than thirty-two letters, interned"'
echo "const char *name(void) { return $text; }" >name.c
echo "int is_name(const char *p) { return p == $text; }" >is.c
cat >b.c <<'END'
const char *name(void);
int is_name(const char *), printf(const char *, ...);
__attribute__((noinline)) int slow(int x) { for (int i = 0; i < 40; i++) x = x * 3 ^ i; return x; }
int main(void) { int s = 0; for (int i = 0; i < 9999; i++) s += is_name(name()) ? i : slow(i); return printf("%d\n", s) < 0; }
END
printf '%s\n' 'bin/bench: $(wildcard *.c)' '	@mkdir -p bin' '	$(CC) -w -O2 -c -o bin/b.o b.c' \
	'	$(CC) -w -O2 -c -o bin/name.o name.c' '	$(CC) -w -O1 -c -o bin/is.o is.c' \
	'	$(CC) -o bin/bench bin/*.o' >Makefile
commit_all . base
sed -i 's/-O1/-Os/' Makefile
commit_all . head
measured 'a text that is not joined with its twin any more' '"is_name"'

# ---- files -----------------------------------------------------------------------------------------------

project plugin
echo '#include <dlfcn.h>
int main(void) { void *h = dlopen("libplug.so", RTLD_NOW); void (*f)(void) = h ? (void (*)(void))dlsym(h, "run") : 0;
	if (f) f(); return 0; }' >b.c
mkdir plug
echo "void run(void) { long k = 1000; $loops }" >plug/p.c
printf '%s\n' "LINK = -Wl,-rpath,'\$\$ORIGIN'" '	$(CC) -O1 -shared -fPIC -o bin/libplug.so plug/p.c' >>Makefile
# The plugin's line belongs to the rule.
sed -i '/^LINK/d' Makefile && sed -i "1i LINK = -Wl,-rpath,'\$\$ORIGIN'" Makefile
commit_all . base
sed -i 's/1000/2000/' plug/p.c
commit_all . head
measured 'a plugin that is found beside the program' "it opens or looks for a file that differs \('bin/libplug.so'\)"

project replaced
echo "#include <stdio.h>
int main(void) { long k = 0; FILE *f = fopen(\"state\", \"r\"); if (f) { if (fscanf(f, \"%ld\", &k) != 1) return 1; fclose(f); }
	$loops f = fopen(\"state.new\", \"w\"); fprintf(f, \"%ld \", k); fclose(f); return rename(\"state.new\", \"state\") != 0; }" >b.c
printf '[benchmark "bench"]\n\tcommand = bin/bench\n\tformat = command\n' >.pawlconfig
commit_all . base
echo 1000 >state
commit_all . head
pawl compare --json --pairs 6 HEAD~1..HEAD >"$T/out" 2>"$T/err"
like 'a file that it replaces, where the head has one' "$T/out" "looks for a file that differs \('state'\)"

project root
echo "#include <unistd.h>
int main(void) { if (chroot(\".\")) return 0; long k = access(\"/more\", F_OK) ? 10 : 1000; $loops return 0; }" >b.c
commit_all . base
echo 1 >more
commit_all . head
if [ "$(id -u)" -eq 0 ]; then
	measured 'a program with another root' 'it asks for more files than can be seen'
else
	skip 'a program with another root' 'only root may do that'
fi

# ---- limits ------------------------------------------------------------------------------------------------

project limits
echo '#include <sys/resource.h>
int main(void) { void slow(void); struct rlimit r; getrlimit(RLIMIT_NOFILE, &r); if (r.rlim_cur > 100) slow(); return 0; }' >b.c
echo "void slow(void) { long k = 1000; $loops }" >o.c
printf '[benchmark "bench"]\n\tcommand = bin/bench\n\topenFiles = 50\n' >.pawlconfig
commit_all . base
sed -i 's/1000/2000/' o.c
commit_all . head
limited() {
	pawl compare --json --pairs 6 HEAD~1..HEAD >"$T/out" 2>"$T/err"
	json "$T/out" 'd["benchmarks"][0]["verdict"]'
}
is 'where the limit keeps the changed function from running' "$(limited)" identical
git config benchmark.bench.openFiles 500
check 'what was recorded under one limit does not hold under another' [ "$(limited)" != identical ]
is 'which runs it' "$(json "$T/out" 'd["benchmarks"][0]["changes"]["executed"]')" "['slow']"
git config benchmark.bench.openFiles 50
git config benchmark.bench.memory 256m
limited >/dev/null
like 'where memory is limited, code that is not executed counts' "$T/out" 'its memory is limited'
