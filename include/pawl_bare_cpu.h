/* SPDX-License-Identifier: MIT */
/*
 * pawl_bare_cpu - the counters that RISC-V and Cortex-M processors have of their own.
 *
 * Part of pawl_bare.h.  Everything here runs privileged: in machine mode, in handler mode or
 * privileged thread mode.
 *
 * Sources: The RISC-V Instruction Set Manual, volume II, "Machine-Level ISA", sections on
 *          mcycle, minstret, mcounteren, mcountinhibit and mtime.
 *          ARMv7-M Architecture Reference Manual, sections B3.3 (SysTick), C1.6 (DEMCR) and
 *          C1.8 (DWT).
 */
#ifndef PAWL_BARE_CPU_H
#define PAWL_BARE_CPU_H

/*
 * RISC-V mtime, memory-mapped, 64 bits up, in every mode that may touch the address; the board
 * tells address and frequency.
 */
static inline void pawl_bare_mtime(struct pawl_bare_counter *c, uintptr_t address, uint64_t hz)
{
	pawl_bare_mapped(c, address, 64, 0, hz);
}

#ifdef __riscv

/*
 * csrrs, csrrc and a read, written as numbers (a CSR above 0x7ff as a negative one): assemblers
 * know the instructions only where -march names zicsr, and then there may be no libgcc for it.
 */
#define PAWL_BARE_CSR_(out, csr) \
	__asm__ __volatile__(".insn i 0x73, 2, %0, x0, %1" : "=r"(out) : "i"(csr) : "memory")
#define PAWL_BARE_CSR_BITS_(funct3, csr, bits) \
	__asm__ __volatile__(".insn i 0x73, %0, x0, %1, %2" \
			     : \
			     : "i"(funct3), "r"(bits), "i"(csr) \
			     : "memory")

#if __riscv_xlen == 32
#define PAWL_BARE_CSR_PAIR_(name, low_csr, high_csr) \
	static inline uint64_t name(const struct pawl_bare_counter *c) \
	{ \
		uint32_t high, low, again; \
		(void)c; \
		do { \
			PAWL_BARE_CSR_(high, high_csr); \
			PAWL_BARE_CSR_(low, low_csr); \
			PAWL_BARE_CSR_(again, high_csr); \
		} while (again != high); \
		return (uint64_t)high << 32 | low; \
	}
#else
#define PAWL_BARE_CSR_PAIR_(name, low_csr, high_csr) \
	static inline uint64_t name(const struct pawl_bare_counter *c) \
	{ \
		uint64_t value; \
		(void)c; \
		PAWL_BARE_CSR_(value, low_csr); \
		return value; \
	}
#endif

PAWL_BARE_CSR_PAIR_(pawl_bare_read_mcycle, 0xb00 - 0x1000, 0xb80 - 0x1000)
PAWL_BARE_CSR_PAIR_(pawl_bare_read_minstret, 0xb02 - 0x1000, 0xb82 - 0x1000)

/*
 * Lets mcycle and minstret run: clears their bits in mcountinhibit.  Needs privileged
 * architecture 1.11 (2019) or later; where the register does not exist the instruction traps,
 * and the counters run always.
 */
static inline void pawl_bare_riscv_start(void)
{
	unsigned long bits = 1 << 0 | 1 << 2;
	PAWL_BARE_CSR_BITS_(3, 0x320, bits);
}

/*
 * Lets the next lower mode read cycle, time and instret: sets their bits in mcounteren.  Traps
 * on processors that have machine mode only.
 */
static inline void pawl_bare_riscv_share(void)
{
	unsigned long bits = 1 << 0 | 1 << 1 | 1 << 2;
	PAWL_BARE_CSR_BITS_(2, 0x306, bits);
}

/* Cycles of the core, machine mode; hz: of the core, or 0. */
static inline void pawl_bare_mcycle(struct pawl_bare_counter *c, uint64_t hz)
{
	pawl_bare_by(c, pawl_bare_read_mcycle, 64, 0, hz);
}

/* Instructions retired, machine mode: no time, but the same in every run. */
static inline void pawl_bare_minstret(struct pawl_bare_counter *c)
{
	pawl_bare_by(c, pawl_bare_read_minstret, 64, 0, 0);
}

#endif

/*
 * Cortex-M SysTick, 24 bits down at the core's clock (CLKSOURCE); in every Cortex-M but some
 * M0, where it is absent.  Takes the timer for itself: reload value, running, no interrupt.
 * Where an RTOS owns the timer, use pawl_bare_mapped(c, 0xe000e018, 24, 1, hz) and set
 * c->last to the RTOS's reload value instead.
 */
static inline void pawl_bare_systick(struct pawl_bare_counter *c, uint64_t hz)
{
	pawl_bare_mapped(c, 0xe000e018u, 24, 1, hz);
	PAWL_BARE_STORE32(0xe000e014u, 0xffffffu);
	PAWL_BARE_STORE32(0xe000e018u, 0);
	PAWL_BARE_STORE32(0xe000e010u, 1u << 2 | 1u << 0);
	if ((PAWL_BARE_LOAD32(0xe000e014u) & 0xffffffu) != 0xffffffu)
		c->state = PAWL_BARE_ABSENT;
}

/*
 * Cortex-M3, M4, M7, M33 and later: DWT CYCCNT, 32 bits up, cycles of the core.  Enables trace
 * (TRCENA), unlocks the unit, and lets the counter run (CYCCNTENA).  A core without it says
 * so (NOCYCCNT); emulators and cores whose debug unit is powered down have a counter that
 * stands still, which pawl_bare_open() reports.  Cortex-M0 and M0+ have no such address.
 */
static inline void pawl_bare_dwt(struct pawl_bare_counter *c, uint64_t hz)
{
	uint32_t control;
	pawl_bare_mapped(c, 0xe0001004u, 32, 0, hz);
	PAWL_BARE_STORE32(0xe000edfcu, PAWL_BARE_LOAD32(0xe000edfcu) | 1u << 24);
	PAWL_BARE_STORE32(0xe0001fb0u, 0xc5acce55u);
	control = PAWL_BARE_LOAD32(0xe0001000u);
	if (control & 1u << 25)
		c->state = PAWL_BARE_ABSENT;
	PAWL_BARE_STORE32(0xe0001000u, control | 1u << 0);
}

#endif
