// SPDX-License-Identifier: MIT
// peer_nanobench - the operations under nanobench.  Prints "NAME<TAB>ns".
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>

#include <cstdio>

#include "tests/bench/harness/op.h"

template <typename Op> static void measure(const char *name, Op op)
{
	ankerl::nanobench::Bench bench;
	uint64_t x = 1;
	bench.output(nullptr).run(name, [&] { ankerl::nanobench::doNotOptimizeAway(x = op(x)); });
	double s = bench.results().front().median(ankerl::nanobench::Result::Measure::elapsed);
	std::printf("%s\t%.6f\n", name, s * 1e9);
}

int main()
{
	measure("empty", [](uint64_t x) { return op_empty(x); });
	measure("imul", [](uint64_t x) { return op_imul(x); });
	return 0;
}
