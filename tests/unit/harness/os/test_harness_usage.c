#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/os/usage.h"
#include "harness/os/os.h"

#include "lib/base/banned.h"

#define MOST 64

/* The descriptor that the harness keeps; below 0: none. */
static int find_schedstat(void)
{
	for (int fd = 3; fd < MOST; fd++) {
		char path[64], target[256];
		(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		ssize_t n = readlink(path, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		if (strstr(target, "schedstat"))
			return fd;
	}
	return -1;
}

/* As a benchmark does that closes what it did not open, and then opens its data. */
static void what_took_the_descriptors_number_is_neither_read_nor_closed(void **state)
{
	struct usage before, after;
	char byte;
	int ends[2], fd;
	(void)state;
	pawl_usage_read(&before);
	fd = find_schedstat();
	if (before.run_delay_ns != before.run_delay_ns || fd < 0) {
		print_message("this kernel tells no run delay\n");
		skip();
	}
	FILE *data = tmpfile();
	assert_non_null(data);
	assert_true(fputs("1 1234567890123456 3\n", data) >= 0 && fflush(data) == 0);
	assert_int_equal(dup2(fileno(data), fd), fd);
	pawl_usage_read(&after);
	assert_true(after.run_delay_ns >= before.run_delay_ns && after.run_delay_ns < 1e15);
	assert_int_equal(pread(fd, &byte, 1, 0), 1);
	assert_int_equal(byte, '1');
	(void)fclose(data);
	(void)close(fd);

	fd = find_schedstat();
	assert_true(fd >= 0);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[0], fd), fd);
	pawl_usage_read(&after);
	assert_true(after.run_delay_ns >= before.run_delay_ns);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void a_kernel_that_counts_nothing_tells_no_run_delay(void **state)
{
	static const char *const bad[] = { "0 0 0\n", "", "\n", "17", "17 42", "a b c", "- - -" };
	(void)state;
	assert_true(pawl_os_run_delay("17 42 3\n") == 42);
	assert_true(pawl_os_run_delay("17 0 1\n") == 0);
	/* A thread that has just begun has used nothing that was booked yet. */
	assert_true(pawl_os_run_delay("0 92226 1\n") == 92226);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		double delay_ns = pawl_os_run_delay(bad[i]);
		assert_true(delay_ns != delay_ns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_that_counts_nothing_tells_no_run_delay),
		cmocka_unit_test(what_took_the_descriptors_number_is_neither_read_nor_closed),
	};
	return cmocka_run_group_tests_name("harness/usage", tests, NULL, NULL);
}
