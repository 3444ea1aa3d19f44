/* SPDX-License-Identifier: MIT */
/*
 * fences - what each fence around the two readings of the time stamp counter costs, and what the
 * time of a stretch would be without it.
 *
 * Four orders, in turns: with all fences, as the clock tsc has them; without the one behind the
 * first reading, which keeps the stretch from starting early; without the one behind the second,
 * which keeps what follows from starting early; without both.  Each with an empty stretch and
 * chains of 8, 64 and 128 multiplications, and behind the stretch nothing, or 64 multiplications
 * that wait for nothing.  Prints a table of mean ticks: of 41 rounds the median.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __x86_64__

#define N 4000
#define KEPT (N - N / 50) /* less the interrupted ones */
#define ROUNDS 41
#define ORDERS 4

static uint64_t shown[N], took;

static int by_ticks(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double mean(void)
{
	double sum = 0;
	qsort(shown, N, sizeof(shown[0]), by_ticks);
	for (size_t i = 0; i < KEPT; i++)
		sum += (double)shown[i];
	return sum / KEPT;
}

#define READ(code, out) \
	do { \
		uint32_t low_, high_; \
		__asm__ __volatile__(code : "=a"(low_), "=d"(high_) : : "ecx", "memory"); \
		(out) = (uint64_t)high_ << 32 | low_; \
	} while (0)

#define CHAIN(n, x) __asm__ __volatile__(".rept " #n "\n\timulq %0, %0\n\t.endr" : "+r"(x))

static void follow_with_nothing(void)
{
}

static inline __attribute__((always_inline)) void follow_with_work(void)
{
	uint64_t a = 3, b = 5, c = 7, d = 9;
	__asm__ __volatile__(".rept 16\n\timulq %0, %0\n\timulq %1, %1\n\timulq %2, %2\n\t"
			     "imulq %3, %3\n\t.endr"
			     : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
}

#define ORDER(name, first, second, stretch, follow) \
	static double name(void) \
	{ \
		uint64_t x = 3, from, begin, end; \
		READ("lfence\n\trdtsc", from); \
		for (size_t i = 0; i < N; i++) { \
			READ(first, begin); \
			stretch; \
			READ(second, end); \
			shown[i] = end - begin; \
			follow(); \
		} \
		READ("rdtscp", took); \
		took -= from; \
		(void)x; \
		return mean(); \
	}

#define ALL(what, stretch, follow) \
	ORDER(what##_both, "lfence\n\trdtsc\n\tlfence", "rdtscp\n\tlfence", stretch, follow) \
	ORDER(what##_first_open, "lfence\n\trdtsc", "rdtscp\n\tlfence", stretch, follow) \
	ORDER(what##_last_open, "lfence\n\trdtsc\n\tlfence", "rdtscp", stretch, follow) \
	ORDER(what##_open, "lfence\n\trdtsc", "rdtscp", stretch, follow)

ALL(none, (void)0, follow_with_nothing)
ALL(none_work, (void)0, follow_with_work)
ALL(imul8, CHAIN(8, x), follow_with_nothing)
ALL(imul8_work, CHAIN(8, x), follow_with_work)
ALL(imul64, CHAIN(64, x), follow_with_nothing)
ALL(imul64_work, CHAIN(64, x), follow_with_work)
ALL(imul128, CHAIN(128, x), follow_with_nothing)
ALL(imul128_work, CHAIN(128, x), follow_with_work)

#define ROW(say, what) \
	{ \
		say, \
		{ \
			what##_both, what##_first_open, what##_last_open, what##_open \
		} \
	}

static const struct {
	const char *say;
	double (*measure[ORDERS])(void);
} rows[] = {
	ROW("nothing", none),	   ROW("nothing, then 64 imuls", none_work),
	ROW("8 imuls", imul8),	   ROW("8 imuls, then 64", imul8_work),
	ROW("64 imuls", imul64),   ROW("64 imuls, then 64", imul64_work),
	ROW("128 imuls", imul128), ROW("128 imuls, then 64", imul128_work),
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static double means[ROWS][ORDERS][ROUNDS], takes[ORDERS][ROUNDS];

int main(void)
{
	for (size_t round = 0; round < ROUNDS; round++) {
		for (size_t k = 0; k < ROWS; k++) {
			for (size_t i = 0; i < ORDERS; i++) {
				size_t order = (i + round) % ORDERS;
				means[k][order][round] = rows[k].measure[order]();
				if (k == 0)
					takes[order][round] = (double)took / N;
			}
		}
	}
	printf("%-24s %10s %12s %12s %10s\n", "mean ticks", "all fences", "first open",
	       "second open", "both open");
	for (size_t k = 0; k <= ROWS; k++) {
		printf("%-24s", k < ROWS ? rows[k].say : "an empty pair takes");
		for (size_t order = 0; order < ORDERS; order++) {
			double *of = k < ROWS ? means[k][order] : takes[order];
			qsort(of, ROUNDS, sizeof(of[0]), by_size);
			printf(" %*.1f", order % 3 ? 12 : 10, of[ROUNDS / 2]);
		}
		printf("\n");
	}
	return 0;
}

#else

int main(void)
{
	fprintf(stderr, "this processor is not an x86-64\n");
	return 77;
}

#endif
