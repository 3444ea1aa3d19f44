/* SPDX-License-Identifier: MIT */
/* Vectors, start and end of a Cortex-M3 under an emulator with semihosting. */
#include <stdint.h>

#include "tests/hw/bare/board.h"

extern uint32_t bss_begin[], bss_end[], stack_top[];

/* SYS_EXIT_EXTENDED of the Arm semihosting specification: {ADP_Stopped_ApplicationExit, status} */
static void finish(uint32_t status)
{
	const uint32_t block[2] = { 0x20026, status };
	register uint32_t call __asm__("r0") = 0x20;
	register const uint32_t *argument __asm__("r1") = block;
	__asm__ __volatile__("bkpt 0xab" : : "r"(call), "r"(argument) : "memory");
	for (;;)
		;
}

static void fault(void)
{
	finish(99);
}

void start(void);
void start(void)
{
	for (volatile uint32_t *word = bss_begin; word < bss_end; word++)
		*word = 0;
	finish((uint32_t)bare_main());
}

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[16] = {
	(uintptr_t)stack_top, (uintptr_t)start, (uintptr_t)fault, (uintptr_t)fault,
	(uintptr_t)fault,     (uintptr_t)fault, (uintptr_t)fault,
};
