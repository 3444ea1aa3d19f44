/* What a fault looks like from outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "server/http/reply.h"

static void gives(enum err_code code, const char *text, unsigned status, const char *body)
{
	struct reply r = { .status = 0 };
	struct err err = ERR_INIT;

	err_set(&err, code, "%s", text);
	reply_fault(&r, &err);
	assert_int_equal(r.status, status);
	assert_int_equal(r.retry_after_s, status == 503 ? RETRY_AFTER_S : 0);
	assert_string_equal(buf_str(&r.body), body);
	reply_release(&r);
}

static void place_of_a_fault_stands_by_itself(void **state)
{
	(void)state;
	gives(ERR_RANGE, "benchmarks[2].metrics[0].unit: is missing", 422,
	      "{\"error\":{\"code\":\"range\",\"message\":\"is missing\","
	      "\"where\":\"benchmarks[2].metrics[0].unit\"}}\n");
	gives(ERR_SYNTAX, "not JSON: line 2, column 5: '}' expected", 400,
	      "{\"error\":{\"code\":\"syntax\",\"message\":\"not JSON: line 2, column 5: '}' "
	      "expected\",\"where\":\"line 2, column 5\"}}\n");
	gives(ERR_LIMIT, "document nests deeper than 16 levels", 422,
	      "{\"error\":{\"code\":\"limit\",\"message\":\"document nests deeper than 16 levels\","
	      "\"where\":null}}\n");
	gives(ERR_ABSENT, "no project 'a: b'", 404,
	      "{\"error\":{\"code\":\"absent\",\"message\":\"no project 'a: "
	      "b'\",\"where\":null}}\n");
}

static void faults_of_the_machine_are_not_told_to_the_caller(void **state)
{
	static const char later[] = "cannot store or read now; try again";
	const enum err_code codes[] = { ERR_FULL, ERR_BUSY, ERR_IO, ERR_NOMEM };
	char body[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		snprintf(body, sizeof(body),
			 "{\"error\":{\"code\":\"%s\",\"message\":\"%s\",\"where\":null}}\n",
			 err_name(codes[i]), later);
		gives(codes[i], "cannot use '/srv/secret/pawl.db': disk full", 503, body);
	}
	gives(ERR_CORRUPT, "'/srv/secret/pawl.db' is damaged", 500,
	      "{\"error\":{\"code\":\"corrupt\",\"message\":\"the server's data is damaged here: "
	      "'pawld "
	      "fsck' on its machine tells what, and what it can repair\","
	      "\"where\":null}}\n");
}

static void error_replaces_what_was_written(void **state)
{
	struct reply r = { .type = "text/html" };

	(void)state;
	buf_adds(&r.body, "{\"half");
	reply_error(&r, 404, "absent", "say \"hi\"", NULL);
	assert_string_equal(buf_str(&r.body), "{\"error\":{\"code\":\"absent\",\"message\":\"say "
					      "\\\"hi\\\"\",\"where\":null}}\n");
	assert_null(r.type);
	reply_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(place_of_a_fault_stands_by_itself),
		cmocka_unit_test(faults_of_the_machine_are_not_told_to_the_caller),
		cmocka_unit_test(error_replaces_what_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
