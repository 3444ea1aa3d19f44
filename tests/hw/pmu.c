/*
 * pmu - pawl's counters on a real kernel and an emulated PMU; one word says what is shown.
 *
 * The loop that is counted takes two instructions an iteration, so that the difference between
 * N and 2 N iterations is known to the instruction.  Run by tests/hw/pmu.sh.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/counter/child.h"
#include "harness/engine/count.h"
#include "harness/counter/self.h"

#define N 100000
#define MANY 500000 /* iterations, beside which the start of a thread is little */
#define THREADS 3
#define PAGES 64

static const struct counter_calls *calls = &pawl_counter_system;

/* Two instructions an iteration. */
static void loop(uint64_t n)
{
#if defined(__aarch64__)
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#elif defined(__riscv)
	__asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(n));
#else
	__asm__ volatile("1: sub $1, %0\n\tjnz 1b" : "+r"(n) : : "cc");
#endif
}

/* A hundred instructions an iteration, which the emulator runs fast. */
static void long_loop(uint64_t n)
{
#if defined(__aarch64__)
	__asm__ volatile("1: .rept 98\n\tnop\n\t.endr\n\tsubs %0, %0, #1\n\tb.ne 1b"
			 : "+r"(n)
			 :
			 : "cc");
#elif defined(__riscv)
	__asm__ volatile(".option push\n\t.option norvc\n"
			 "1: .rept 98\n\tnop\n\t.endr\n\taddi %0, %0, -1\n\tbnez %0, 1b\n"
			 "\t.option pop"
			 : "+r"(n));
#else
	loop(50 * n);
#endif
}

static void run_loop(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	(void)r;
	loop(n);
}

static void run_by_hand(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	for (int i = 0; i < 10; i++) {
		loop(1234); /* not counted */
		pawl_start(r);
		loop(n / 10);
		pawl_stop(r);
	}
}

static void *thread(void *n)
{
	loop(*(uint64_t *)n);
	return NULL;
}

static void run_threads(void *ctx, uint64_t n, struct pawl_run *r)
{
	pthread_t t[THREADS];
	(void)ctx;
	(void)r;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, thread, &n))
			abort();
	loop(n);
	for (int i = 0; i < THREADS; i++)
		(void)pthread_join(t[i], NULL);
}

static void run_kernel(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	(void)r;
	for (; n; n--)
		(void)syscall(SYS_getppid);
}

static void run_pages(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	(void)r;
	for (; n; n--) {
		volatile char *p = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (int i = 0; i < PAGES; i++)
			p[i * 4096] = 1;
		(void)munmap((void *)p, PAGES * 4096);
	}
}

static int row(const char *name)
{
	int i = 0;
	while (pawl_counter_name((size_t)i) && strcmp(pawl_counter_name((size_t)i), name))
		i++;
	return i;
}

static void show(const struct counter *c)
{
	printf("%s: %s", c->name, pawl_counter_state_name(c->state));
	if (c->state <= COUNTER_SCALED)
		printf(" %.6f", c->value);
	printf("%s%s%s\n", c->reason[0] ? " (" : "", c->reason, c->reason[0] ? ")" : "");
}

/* Per iteration, from n and 2 n: what is constant about a run drops out. */
static void slope(const char *label, void (*run)(void *, uint64_t, struct pawl_run *),
		  const struct count_how *how, uint64_t n, int digits)
{
	static const char *const names[] = { "cycles", "instructions" };
	const struct pawl_bench bench = { label, NULL, run, NULL, NULL, 0, 0 };
	struct counter once[COUNTER_MAX], twice[COUNTER_MAX];
	pawl_count_bench(calls, how, &bench, n, once);
	pawl_count_bench(calls, how, &bench, 2 * n, twice);
	for (int k = 0; k < 2; k++) {
		const struct counter *a = &once[row(names[k])], *b = &twice[row(names[k])];
		if (a->state == COUNTER_OK && b->state == COUNTER_OK)
			printf("%s %s: %.*f%s%s\n", label, names[k], digits,
			       2 * b->value - a->value, b->reason[0] ? ", " : "", b->reason);
		else
			show(b);
	}
}

