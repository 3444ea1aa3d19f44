#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#include <string>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
TEST_CASE("fibonacci, small", "[fib]")
{
	CHECK(fib(5) == 5);
	BENCHMARK("fib 10") { return fib(10); };
	SECTION("larger") {
		BENCHMARK("fib 15") { return fib(15); };
	}
}
TEST_CASE("text") { BENCHMARK("concat") { return std::string("a") + std::string(40, 'b'); }; }
TEST_CASE("plain") { CHECK(fib(3) == 2); }
