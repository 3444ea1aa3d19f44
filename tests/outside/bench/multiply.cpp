// A benchmark in C++ that no commit of the tests changes.
#include <pawl.h>

static void run(void *, uint64_t n, struct pawl_run *)
{
	for (uint64_t i = 0; i < n; i++)
		pawl_keep(i * 0x9e3779b97f4a7c15u);
}

int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = { { "once", nullptr, run, nullptr, nullptr, 0, 0 } };

	return pawl_main(argc, argv, list, 1);
}
