/* SPDX-License-Identifier: MIT */
/*
 * crc - how many cycles a bitwise CRC-32 of 64 bytes takes on a RISC-V machine without an
 * operating system, and the worst case of a single one.  README.md has the commands.
 */
#include "include/pawl_bare.h"

static uint8_t message[64];

static uint32_t crc32(const uint8_t *bytes, size_t n)
{
	uint32_t crc = 0xffffffff;
	while (n--) {
		crc ^= *bytes++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static int run(void *ctx, uint32_t n)
{
	volatile uint32_t *result = (volatile uint32_t *)ctx;
	while (n--)
		*result = crc32(message, sizeof(message));
	return *result == 0x758d6336 ? 0 : 1; /* the CRC of 64 zero bytes: or it failed */
}

/* The UART of the "virt" machine. */
static void print(const char *text)
{
	while (*text)
		*(volatile char *)0x10000000 = *text++;
}

int bare_main(void);
int bare_main(void)
{
	static const struct pawl_bare_plan single = { 1, 0, 1000, 0 };
	static char text[720];
	struct pawl_bare_counter cycles;
	struct pawl_bare_result result;
	uint32_t crc;

	pawl_bare_riscv_start();
	pawl_bare_mcycle(&cycles, 1000000000);
	pawl_bare_open(&cycles); /* a counter that cannot be used makes error lines */
	pawl_bare_run(&cycles, NULL, run, &crc, &result);
	pawl_bare_text(text, sizeof(text), "crc32/64", &cycles, &result);
	print(text);
	pawl_bare_run(&cycles, &single, run, &crc, &result);
	pawl_bare_text(text, sizeof(text), "crc32/64/single", &cycles, &result);
	print(text);
	return 0;
}
