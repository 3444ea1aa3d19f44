/*
 * kinds - pairs of programs, built of the same sources but for what differs: where that runs, and
 * where it does not.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_EXTENT_KINDS_H
#define PAWL_TESTS_UNIT_COLLECTOR_EXTENT_KINDS_H

/* For <cstdio>, which takes longer to read than the rest. */
#define PRINTF "extern \"C\" int printf(const char *, ...);\n"
/* For what a class of the library needs, read once: it comes first. */
#define STD "#include \"../std.h\"\n"
#define OFF "__attribute__((noinline)) "
#define MAIN "int printf(const char *, ...); int f(int); "
#define RUN "int main(int c, char **v) { (void)v; printf(\"%d\\n\", f(c)); return 0; }\n"
#define SPARE "int spare(int); int spare(int x) { return x * @ + 1; } "

#define JOINED "struct entry { long k, z; } __attribute__((aligned(16)));\n"

/* '@' in the sources stands for what differs. */
struct kind {
	const char *what, *compiler, *flags, *words; /* for the link */
	const char *base, *head;		     /* what '@' is */
	const char *source, *other;		     /* other: a second file, or NULL */
};

/* What is changed runs. */
static const struct kind executed[] = {
	{ "a slot of a vtable", "g++", "-O2", "", "a", "b",
	  PRINTF "struct A { virtual int a(int), b(int); };\n"
		 "int A::a(int x) { return x + 1; } int A::b(int x) { return x * 9; }\n" OFF
		 "A *get() { static A a; return &a; }\n"
		 "int main(int c, char **) { printf(\"%d\\n\", get()->@(c)); }\n",
	  NULL },
	{ "what overrides", "g++", "-O2", "", "", "int a(int x) override { return x * 9; }",
	  PRINTF "struct A { virtual int a(int x) { return x; } virtual ~A() {} };\n"
		 "struct B : A { @ };\n" OFF "A *get(int c) { return c > 1 ? new A : new B; }\n"
		 "int main(int c, char **) { printf(\"%d\\n\", get(c)->a(c)); }\n",
	  NULL },
	{ "the kind of a class", "g++", "-O2", "", "A", "B",
	  PRINTF "struct A { virtual ~A() {} }; struct B : A { int k; };\n"
		 "struct C : @ { int z; };\n" OFF
		 "A *get(int c) { return c > 1 ? new A : new C; }\n" OFF
		 "int is(A *a) { return dynamic_cast<B *>(a) ? 100 : 1; }\n"
		 "int main(int c, char **) { printf(\"%d\\n\", is(get(c))); }\n",
	  NULL },
	{ "a template of two objects", "g++", "-O1", "", "3", "5",
	  PRINTF "template <class T> " OFF "T t(T x) { return x * @; }\nint g(int);\n"
		 "int main(int c, char **) { printf(\"%d\\n\", t(c) + g(c)); }\n",
	  "template <class T> " OFF "T t(T x) { return x * @; }\nint g(int x) { return t(x); }\n" },
	{ "what an object is made of", "g++", "-O1", "", "5", "500",
	  PRINTF "struct S { int v; S(int); }; S::S(int x) : v(x) {}\nS s(@);\n"
		 "int main() { printf(\"%d\\n\", s.v); }\n",
	  NULL },
	{ "what catches", "g++", "-O2", "", "runtime_error", "logic_error",
	  STD PRINTF "int sink; " OFF "void t(int c) { if (c) throw std::runtime_error(\"\"); }\n"
		     "int main(int c, char **) { try { t(c); } catch (std::@ &) { sink++; }\n"
		     "\tcatch (...) { sink += 2; } printf(\"%d\\n\", sink); }\n",
	  NULL },
	{ "a landing pad", "g++", "-O2", "", "3", "5",
	  STD PRINTF
	  "int sink; " OFF "int w(int x) { return x * @; }\n"
	  "int main(int c, char **) { std::vector<int> a(3); try { return a.at(c + 5); }\n"
	  "\tcatch (...) { sink = w(c); } printf(\"%d\\n\", sink); }\n",
	  NULL },
	{ "what a thread leaves behind it", "g++", "-O1 -pthread", "-pthread", "1", "2",
	  PRINTF "#include <pthread.h>\nint sink; struct D { ~D(); };\n"
		 "D::~D() { sink += @; }\nvoid *th(void *) { D d; pthread_exit(0); }\n"
		 "int main() { pthread_t t; pthread_create(&t, 0, th, 0); pthread_join(t, 0);\n"
		 "\tprintf(\"%d\\n\", sink); }\n",
	  NULL },
	{ "a table of functions", "cc", "-O2", "", "one", "two",
	  MAIN OFF "int one(int x) { return x + 1; } " OFF "int two(int x) { return x * 5; }\n"
		   "int (*const table[])(int) = { one, two, @ };\n"
		   "int f(int x) { return table[x + 1](x); }\n" RUN,
	  NULL },
	{ "a constant", "cc", "-O2", "", "100", "200",
	  MAIN "const int n[] = { 3, @, 5 };\n"
	       "int f(int x) { int i, s = 0; for (i = 0; i < n[x]; i++) s += i; return s; }\n" RUN,
	  NULL },
	{ "a constant that is merged", "cc", "-O2", "", "1.5", "2.5",
	  MAIN "int f(int x) { return (int)(x * @); }\n" RUN, NULL },
	{ "a text that is merged", "cc", "-O2", "", "world", "worlds and more",
	  MAIN "const char *text(void);\n"
	       "int f(int x) { const char *p; for (p = text(); *p; p++) x += *p; return x; }\n" RUN,
	  "const char *text(void); const char *text(void) { return \"hello @\"; }\n" },
	{ "a table of texts", "cc", "-O2", "", "a", "aaaaaaaa",
	  MAIN "static const char *const t[] = { \"b\", \"@\", \"c\" };\n"
	       "int f(int x) { const char *p; for (p = t[x]; *p; p++) x += *p; return x; }\n" RUN,
	  NULL },
	{ "a table of jumps", "cc", "-O2", "", "case 1: return a(x) + 3; case 4",
	  "case 4: return a(x) + 3; case 1",
	  MAIN OFF "int a(int x) { return x + 1; } " OFF "int b(int x) { return x * 7; }\n" OFF
		   "int pick(int x) { switch (x) { @: return b(x) + 8; case 0: return a(4);\n"
		   "\tcase 2: return b(9) + 1; case 3: return a(x + 2) * 3; case 5: return b(3);\n"
		   "\tcase 6: return b(x) * 9; case 7: return a(8) + 2; default: return 2; } }\n"
		   "int f(int x) { return pick(x); }\n" RUN,
	  NULL },
	{ "labels that are jumped to", "cc", "-O2", "", "q", "r",
	  MAIN OFF "int f(int x) { static void *t[] = { &&p, &&q, &&@ }; goto *t[x + 1];\n"
		   "p: return x * 7; q: return x + 9; r: return x * 33; }\n" RUN,
	  NULL },
	{ "what is inlined", "cc", "-O2", "", "3", "5", MAIN RUN "",
	  "static inline int g(int x) { return x * @; } int f(int);\n"
	  "int f(int x) { return g(x) + g(x + 1); }\n" },
	{ "a weak function", "cc", "-O2", "", "unrelated", "f",
	  MAIN "__attribute__((weak)) int f(int x) { return x; }\n" RUN,
	  "int @(int); int @(int x) { return x * 9; }\n" },
	{ "one whose section is dropped", "cc", "-O2 -ffunction-sections", "-Wl,--gc-sections",
	  "unrelated", "f", MAIN "__attribute__((weak)) int f(int x) { return x; }\n" RUN,
	  "int @(int); int @(int x) { return x * 9; }\n" },
	{ "one that was not there", "cc", "-O2", "", "unrelated", "f",
	  MAIN "__attribute__((weak)) int f(int);\nint main(int c, char **v) { (void)v;\n"
	       "\tprintf(\"%d\\n\", f ? f(c) : 0); return 0; }\n",
	  "int @(int); int @(int x) { return x * 9; }\n" },
	{ "one of the system's", "cc", "-O1 -fno-builtin", "", "unrelated", "atoi",
	  MAIN "int atoi(const char *); int f(int x) { return x + atoi(\"5\"); }\n" RUN,
	  "int @(const char *); int @(const char *x) { return *x; }\n" },
	{ "another name of a function", "cc", "-O2", "", "one", "two", MAIN RUN,
	  "int one(int), two(int), f(int); int one(int x) { return x + 1; }\n"
	  "int two(int x) { return x * 7; } int f(int) __attribute__((alias(\"@\")));\n" },
	{ "how a variable begins", "cc", "-O2", "", "100", "1000",
	  MAIN "static int n = @; int f(int x) { n += x; return n; }\n" RUN, NULL },
	{ "one that had no value", "cc", "-O2 -fcommon", "", "", "= 1000",
	  MAIN "int n; int f(int x) { n += x; return n; }\n" RUN, "int n @;\n" },
	{ "how much room it has", "cc", "-O2", "", "40", "4000",
	  MAIN "extern char field[]; int f(int x) { return field[x]; }\n" RUN, "char field[@];\n" },
	{ "how it is aligned", "cc", "-O2", "", "4", "64",
	  MAIN "struct s { int a, b __attribute__((aligned(@))); } s[2];\n"
	       "int f(int x) { return s[x].b; }\n" RUN,
	  NULL },
	{ "a variable of threads", "cc", "-O2", "", "100", "200",
	  MAIN "__thread int n = @; int f(int x) { n += x; return n; }\n" RUN, NULL },
	{ "a constructor", "cc", "-O2", "", "1", "2",
	  MAIN "static int n; __attribute__((constructor)) static void first(void) { n = @; }\n"
	       "int f(int x) { return n + x; }\n" RUN,
	  NULL },
	{ "the order of constructors", "cc", "-O2", "", "101", "103",
	  MAIN "static int n; __attribute__((constructor(@))) static void a(void) { n += 1; }\n"
	       "__attribute__((constructor(102))) static void b(void) { n *= 3; }\n"
	       "int f(int x) { return n + x; }\n" RUN,
	  NULL },
	{ "a destructor", "cc", "-O2", "", "1", "2",
	  MAIN "static int n; __attribute__((destructor)) static void end(void) { n = @;\n"
	       "\tprintf(\"%d\\n\", n); } int f(int x) { return n + x; }\n" RUN,
	  NULL },
	{ "what is chosen at start", "cc", "-O2", "", "one", "two",
	  MAIN
	  "static int one(int x) { return x + 1; } static int two(int x) { return x + 2; }\n"
	  "void *pick(void); void *pick(void) { return @ == one ? (void *)one : (void *)two; }\n"
	  "int f(int) __attribute__((ifunc(\"pick\")));\n" RUN,
	  NULL },
	{ "a list that the linker makes", "cc", "-O2", "", "other", "mine",
	  MAIN "extern int __start_mine[], __stop_mine[];\n"
	       "static int first __attribute__((section(\"mine\"), used)) = 1;\n"
	       "int f(int x) { int *p; for (p = __start_mine; p < __stop_mine; p++) x += *p;\n"
	       "\treturn x; }\n" RUN,
	  "static int second __attribute__((section(\"@\"), used)) = 9;\n" },
	{ "what a library calls", "cc", "-O2", "", "a - b", "b - a",
	  MAIN
	  "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));\n"
	  "static int order(const void *p, const void *q) { int a = *(const int *)p,\n"
	  "\tb = *(const int *)q; return @; } static int n[] = { 3, 1, 2 };\n"
	  "int f(int x) { qsort(n, 3, 4, order); return n[x]; }\n" RUN,
	  NULL },
	{ "where one runs into the next", "cc", "-O2", "-z noexecstack", "1", "9",
	  MAIN RUN "__asm__(\".text\\n.globl f\\n.type f,@function\\nf: mov %edi,%eax\\n"
		   ".size f,.-f\\n.type g,%function\\ng: add $@,%eax\\nret\\n.size g,.-g\\n\");\n",
	  NULL },
	{ "where a register leads into another one", "cc", "-O2", "-z noexecstack", "1", "9",
	  MAIN RUN "__asm__(\".text\\n.globl f\\n.type f,@function\\nf: lea g(%rip),%rax\\n\"\n"
		   "\"add $5,%rax\\njmp *%rax\\n.size f,.-f\\n.type g,@function\\n\"\n"
		   "\"g: mov $7,%eax\\nlea @(%rdi),%eax\\nret\\n.size g,.-g\\n\");\n",
	  NULL },
	{ "what is asked where a thread unwinds late", "cc", "-O1 -pthread",
	  "-pthread -z noexecstack", "one", "two",
	  MAIN "\n#include <pthread.h>\nint sink; void *th(void *);\n" OFF
	       "int one(void) { sink += 1; return 8; } " OFF
	       "int two(void) { sink += 2; return 8; }\n"
	       "void leave(void); void leave(void) { pthread_exit(0); }\n"
	       "__asm__(\".text\\n.globl th\\n.type th,@function\\nth: .cfi_startproc\\n\"\n"
	       "\".cfi_personality 0x1b,@\\nsub $8,%rsp\\n.cfi_adjust_cfa_offset 8\\n\"\n"
	       "\"call leave\\nadd $8,%rsp\\nret\\n.cfi_endproc\\n.size th,.-th\\n\");\n"
	       "int f(int x) { pthread_t t; pthread_create(&t, 0, th, 0); pthread_join(t, 0);\n"
	       "\treturn sink + x; }\n" RUN,
	  NULL },
	{ "code that is copied", "cc", "-O1", "", "1", "9",
	  MAIN "void *memcpy(void *, const void *, unsigned long);\n"
	       "void *mmap(void *, unsigned long, int, int, int, long);\n" OFF
	       "static int copied(int x) { return x + @; }\n"
	       "int f(int x) { void *p = mmap(0, 4096, 7, 34, -1, 0); memcpy(p, copied, 64);\n"
	       "\treturn ((int (*)(int))p)(x); }\n" RUN,
	  NULL },
	{ "what the loader fills in at each start", "cc", "-O2 -fPIE", "-pie", "A", "B B",
	  MAIN "int f(int x) { return x; }\n" RUN,
	  "char x;\n#define A &x, &x, &x, &x, &x, &x,\n#define B A A A A A A\n"
	  "char *table[] = { @ };\n" },
	{ "how much memory is locked", "cc", "-O2", "", "4000", "4000000",
	  MAIN "int mlockall(int); int f(int x) { return mlockall(0) + x; }\n" RUN,
	  "char room[@];\n" },
	{ "how much memory it leaves itself", "cc", "-O2", "", "4000", "4000000",
	  "#include <sys/resource.h>\nint f(int x)\n{ struct rlimit r = { 1 << 28, 1 << 28 };\n"
	  "\treturn x + setrlimit(RLIMIT_AS, &r); }\n" MAIN RUN,
	  "char room[@];\n" },
	{ "an entry of a table that the link joins", "cc", "-O1 -fno-pie -fno-toplevel-reorder",
	  "-no-pie", "1", "9",
	  MAIN JOINED "extern const struct entry last; const struct entry first = { 0, 0 };\n"
		      "int f(int x) { const struct entry *e;\n"
		      "\tfor (e = &first + 1; e < &last; e++) x += e->k; return x; }\n" RUN,
	  JOINED "const struct entry middle = { @, 0 }, last = { 0, 0 };\n" },
	{ "one more entry of that", "cc", "-O1 -fno-pie -fdata-sections -fno-toplevel-reorder",
	  "-no-pie", "", "const struct entry more = { 9, 0 };",
	  MAIN JOINED "extern const struct entry last; const struct entry first = { 0, 0 };\n"
		      "int f(int x) { const struct entry *e;\n"
		      "\tfor (e = &first + 1; e < &last; e++) x += e->k; return x; }\n" RUN,
	  JOINED "@\nconst struct entry last = { 0, 0 };\n" },
	{ "how it lies in memory", "cc", "-O2", "", "4000", "4000000",
	  "#include <fcntl.h>\n#include <unistd.h>\nint f(int x)\n{ char text[64];\n"
	  "\treturn x + (int)read(open(\"/proc/self/maps\", O_RDONLY), text, 64); }\n" MAIN RUN,
	  "char room[@];\n" },
};

