// SPDX-License-Identifier: MIT
// peer_google - the operations under google-benchmark.
#include <benchmark/benchmark.h>

#include "tests/bench/harness/op.h"

static void empty(benchmark::State &state)
{
	uint64_t x = 1;
	for (auto _ : state)
		benchmark::DoNotOptimize(x = op_empty(x));
}
BENCHMARK(empty);

static void imul(benchmark::State &state)
{
	uint64_t x = 1;
	for (auto _ : state)
		benchmark::DoNotOptimize(x = op_imul(x));
}
BENCHMARK(imul);

BENCHMARK_MAIN();