static void table(void (*run)(void *, uint64_t, struct pawl_run *), uint64_t n)
{
	const struct pawl_bench bench = PAWL_BENCH("table", run);
	const struct count_how how = { false, false };
	struct counter out[COUNTER_MAX];
	pawl_count_bench(calls, &how, &bench, n, out);
	for (int i = 0; i < COUNTER_MAX; i++)
		show(&out[i]);
}

/* ---- which descriptor is whose -------------------------------------------------------- */

static uint64_t replaced; /* a hardware event */

/* In the place of one event opens page faults, of which the loop has none. */
static int open_replaced(struct perf_event_attr *attr, int group_fd)
{
	if (attr->type == PERF_TYPE_HARDWARE && attr->config == replaced) {
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_PAGE_FAULTS;
	}
	return pawl_counter_system.open(attr, group_fd);
}

/* Where two events count alike: which one is another's shows whose column has its count. */
static void replace(const char *what, const struct count_how *plain, const struct count_how *self)
{
	struct counter_calls other = pawl_counter_system;
	replaced =
		strcmp(what, "cycles") == 0 ? PERF_COUNT_HW_CPU_CYCLES : PERF_COUNT_HW_INSTRUCTIONS;
	other.open = open_replaced;
	calls = &other;
	slope("loop", run_loop, plain, N, 6);
	slope("from user space", run_loop, self, N, 6);
	calls = &pawl_counter_system;
}

/* ---- programs ------------------------------------------------------------------------- */

/* What a counted program does: the loop, and the same in a child of its own. */
static void work(uint64_t n, int depth)
{
	pid_t pid = depth ? fork() : 1;
	loop(n);
	if (pid == 0)
		_exit(0);
	if (depth)
		(void)waitpid(pid, NULL, 0);
}

static void count_program(const struct counter_children *with, char *n, char *depth,
			  struct counter *out)
{
	static char path[] = "/proc/self/exe", word[] = "work";
	char *words[] = { path, word, n, depth, NULL };
	struct counter_child c;
	pid_t pid;
	pawl_counter_child_open(with, &c);
	pid = fork();
	if (pid == 0) {
		execv(path, words);
		_exit(127);
	}
	(void)waitpid(pid, NULL, 0);
	pawl_counter_child_close(&c, out);
}

static void programs(void)
{
	static char n[] = "100000", twice_n[] = "200000", no[] = "0", yes[] = "1";
	struct counter_children with;
	struct counter a[COUNTER_CHILD_MAX], b[COUNTER_CHILD_MAX];
	pawl_counter_children_probe(calls, &with);
	for (int depth = 0; depth < 2; depth++) {
		for (int k = 0; k < 3; k++) {
			count_program(&with, n, depth ? yes : no, a);
			count_program(&with, twice_n, depth ? yes : no, b);
			printf("program and %d it starts, instructions: %.0f more\n", depth,
			       b[1].value - a[1].value);
		}
	}
	for (int i = 0; i < COUNTER_CHILD_MAX; i++)
		show(&b[i]);
}

/* ---- too many events ------------------------------------------------------------------ */

static const struct counter_event instructions = { "instructions", PERF_TYPE_HARDWARE,
						   PERF_COUNT_HW_INSTRUCTIONS, MODE_USER };

static void siblings(void)
{
	struct counter_ask ask = { .group_fd = -1, .grouped = true };
	int leader = -1, fd = 0, n = 0;
	bool both;
	while (n < 32 && (fd = pawl_counter_open(calls, &instructions, &ask, &both)) >= 0) {
		leader = leader < 0 ? fd : leader;
		ask.group_fd = leader;
		n++;
	}
	printf("a group holds %d, the next gives %s\n", n, strerror(-fd));
	ask.group_fd = -1;
	fd = pawl_counter_open(calls, &instructions, &ask, &both);
	printf("alone: %s\n", fd >= 0 ? "opens" : strerror(-fd));
}

