#include <benchmark/benchmark.h>
#include <vector>
#include <numeric>
static void BM_sum(benchmark::State &s)
{
	std::vector<int> v(s.range(0), 1);
	for (auto _ : s)
		benchmark::DoNotOptimize(std::accumulate(v.begin(), v.end(), 0));
	s.SetItemsProcessed(s.iterations() * s.range(0));
	s.SetBytesProcessed(s.iterations() * s.range(0) * sizeof(int));
	s.counters["blocks"] = s.range(0) / 64;
}
BENCHMARK(BM_sum)->Arg(1024)->Arg(8192);
static void BM_wait(benchmark::State &s)
{
	for (auto _ : s)
		benchmark::DoNotOptimize(s.iterations());
	s.SetLabel("a label");
}
BENCHMARK(BM_wait)->UseRealTime()->Unit(benchmark::kMicrosecond);
static void BM_broken(benchmark::State &s)
{
	s.SkipWithError("no input file");
	for (auto _ : s) {}
}
BENCHMARK(BM_broken);
BENCHMARK_MAIN();
