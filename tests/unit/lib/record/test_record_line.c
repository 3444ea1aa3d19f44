/* One record line: every field at its limits, and nothing kept of a bad one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/buf.h"
#include "lib/record/line.h"

#include "lib/base/banned.h"

static struct line line;
static struct err err;

static int parse(const char *json)
{
	err_clear(&err);
	return line_parse(json, strlen(json), &line, &err);
}

static void assert_good(const char *json, enum line_type type)
{
	if (parse(json))
		fail_msg("%s: %s", json, err.text);
	assert_int_equal(type, line.type);
}

/* Refused, told with the place, and *out is empty. */
static void assert_bad(const char *json, enum err_code code, const char *place)
{
	static const struct line empty;

	if (!parse(json))
		fail_msg("accepted: %.100s", json);
	assert_int_equal(code, err.code);
	if (!strstr(err.text, place))
		fail_msg("'%s' does not name '%s'", err.text, place);
	assert_memory_equal(&empty, &line, sizeof(line));
}

static void the_types_are_known(void **state)
{
	(void)state;
	assert_good("{\"type\":\"hello\",\"protocol\":1,\"clock\":\"tsc\"}", LINE_HELLO);
	assert_true(line.protocol == 1);
	assert_string_equal("tsc", line.text);
	line_release(&line);
	assert_good("{\"type\":\"ready\",\"slice\":3}", LINE_READY);
	assert_true(line.slice == 3);
	assert_good("{\"type\":\"end\"}", LINE_END);
	assert_good("{\"type\":\"tomorrow\"}", LINE_OTHER);
	assert_good("{\"type\":\"\"}", LINE_OTHER);
	assert_good("{\"type\":\"error\",\"message\":\"m\",\"name\":null}", LINE_ERROR);
	assert_string_equal("m", line.text);
	assert_null(line.name);
	line_release(&line);
}

static void what_is_absent_or_null_is_nan(void **state)
{
	(void)state;
	assert_good("{\"type\":\"result\",\"name\":\"b\",\"iterations\":4,\"wall_ns\":8,"
		    "\"cpu_ns\":null}",
		    LINE_RESULT);
	assert_true(line.iterations == 4 && line.wall_ns == 8);
	assert_true(isnan(line.cpu_ns));
	assert_true(isnan(line.process_cpu_ns));
	assert_true(isnan(line.errors));
	assert_true(isnan(line.threads));
	assert_int_equal(0, line.n_counters);
	line_release(&line);
}

static void counters_keep_state_value_and_reason(void **state)
{
	(void)state;
	assert_good(
		"{\"type\":\"result\",\"name\":\"b\",\"iterations\":1,\"wall_ns\":1,\"threads\":4,"
		"\"counters\":[{\"name\":\"steps\",\"state\":\"ok\",\"value\":12.5,"
		"\"reason\":null,\"user\":true,\"per_iteration\":true},"
		"{\"name\":\"cycles\",\"state\":\"forbidden\",\"value\":null,"
		"\"reason\":\"not for this user\"}]}",
		LINE_RESULT);
	assert_true(line.threads == 4);
	assert_int_equal(2, line.n_counters);
	assert_int_equal(METRIC_OK, line.counters[0].state);
	assert_true(line.counters[0].value == 12.5);
	assert_null(line.counters[0].reason);
	assert_int_equal(METRIC_FORBIDDEN, line.counters[1].state);
	assert_true(isnan(line.counters[1].value));
	assert_string_equal("not for this user", line.counters[1].reason);
	line_release(&line);
}

#define RESULT(field) \
	"{\"type\":\"result\",\"name\":\"b\",\"iterations\":1,\"wall_ns\":1,\"counters\":[" field \
	"]}"

static void bad_counters_are_refused_with_their_place(void **state)
{
	(void)state;
	assert_bad(RESULT("{\"name\":\"a\",\"state\":\"ok\"}"), ERR_RANGE, "counters[0].value");
	assert_bad(RESULT("{\"name\":\"a\",\"state\":\"ok\",\"value\":1},"
			  "{\"name\":\"b\",\"state\":\"fine\",\"value\":1}"),
		   ERR_RANGE, "counters[1].state");
	assert_bad(RESULT("{\"state\":\"ok\",\"value\":1}"), ERR_RANGE, "counters[0].name");
	assert_bad(RESULT("{\"name\":\"a\",\"value\":1}"), ERR_RANGE, "counters[0].state");
	assert_bad(RESULT("7"), ERR_RANGE, "counters[0]");
	assert_bad(RESULT("{\"name\":\"a\",\"state\":\"ok\",\"value\":\"1\"}"), ERR_RANGE,
		   "counters[0].value");
}

static void too_many_counters_are_refused(void **state)
{
	struct buf json = BUF_INIT;
	int i;

	(void)state;
	buf_adds(&json, "{\"type\":\"result\",\"name\":\"b\",\"iterations\":1,\"wall_ns\":1,"
			"\"counters\":[");
	for (i = 0; i <= LINE_MAX_COUNTERS; i++)
		buf_addf(&json, "%s{\"name\":\"c%d\",\"state\":\"absent\"}", i ? "," : "", i);
	buf_adds(&json, "]}");
	assert_bad(buf_str(&json), ERR_LIMIT, "counters");
	buf_release(&json);
}

