/*
 * bench_pairs - the least that a comparison of two commands can be: each in turns, by chance who
 * begins, started with vfork and waited for; nothing is recorded but the processor time of each
 * run.
 *
 * usage: bench_pairs PAIRS BASE HEAD [SEED]
 *
 * Prints "SECONDS RATIO": from the first start to the last end, and the median of head / base over
 * the pairs, by processor time.  tests/verdict/command measures pawl against it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

#define PAIRS_MOST 100000

static double run_cpu_us(char *program)
{
	char *const words[] = { program, NULL };
	struct rusage usage;
	int status;
	pid_t child = vfork();

	if (child == 0) {
		execve(program, words, environ);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child || status) {
		fprintf(stderr, "bench_pairs: error: %s cannot be run, or failed\n", program);
		exit(1);
	}
	return 1e6 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_size);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	size_t n = argc >= 4 ? strtoul(argv[1], NULL, 10) : 0;
	uint64_t state = argc == 5 ? strtoull(argv[4], NULL, 10) : 1;
	int out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	double *ratios;
	uint64_t start;

	if (!n || n > PAIRS_MOST || argc > 5) {
		fprintf(stderr, "usage: bench_pairs PAIRS BASE HEAD [SEED]\n");
		return 2;
	}
	ratios = calloc(n, sizeof(*ratios));
	/* What the programs print goes nowhere. */
	if (!ratios || out < 0 || null < 0 || dup2(null, STDOUT_FILENO) < 0)
		return 1;
	start = when_monotonic_ns();
	for (size_t i = 0; i < n; i++) {
		double us[2]; /* base, head */
		int first;

		state = state * 6364136223846793005u + 1442695040888963407u;
		first = (int)(state >> 63);
		us[first] = run_cpu_us(argv[2 + first]);
		us[!first] = run_cpu_us(argv[2 + !first]);
		ratios[i] = us[1] / us[0];
	}
	dprintf(out, "%.6f %.6f\n", (double)(when_monotonic_ns() - start) / 1e9, median(ratios, n));
	free(ratios);
	return 0;
}
