/* SPDX-License-Identifier: MIT */
/*
 * pawl_keep - optimisation barriers: no instruction of their own.  Part of pawl.h; includes only
 * <stdint.h>, so that it serves without an operating system too.
 *
 * pawl_keep(v):       the value v is used: the compiler must compute it.  Numbers stay in the
 *                     kind of register they are in; of a pointer, what it points to is used too.
 * pawl_keep_obj(o):   all of the object o (a variable, structure or array) is used.
 * x = pawl_hide(x):   the compiler no longer knows the value of x, so it can neither compute
 *                     with it beforehand nor move what depends on it out of the loop.
 * pawl_clobber():     all memory whose address went elsewhere may have been read and changed.
 *
 * Range: keep and hide take arithmetic types up to 64 bits, long double and pointers to
 *        non-volatile objects.  Integers smaller than int come back as int.
 * Language: with -DPAWL_C89 only pawl_keep_obj() and pawl_clobber() are there.  In C, MSVC needs
 *        /std:c11 for pawl_keep() and pawl_hide().
 * Without the assembler statement of gcc and clang (so with MSVC, or with -DPAWL_NO_ASM) a value
 * goes through memory: a store and a load.  What is for MSVC has not been tried.
 */
#ifndef PAWL_KEEP_H
#define PAWL_KEEP_H

#include <stdint.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(PAWL_NO_ASM)
#define PAWL_ASM_ 1
#elif defined(_MSC_VER)
#include <intrin.h>
#elif defined(__cplusplus)
#include <atomic>
#else
#include <stdatomic.h>
#endif

/* A value wider than a register has to go through memory. */
#if defined(__LP64__) || defined(__x86_64__)
#define PAWL_WIDE_ "r"
#else
#define PAWL_WIDE_ "m"
#endif

/* The register class of a double; a general register would cost a move each way. */
#if defined(__SSE2__)
#define PAWL_REAL_ "x"
#elif defined(__aarch64__)
#define PAWL_REAL_ "w"
#elif defined(__riscv_flen) && __riscv_flen >= 64
#define PAWL_REAL_ "f"
#else
#define PAWL_REAL_ "m"
#endif

#ifdef PAWL_ASM_

#define pawl_clobber() __asm__ __volatile__("" : : : "memory")
#define pawl_keep_obj(o) __asm__ __volatile__("" : : "m"(o))

/* The counter of a loop that must go round as often as it says. */
#define PAWL_COUNTER_ uint64_t
#define PAWL_HIDE_COUNTER_(x) __asm__ __volatile__("" : "+" PAWL_WIDE_(x))

#else

#if defined(_MSC_VER)
#define pawl_clobber() _ReadWriteBarrier()
#elif defined(__cplusplus)
#define pawl_clobber() std::atomic_signal_fence(std::memory_order_seq_cst)
#else
#define pawl_clobber() atomic_signal_fence(memory_order_seq_cst)
#endif
#define pawl_keep_obj(o) \
	do { \
		const volatile void *volatile pawl_kept_ = &(o); \
		(void)pawl_kept_; \
		pawl_clobber(); \
	} while (0)

#define PAWL_COUNTER_ volatile uint64_t
#define PAWL_HIDE_COUNTER_(x) (void)(x)

#endif

#ifndef PAWL_C89

#ifdef __cplusplus
extern "C" {
#endif

#ifdef PAWL_ASM_
#define PAWL_BARRIER_(suffix, type, class) \
	static inline void pawl_keep_##suffix(type v) \
	{ \
		__asm__ __volatile__("" : : class(v)); \
	} \
	static inline type pawl_hide_##suffix(type v) \
	{ \
		__asm__ __volatile__("" : "+" class(v)); \
		return v; \
	}
#else
#define PAWL_BARRIER_(suffix, type, class) \
	static inline void pawl_keep_##suffix(type v) \
	{ \
		volatile type kept = v; \
		(void)kept; \
	} \
	static inline type pawl_hide_##suffix(type v) \
	{ \
		volatile type hidden = v; \
		return hidden; \
	}
#endif

PAWL_BARRIER_(int, int, "r")
PAWL_BARRIER_(uint, unsigned int, "r")
PAWL_BARRIER_(long, long, "r")
PAWL_BARRIER_(ulong, unsigned long, "r")
PAWL_BARRIER_(wide, int64_t, PAWL_WIDE_)
PAWL_BARRIER_(uwide, uint64_t, PAWL_WIDE_)
PAWL_BARRIER_(float, float, PAWL_REAL_)
PAWL_BARRIER_(double, double, PAWL_REAL_)
PAWL_BARRIER_(long_double, long double, "m")

#ifdef PAWL_ASM_
static inline void pawl_keep_pointer(const void *v)
{
	__asm__ __volatile__("" : : "r"(v) : "memory");
}

static inline void *pawl_hide_pointer(const void *v)
{
	void *out;
	__asm__ __volatile__("" : "=r"(out) : "0"(v) : "memory");
	return out;
}
#else
static inline void pawl_keep_pointer(const void *v)
{
	const void *volatile kept = v;
	(void)kept;
	pawl_clobber();
}

static inline void *pawl_hide_pointer(const void *v)
{
	void *volatile hidden = (void *)(uintptr_t)v;
	pawl_clobber();
	return hidden;
}
#endif

#ifdef __cplusplus
} /* extern "C" */

#define PAWL_OVERLOAD_(suffix, type) \
	static inline void pawl_keep(type v) \
	{ \
		pawl_keep_##suffix(v); \
	} \
	static inline type pawl_hide(type v) \
	{ \
		return static_cast<type>(pawl_hide_##suffix(v)); \
	}

PAWL_OVERLOAD_(int, int)
PAWL_OVERLOAD_(uint, unsigned int)
PAWL_OVERLOAD_(long, long)
PAWL_OVERLOAD_(ulong, unsigned long)
PAWL_OVERLOAD_(wide, long long)
PAWL_OVERLOAD_(uwide, unsigned long long)
PAWL_OVERLOAD_(float, float)
PAWL_OVERLOAD_(double, double)
PAWL_OVERLOAD_(long_double, long double)

template <typename T> static inline void pawl_keep(T *v)
{
	pawl_keep_pointer(v);
}
template <typename T> static inline T *pawl_hide(T *v)
{
	return static_cast<T *>(pawl_hide_pointer(v));
}

#else /* C */

#ifdef __GNUC__
#define PAWL_EXTENSION_ __extension__
#else
#define PAWL_EXTENSION_
#endif
/* clang-format off */
#define PAWL_SELECT_(v, call) \
	PAWL_EXTENSION_ _Generic((v), \
		_Bool: call##_int, char: call##_int, signed char: call##_int, \
		unsigned char: call##_int, short: call##_int, unsigned short: call##_int, \
		int: call##_int, unsigned int: call##_uint, \
		long: call##_long, unsigned long: call##_ulong, \
		long long: call##_wide, unsigned long long: call##_uwide, \
		float: call##_float, double: call##_double, long double: call##_long_double, \
		default: call##_pointer)(v)
/* clang-format on */
#define pawl_keep(v) PAWL_SELECT_(v, pawl_keep)
#define pawl_hide(v) PAWL_SELECT_(v, pawl_hide)

#endif

#endif /* PAWL_C89 */

#endif