static void iterations_are_whole_numbers_that_fit(void **state)
{
	static const char *const good[] = { "0", "1", "1.0", "64", "9007199254740992" };
	static const char *const bad[] = { "-1",    "0.5",   "1.5",  "9007199254740994",
					   "1e300", "\"1\"", "true", "null",
					   "[1]" };
	char json[128];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(json, sizeof(json),
			 "{\"type\":\"slice\",\"slice\":0,\"wall_ns\":0,\"iterations\":%s}",
			 good[i]);
		assert_good(json, LINE_SLICE);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(json, sizeof(json),
			 "{\"type\":\"slice\",\"slice\":0,\"wall_ns\":0,\"iterations\":%s}",
			 bad[i]);
		assert_bad(json, ERR_RANGE, "iterations");
	}
}

/* libpawl sends such: it was a broken record. */
static void no_iterations_are_those_of_operations_that_all_failed(void **state)
{
	(void)state;
	assert_good("{\"type\":\"result\",\"name\":\"b\",\"iterations\":0,\"wall_ns\":0,"
		    "\"errors\":100}",
		    LINE_RESULT);
	assert_true(line.iterations == 0 && line.errors == 100);
	line_release(&line);
	assert_bad("{\"type\":\"result\",\"name\":\"b\",\"iterations\":0,\"wall_ns\":0,"
		   "\"errors\":0}",
		   ERR_RANGE, "iterations");
	assert_bad("{\"type\":\"result\",\"name\":\"b\",\"iterations\":0,\"wall_ns\":0}", ERR_RANGE,
		   "iterations");
	assert_bad("{\"type\":\"result\",\"name\":\"b\",\"iterations\":0,\"wall_ns\":1,"
		   "\"errors\":100}",
		   ERR_RANGE, "iterations");
	assert_bad("{\"type\":\"calibration\",\"name\":\"b\",\"iterations\":0,\"wall_ns\":0,"
		   "\"errors\":100}",
		   ERR_RANGE, "iterations");
}

static void names_are_one_line_of_at_most_255_bytes(void **state)
{
	char json[400], name[257];

	(void)state;
	memset(name, 'n', sizeof(name));
	name[255] = '\0';
	snprintf(json, sizeof(json), "{\"type\":\"benchmark\",\"name\":\"%s\"}", name);
	assert_good(json, LINE_BENCHMARK);
	assert_int_equal(255, strlen(line.name));
	line_release(&line);
	name[255] = 'n';
	name[256] = '\0';
	snprintf(json, sizeof(json), "{\"type\":\"benchmark\",\"name\":\"%s\"}", name);
	assert_bad(json, ERR_LIMIT, "name");
	assert_bad("{\"type\":\"benchmark\",\"name\":\"a\\tb\"}", ERR_RANGE, "name");
	assert_bad("{\"type\":\"benchmark\",\"name\":\"a\\u001b[2J\"}", ERR_RANGE, "name");
	assert_bad("{\"type\":\"benchmark\",\"name\":\"a\\u0000b\"}", ERR_SYNTAX, "JSON");
	assert_bad("{\"type\":\"benchmark\",\"name\":\"a\xff\"}", ERR_SYNTAX, "JSON");
}

static void what_is_no_json_is_refused_with_its_column(void **state)
{
	static const char *const bad[] = { "",
					   " ",
					   "{",
					   "{\"type\":\"end\"",
					   "null",
					   "end",
					   "{\"type\":\"end\"} x",
					   "{\"type\":\"end\",\"type\":\"end\"}" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_bad(bad[i], ERR_SYNTAX, "column");
	assert_bad("[]", ERR_RANGE, "object");
	assert_bad("{}", ERR_RANGE, "type");
	assert_bad("{\"type\":\"end\",\"x\":[[[[[[[[[]]]]]]]]]}", ERR_LIMIT, "levels");
}

static void a_line_may_have_a_mebibyte_and_no_more(void **state)
{
	static const char start[] = "{\"type\":\"end\",\"x\":\"", end[] = "\"}";
	struct buf json = BUF_INIT;

	(void)state;
	buf_adds(&json, start);
	buf_addn(&json, 'x', LINE_MAX_BYTES - strlen(start) - strlen(end));
	buf_adds(&json, end);
	assert_int_equal(LINE_MAX_BYTES, json.len);
	assert_good(buf_str(&json), LINE_END);
	buf_addc(&json, ' ');
	assert_bad(buf_str(&json), ERR_LIMIT, "bytes");
	buf_release(&json);
}

/* Cut at every byte, a good line is bad; nothing leaks (asan) and nothing is read behind it. */
static void a_line_cut_anywhere_is_refused(void **state)
{
	static const char whole[] = RESULT("{\"name\":\"a\",\"state\":\"scaled\",\"value\":1e3}");
	size_t n;

	(void)state;
	for (n = 0; n < strlen(whole); n++) {
		assert_int_equal(-1, line_parse(whole, n, &line, &err));
		assert_int_equal(0, line.n_counters);
	}
	assert_int_equal(0, line_parse(whole, n, &line, &err));
	line_release(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_types_are_known),
		cmocka_unit_test(what_is_absent_or_null_is_nan),
		cmocka_unit_test(counters_keep_state_value_and_reason),
		cmocka_unit_test(bad_counters_are_refused_with_their_place),
		cmocka_unit_test(too_many_counters_are_refused),
		cmocka_unit_test(iterations_are_whole_numbers_that_fit),
		cmocka_unit_test(no_iterations_are_those_of_operations_that_all_failed),
		cmocka_unit_test(names_are_one_line_of_at_most_255_bytes),
		cmocka_unit_test(what_is_no_json_is_refused_with_its_column),
		cmocka_unit_test(a_line_may_have_a_mebibyte_and_no_more),
		cmocka_unit_test(a_line_cut_anywhere_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
