#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/usage.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_took_the_descriptors_number_is_neither_read_nor_closed),
	};
	return cmocka_run_group_tests_name("harness/usage", tests, NULL, NULL);
}