/* Others that want the counters too; pinned: and are not to be put off. */
static void crowd(int n, bool pinned)
{
	struct perf_event_attr attr;
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.pinned = pinned;
	while (n--)
		(void)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

/* ---- read from user space ------------------------------------------------------------- */

/* The counter is 32 bits wide and runs over. */
static void wrap(uint64_t n)
{
	static const struct counter_event cycles = { "cycles", PERF_TYPE_HARDWARE,
						     PERF_COUNT_HW_CPU_CYCLES, MODE_USER };
	struct counter_ask ask = { .group_fd = -1, .self = true };
	uint64_t before = 0, after = 0, by_read[2][3];
	bool both, good;
	int fd = pawl_counter_open(calls, &cycles, &ask, &both);
	void *page = fd < 0 ? NULL : calls->map(fd);
	if (!page) {
		printf("wrap: not to be had: %s\n", strerror(-fd));
		return;
	}
	(void)calls->control(fd, PERF_EVENT_IOC_ENABLE, 0);
	(void)calls->read(fd, by_read[0], sizeof(by_read[0]));
	good = pawl_self_read(calls, page, &before);
	long_loop(n);
	good = pawl_self_read(calls, page, &after) && good;
	(void)calls->read(fd, by_read[1], sizeof(by_read[1]));
	printf("wrap: %s, width %u, %s 2^32 cycles, within %s of read(2)\n",
	       good ? "read" : "not read", ((struct perf_event_mmap_page *)page)->pmc_width,
	       after - before > UINT32_MAX ? "more than" : "less than",
	       by_read[1][0] - by_read[0][0] - (after - before) < 100000 ? "100000" : "MORE");
	calls->unmap(page);
	(void)calls->close(fd);
}

/*
 * Two counters that were started one loop apart: each page leads to the event's own counter,
 * since each must agree with what its descriptor says.
 */
static void apart(uint64_t n)
{
	static const struct counter_event events[2] = {
		{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, MODE_USER },
		{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, MODE_USER },
	};
	struct counter_ask ask = { .group_fd = -1, .self = true };
	uint64_t count[2] = { 0 }, by_read[3];
	void *page[2];
	int fd[2];
	bool both;
	for (int k = 0; k < 2; k++) {
		fd[k] = pawl_counter_open(calls, &events[k], &ask, &both);
		page[k] = fd[k] < 0 ? NULL : calls->map(fd[k]);
		(void)calls->control(fd[k], PERF_EVENT_IOC_ENABLE, 0);
		loop(n);
	}
	for (int k = 0; k < 2; k++) {
		bool good = page[k] && pawl_self_read(calls, page[k], &count[k]);
		(void)calls->read(fd[k], by_read, sizeof(by_read));
		printf("apart, %s: %s, about %.0f loops, within a tenth of read(2): %d\n",
		       events[k].name, good ? "read" : "not read",
		       (double)count[k] / (2 * (double)n), by_read[0] - count[k] < n / 5);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const struct count_how plain = { false, false }, self = { false, true };
	const struct count_how threads = { true, false };

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (strcmp(what, "work") == 0 && argc == 4) {
		work(strtoull(argv[2], NULL, 10), atoi(argv[3]));
	} else if (strcmp(what, "slope") == 0) {
		slope("loop", run_loop, &plain, N, 6);
		slope("by hand", run_by_hand, &plain, N, 6);
	} else if (strcmp(what, "threads") == 0) {
		slope("alone", run_threads, &plain, MANY, 2);
		slope("with threads", run_threads, &threads, MANY, 2);
	} else if (strcmp(what, "programs") == 0) {
		programs();
	} else if (strcmp(what, "table") == 0) {
		table(run_loop, N);
	} else if (strcmp(what, "kernel") == 0) {
		table(run_kernel, 1000);
	} else if (strcmp(what, "pages") == 0) {
		table(run_pages, 10);
	} else if (strcmp(what, "siblings") == 0) {
		siblings();
	} else if (strcmp(what, "crowd") == 0) {
		crowd(16, false);
		table(run_loop, 50 * N);
	} else if (strcmp(what, "starved") == 0) {
		crowd(16, true);
		table(run_loop, N);
	} else if (strcmp(what, "self") == 0) {
		slope("from user space", run_loop, &self, N, 6);
		slope("from user space, by hand", run_by_hand, &self, N, 6);
	} else if (strcmp(what, "replace") == 0 && argc == 3) {
		replace(argv[2], &plain, &self);
	} else if (strcmp(what, "apart") == 0) {
		apart(100 * N);
	} else if (strcmp(what, "wrap") == 0 && argc == 3) {
		wrap(strtoull(argv[2], NULL, 10));
	} else {
		fprintf(stderr, "usage: pmu WHAT\n");
		return 2;
	}
	return 0;
}
