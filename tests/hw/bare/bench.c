/* SPDX-License-Identifier: MIT */
/*
 * Measures a loop of exactly two instructions an iteration with every counter of the board,
 * and prints a record line for each.  Linked with nothing but the compiler's own library.
 */
#include "tests/hw/bare/board.h"
#define PAWL_BARE_LOCK() board_lock()
#include "include/pawl_bare.h"

static int two_instructions(void *ctx, uint32_t n)
{
	uintptr_t left = n;
	(void)ctx;
#ifdef __riscv
	__asm__ __volatile__(".balign 8\n1: addi %0, %0, -1\n bnez %0, 1b" : "+r"(left));
#else
	__asm__ __volatile__(".balign 8\n1: subs %0, %0, #1\n bne 1b" : "+r"(left) : : "cc");
#endif
	return 0;
}

static int always_fails(void *ctx, uint32_t n)
{
	(void)ctx;
	(void)n;
	return 1;
}

static void report(const char *name, struct pawl_bare_counter *c, const struct pawl_bare_plan *plan,
		   pawl_bare_operation *run)
{
	static char text[700];
	struct pawl_bare_result r;
	pawl_bare_open(c);
	pawl_bare_run(c, plan, run, NULL, &r);
	pawl_bare_text(text, sizeof(text), name, c, &r);
	board_say(text);
}

/* name=value: what one counter was measured to be by another */
static void report_hz(const char *name, struct pawl_bare_counter *c,
		      const struct pawl_bare_counter *other)
{
	char line[64];
	struct pawl_bare_buffer b = { line, sizeof(line), 0 };
	pawl_bare_put(&b, name);
	pawl_bare_put(&b, pawl_bare_calibrate(c, other, 20000) == PAWL_BARE_OK ? "=" : "?");
	pawl_bare_put_count(&b, c->hz);
	pawl_bare_put(&b, "\n");
	line[b.used < sizeof(line) ? b.used : sizeof(line) - 1] = '\0';
	board_say(line);
}

#ifdef __riscv
static void measure(void)
{
	static const struct pawl_bare_plan slope = { 1000, 0, 50, 1 };
	struct pawl_bare_counter c, other;
	pawl_bare_riscv_start();
	pawl_bare_riscv_share();
	pawl_bare_mcycle(&c, 1000000000);
	report("mcycle/slope", &c, &slope, two_instructions);
	report("mcycle/doubled", &c, NULL, two_instructions);
	report("mcycle/failing", &c, NULL, always_fails);
	pawl_bare_mtime(&other, 0x0200bff8, 10000000);
	report("mtime/doubled", &other, NULL, two_instructions);
	c.hz = 0;
	report_hz("mcycle by mtime", &c, &other);
	pawl_bare_minstret(&c);
	report("minstret/slope", &c, &slope, two_instructions);
	pawl_bare_mapped(&c, 0x80000000, 32, 0, 0); /* the program's own first word */
	report("dead", &c, NULL, two_instructions);
	pawl_bare_mapped(&c, 0x0200bff8, 32, 1, 0);
	report("misfit", &c, NULL, two_instructions);
}
#else
static void measure(void)
{
	/* 40 instructions a tick: 200000 instructions are 5000 ticks. */
	static const struct pawl_bare_plan fixed = { 100000, 0, 20, 0 };
	struct pawl_bare_counter c, other;
	pawl_bare_systick(&c, 25000000);
	board_edge = (const volatile unsigned int *)c.address;
	report("systick/fixed", &c, &fixed, two_instructions);
	report("systick/doubled", &c, NULL, two_instructions);
	report("systick/failing", &c, NULL, always_fails);
	pawl_bare_mapped(&other, 0x40028018, 32, 0, 25000000);
	board_edge = (const volatile unsigned int *)other.address;
	report("fpgaio/fixed", &other, &fixed, two_instructions);
	board_edge = NULL;
	c.hz = 0;
	report_hz("systick by fpgaio", &c, &other);
	pawl_bare_dwt(&c, 25000000);
	report("dwt", &c, NULL, two_instructions);
	pawl_bare_mapped(&c, 0x40028018, 32, 1, 0);
	report("misfit", &c, NULL, two_instructions);
}
#endif

int bare_main(void)
{
	measure();
	return 0;
}
