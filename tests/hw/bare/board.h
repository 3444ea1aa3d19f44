/* SPDX-License-Identifier: MIT */
/*
 * board - what a bare program of these tests is given: a start that calls bare_main() with a
 * stack and cleared memory, and ends the emulator with its status; 99 stands for a trap.
 */
#ifndef PAWL_TESTS_HW_BOARD_H
#define PAWL_TESTS_HW_BOARD_H

#include <stddef.h>

int bare_main(void);

/* Writes text to the host: by the UART, or by SYS_WRITE0 of the Arm semihosting specification. */
static inline void board_say(const char *text)
{
#ifdef __riscv
	while (*text)
		*(volatile unsigned char *)0x10000000 = (unsigned char)*text++;
#else
	register int call __asm__("r0") = 4;
	register const char *argument __asm__("r1") = text;
	__asm__ __volatile__("bkpt 0xab" : "+r"(call) : "r"(argument) : "memory");
#endif
}

/*
 * Where a tick of the counter is many instructions: waits for the next one, so that what
 * follows always starts at the same instruction of a tick.  NULL: does not wait.
 */
static const volatile unsigned int *board_edge;

static inline void board_lock(void)
{
	unsigned int value;
	if (!board_edge)
		return;
	value = *board_edge;
	while (*board_edge == value)
		;
}

#endif