/* What is changed does not run: no reason is left to measure it. */
static const struct kind idle[] = {
	{ "a function", "cc", "-O2", "", "3", "5", MAIN SPARE "int f(int x) { return x; }\n" RUN,
	  NULL },
	{ "one that is dropped", "cc", "-O2 -ffunction-sections", "-Wl,--gc-sections", "3", "5",
	  MAIN SPARE "int f(int x) { return x; }\n" RUN, NULL },
	{ "one beside constructors and variables of threads", "cc", "-O2", "", "3", "5",
	  MAIN SPARE
	  "__thread int n = 1; __attribute__((constructor)) static void a(void) { n = 2; }\n"
	  "int f(int x) { return x + n; }\n" RUN,
	  NULL },
	{ "one that is far from what runs", "cc", "-O2", "", "3", "5",
	  MAIN OFF
	  "int spare(int x) { if (__builtin_expect(x > 5, 0)) __builtin_abort();\n"
	  "\treturn x * @; }\n"
	  "int f(int x) { int i; if (x > 7) return spare(x); for (i = 0; i < 9; i++)\n"
	  "\tif (__builtin_expect(x == i, 0)) { printf(\"%d\", i); x += 20; } return x; }\n" RUN,
	  NULL },
	{ "a method", "g++", "-O2", "", "3", "5",
	  PRINTF
	  "struct A { virtual int a(int), b(int); };\n"
	  "int A::a(int x) { return x * @; } int A::b(int x) { return x * 9; }\n" OFF
	  "A *get() { static A a; return &a; }\n"
	  "int main(int c, char **) { printf(\"%d\\n\", c > 1 ? get()->a(c) : get()->b(c)); }\n",
	  NULL },
	{ "what may throw, beside what may", "g++", "-O2", "", "3", "5",
	  STD PRINTF OFF
	  "int idle(std::vector<std::string> &a, int x) { try { a.push_back(std::to_string(x * "
	  "@));\n"
	  "\treturn a.at(x).size(); } catch (std::exception &) { return 1; } }\n" OFF
	  "int work(std::vector<std::string> &a, int x) { a.push_back(std::to_string(x));\n"
	  "\treturn a.at(0).size(); }\n"
	  "int main(int c, char **) { std::vector<std::string> a;\n"
	  "\tprintf(\"%d\\n\", c > 1 ? idle(a, c) : work(a, c)); }\n",
	  NULL },
	{ "what is caught there", "g++", "-O2", "", "sink++;", "",
	  STD PRINTF "int sink; " OFF
		     "int idle(std::vector<int> &a, int x) { try { return a.at(x); }\n"
		     "\tcatch (std::exception &) { @ return 1; } }\n" OFF
		     "int work(std::vector<int> &a, int x) { a.push_back(x); return a.at(0); }\n"
		     "int main(int c, char **) { std::vector<int> a;\n"
		     "\tprintf(\"%d\\n\", c > 1 ? idle(a, c) : work(a, c)); }\n",
	  NULL },
};

#endif
