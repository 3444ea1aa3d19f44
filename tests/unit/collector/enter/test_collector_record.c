/* Which functions real programs enter, and runs of which nothing is said. */
#include "tests/unit/collector/layout/layout_fixture.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "collector/enter/record.h"
#include "collector/link/program.h"

#include "lib/base/banned.h"

#define NOINLINE "__attribute__((noinline)) "
#define SOURCE \
	"#define _GNU_SOURCE\n" \
	"#include <fcntl.h>\n#include <pthread.h>\n#include <setjmp.h>\n#include <signal.h>\n" \
	"#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n" \
	"#include <sys/wait.h>\n#include <unistd.h>\n" \
	"volatile int sink; static jmp_buf back;\n" NOINLINE \
	"void used(void) { sink++; }\n" NOINLINE "void never(void) { sink--; }\n" NOINLINE \
	"int again(int n) { used(); return n ? again(n - " \
	"1) + sink : 0; }\n" NOINLINE "void shared(void) { sink++; }\n" NOINLINE \
	"void *thread(void *p) { int i; for (i = 0; i < 1000; i++) shared(); return p; " \
	"}\n" NOINLINE "void child(void) { sink += 2; }\n" NOINLINE \
	"void handler(int s) { sink += s; }\n" NOINLINE \
	"void jumper(void) { longjmp(back, 1); }\n" NOINLINE "void late(void) { sink = 9; }\n" \
	"__attribute__((constructor)) void early(void) { sink = 1; }\n" \
	"static void threads(void) { pthread_t t[8]; int i;\n" \
	"\tfor (i = 0; i < 8; i++) pthread_create(&t[i], 0, thread, 0);\n" \
	"\tfor (i = 0; i < 8; i++) pthread_join(t[i], 0); }\n" \
	"int main(int c, char **v) { char *m = v[1]; (void)c;\n" \
	"\tif (!strcmp(m, \"plain\")) again(50);\n" \
	"\tif (!strcmp(m, \"threads\")) threads();\n" \
	"\tif (!strcmp(m, \"fork\")) { pid_t p = fork(); if (!p) { child(); _exit(0); }\n" \
	"\t\twaitpid(p, 0, 0); late(); }\n" \
	"\tif (!strcmp(m, \"signal\")) { signal(SIGUSR1, handler); raise(SIGUSR1); late(); }\n" \
	"\tif (!strcmp(m, \"jump\")) { if (!setjmp(back)) jumper(); late(); }\n" \
	"\tif (!strcmp(m, \"status\")) exit(3);\n" \
	"\tif (!strcmp(m, \"die\")) { used(); abort(); }\n" \
	"\tif (!strcmp(m, \"trap\")) { used(); raise(SIGTRAP); }\n" \
	"\tif (!strcmp(m, \"exec\")) execl(\"/bin/true\", \"true\", (char *)0);\n" \
	"\tif (!strcmp(m, \"self\")) { char b; read(open(v[0], O_RDONLY), &b, 1); used(); }\n" \
	"\tif (!strcmp(m, \"make\")) { unsigned char *p = mmap(0, 4096, 7, 34, -1, 0);\n" \
	"\t\t*p = 0xc3; ((void (*)(void))p)(); }\n" \
	"\tif (!strcmp(m, \"hang\")) for (;;) pause();\n" \
	"\treturn 0; }\n"

static const char *const names[] = { "again", "child", "early",	 "handler", "jumper", "late",
				     "main",  "never", "shared", "thread",  "used" };
#define N (sizeof(names) / sizeof(names[0]))

static struct err fault;

struct entry {
	uint64_t at;
	const char *name;
};

static int by_address(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* The entries of the named functions in the program, and where it starts. */
static void entries_of(const char *path, struct entry out[N], uint64_t *start)
{
	struct program p;
	size_t i, k, n = 0;

	if (program_open(path, &p, &fault))
		fail_msg("%s", fault.text);
	for (i = 0; i < N; i++)
		for (k = 0; k < p.n_functions; k++)
			if (!strcmp(program_symbol_name(&p, &p.functions[k]), names[i]))
				out[n++] = (struct entry){ p.functions[k].st_value, names[i] };
	assert_int_equal(n, N);
	qsort(out, n, sizeof(*out), by_address);
	*start = p.head.e_entry;
	program_close(&p);
}

static const char *run_in; /* a folder; NULL: ours */

/* Runs the program in a mode; "again main used", valid until the next call; NULL: refused. */
static const char *enters(const char *program, char *mode, uint64_t timeout_ns)
{
	static struct buf line;
	struct entry entries[N];
	uint64_t addresses[N];
	bool hit[N] = { false };
	char path[200], *argv[] = { path, mode, NULL }, *env[] = { NULL };
	const struct child_spec spec = { .exe = path,
					 .argv = argv,
					 .env = env,
					 .cpu = -1,
					 .output_fd = -1,
					 .dir = run_in,
					 .timeout_ns = timeout_ns };
	struct record_request rq = { .spec = &spec, .entries = addresses, .n = N };
	size_t i, k;

	snprintf(path, sizeof(path), "%s", in_workshop(program));
	entries_of(path, entries, &rq.start);
	for (i = 0; i < N; i++)
		addresses[i] = entries[i].at;
	err_clear(&fault);
	if (record_run(&rq, hit, &fault))
		return NULL;
	buf_reset(&line);
	for (i = 0; i < N; i++)
		for (k = 0; k < N; k++)
			if (hit[k] && !strcmp(entries[k].name, names[i]))
				buf_addf(&line, "%s%s", line.len ? " " : "", names[i]);
	return buf_str(&line);
}

static void needs_tracing(void)
{
	static char mode[] = "";

	needs_compiler();
#if !defined(__x86_64__)
	print_message("# skipped: only programs of x86-64 are recorded\n");
	skip();
#endif
	write_source("prog.c", SOURCE);
	COMPILE("-O1 -o prog prog.c -pthread");
	COMPILE("-O1 -no-pie -fno-pie -o fixed prog.c -pthread");
	if (!enters("prog", mode, 0) && strstr(fault.text, "may be traced")) {
		print_message("# skipped: ptrace is refused here\n");
		skip();
	}
}

#define ENTERS(mode, expected) check_enters(mode, expected)
static void check_enters(const char *mode, const char *expected)
{
	static const char *const programs[] = { "prog", "fixed" };
	char word[20];
	const char *got;
	size_t i, times;

	snprintf(word, sizeof(word), "%s", mode);
	for (i = 0; i < 2; i++)
		for (times = 0; times < 3; times++) {
			got = enters(programs[i], word, 0);
			if (!got)
				fail_msg("%s %s: %s", programs[i], mode, fault.text);
			if (strcmp(got, expected) != 0)
				fail_msg("%s %s: '%s', not '%s'", programs[i], mode, got, expected);
		}
}

static void every_function_that_runs_is_seen_once(void **state)
{
	(void)state;
	needs_tracing();
	ENTERS("", "early main");
	ENTERS("plain", "again early main used");
}

static void threads_and_processes_are_followed(void **state)
{
	(void)state;
	needs_tracing();
	ENTERS("threads", "early main shared thread");
	ENTERS("fork", "child early late main");
}

static void signals_and_jumps_go_where_they_go_without_us(void **state)
{
	(void)state;
	needs_tracing();
	ENTERS("signal", "early handler late main");
	ENTERS("jump", "early jumper late main");
}

/* A project may lie in a folder of the system: its libraries are its own all the same. */
static void libraries_of_the_tree_are_not_the_systems(void **state)
{
	static char mode[] = "plain";
	char *folder = realpath("/lib", NULL);

	(void)state;
	needs_tracing();
	assert_non_null(folder);
	run_in = folder;
	assert_null(enters("prog", mode, 0));
	run_in = NULL;
	free(folder);
	assert_int_equal(fault.code, ERR_ABSENT);
	assert_non_null(strstr(fault.text, "a library that is not the system's"));
}

static void nothing_is_said_of_a_run_that_cannot_be_followed(void **state)
{
	static const char *const cases[][2] = {
		{ "status", "it failed" },	  { "die", "it failed" },
		{ "trap", "it failed" },	  { "exec", "starts other programs" },
		{ "self", "reads its own file" }, { "make", "code of no file" },
	};
	char word[20];
	size_t i;

	(void)state;
	needs_tracing();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(word, sizeof(word), "%s", cases[i][0]);
		if (enters("prog", word, 0))
			fail_msg("%s is recorded", word);
		assert_int_equal(fault.code, ERR_ABSENT);
		if (!strstr(fault.text, cases[i][1]))
			fail_msg("%s: %s", word, fault.text);
	}
}

static void a_run_without_end_is_ended(void **state)
{
	static char mode[] = "hang";

	(void)state;
	needs_tracing();
	assert_null(enters("prog", mode, 200 * MS));
	assert_non_null(strstr(fault.text, "it failed"));
}

/* As in containers that leave it out; of this process and all that it starts. */
static bool refuse_tracing(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void where_tracing_is_refused_that_is_the_reason(void **state)
{
	enum { RIGHT, WRONG, NO_FILTER };
	static char mode[] = "plain";
	int status;
	pid_t pid;

	(void)state;
	needs_tracing();
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		if (!refuse_tracing())
			_exit(NO_FILTER);
		_exit(!enters("prog", mode, 0) && fault.code == ERR_ABSENT &&
				      strstr(fault.text, "no process may be traced here")
			      ? RIGHT
			      : WRONG);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_FILTER) {
		print_message("# skipped: this system takes no filter of calls\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), RIGHT);
}

/* A library of no system's folder: what it does is not seen. */
static void a_library_of_the_project_is_refused(void **state)
{
	static char mode[] = "";

	(void)state;
	needs_tracing();
	write_source("lib.c", "int mine(void) { return 1; }\n");
	COMPILE("-shared -fPIC -o libmine.so lib.c");
	assert_int_equal(
		shell("cc -O1 -o prog prog.c -pthread -Wl,--no-as-needed -L. -lmine -Wl,-rpath,."),
		0);
	assert_int_equal(chdir(workshop), 0);
	assert_null(enters("prog", mode, 0));
	assert_non_null(strstr(fault.text, "not the system's"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_function_that_runs_is_seen_once),
		cmocka_unit_test(threads_and_processes_are_followed),
		cmocka_unit_test(signals_and_jumps_go_where_they_go_without_us),
		cmocka_unit_test(libraries_of_the_tree_are_not_the_systems),
		cmocka_unit_test(nothing_is_said_of_a_run_that_cannot_be_followed),
		cmocka_unit_test(a_run_without_end_is_ended),
		cmocka_unit_test(where_tracing_is_refused_that_is_the_reason),
		cmocka_unit_test(a_library_of_the_project_is_refused),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
