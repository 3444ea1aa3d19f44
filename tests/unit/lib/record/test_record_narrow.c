#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/record/narrow.h"
#include "lib/record/summary.h"

#include "lib/base/banned.h"

static void gives(const char *json, const char *name, const char *wanted)
{
	/* a copy without a closing NUL: what lies behind must not be read */
	size_t n = strlen(json);
	char *exact = malloc(n);
	struct buf out = BUF_INIT;

	assert_non_null(exact);
	memcpy(exact, json, n);
	buf_adds(&out, ">");
	assert_int_equal(0, summary_narrow(exact, n, name, &out, NULL));
	assert_string_equal(wanted, buf_str(&out) + 1);
	buf_release(&out);
	free(exact);
}

static void refuses(const char *json, enum err_code code)
{
	size_t n = strlen(json);
	char *exact = malloc(n ? n : 1);
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	assert_non_null(exact);
	memcpy(exact, json, n);
	assert_int_equal(-1, summary_narrow(exact, n, "b", &out, &err));
	assert_int_equal(code, err.code);
	assert_int_equal(0, out.len);
	buf_release(&out);
	free(exact);
}

static void one_benchmark_stays_and_the_rest_of_the_document(void **state)
{
	(void)state;
	gives("{\"a\":[{\"name\":\"b\"}],\"benchmarks\":[{\"name\":\"a\",\"x\":[1]},{\"name\":"
	      "\"b\","
	      "\"x\":[2]},{\"name\":\"c\"}],\"z\":null}",
	      "b",
	      "{\"a\":[{\"name\":\"b\"}],\"benchmarks\":[{\"name\":\"b\",\"x\":[2]}],\"z\":null}");
	gives("{ \"benchmarks\" : [ { \"x\" : 1.5e3 , \"name\" : \"b\" } ] }", "b",
	      "{ \"benchmarks\" : [{ \"x\" : 1.5e3 , \"name\" : \"b\" }] }");
}

static void brackets_and_quotes_inside_strings_are_no_nesting(void **state)
{
	(void)state;
	gives("{\"t\":\"}]\\\"\\\\\",\"benchmarks\":[{\"name\":\"a]\\\"}\"},{\"name\":\"b\\\"\"}]}",
	      "b\"", "{\"t\":\"}]\\\"\\\\\",\"benchmarks\":[{\"name\":\"b\\\"\"}]}");
}

/* pawl escapes a '#' after another one; others, and pawl of old, do not. */
static void a_name_is_found_with_its_escape_and_without(void **state)
{
	static const char plain[] = "{\"benchmarks\":[{\"name\":\"##[a]\"}]}";
	static const char escaped[] = "{\"benchmarks\":[{\"name\":\"#\\u0023[a]\"}]}";

	(void)state;
	gives(plain, "##[a]", plain);
	gives(escaped, "##[a]", escaped);
	gives("{\"benchmarks\":[{\"name\":\"#\\\\u0023\"},{\"name\":\"##\"}]}", "##",
	      "{\"benchmarks\":[{\"name\":\"##\"}]}");
}

static void a_name_deeper_down_or_only_beginning_alike_is_another(void **state)
{
	(void)state;
	refuses("{\"benchmarks\":[{\"name\":\"bb\"},{\"x\":{\"name\":\"b\"},\"name\":\"c\"}]}",
		ERR_ABSENT);
	refuses("{\"benchmarks\":[]}", ERR_ABSENT);
}

static void a_broken_document_is_refused_wherever_it_ends(void **state)
{
	static const char whole[] =
		"{\"x\":\"\\\\\",\"benchmarks\":[{\"name\":\"b\",\"n\":[1,{}]}],\"y\":1}";
	const char *close = strstr(whole, "],\"y\"");
	char cut[sizeof(whole)];
	size_t n;

	(void)state;
	for (n = 0; whole + n < close + 1; n++) {
		memcpy(cut, whole, n);
		cut[n] = '\0';
		refuses(cut, ERR_SYNTAX);
	}
	refuses("[]", ERR_SYNTAX);
	refuses("{\"benchmarks\":{}}", ERR_SYNTAX);
	refuses("{\"benchmarks\":[{\"name\":\"b\"} {}]}", ERR_SYNTAX);
}

static void add_bench(struct summary *s, const char *name)
{
	struct bench *b = summary_add_bench(s, name, NULL);

	assert_non_null(b);
	assert_int_equal(0, str_set(&b->gate, "cpu", NULL));
	assert_int_equal(0, str_set(&b->format, "command", NULL));
}

static void what_was_encoded_is_found_and_decodes(void **state)
{
	static const char name[] = "tab\t\"q\" \xc3\xa9 \xff";
	struct buf json = BUF_INIT, out = BUF_INIT;
	struct err err = ERR_INIT;
	struct summary s, back;

	(void)state;
	summary_init(&s);
	assert_int_equal(0, str_set(&s.id, "01JD0000000000000000000001", NULL));
	assert_int_equal(0, str_set(&s.project, "p", NULL));
	assert_int_equal(0,
			 str_set(&s.commit.id, "0f1e2d3c4b5a69788796a5b4c3d2e1f000112233", NULL));
	assert_int_equal(0, str_set(&s.machine.id, "0011223344556677", NULL));
	s.settings.runs_min = s.settings.runs_max = 20;
	s.settings.min_time_ns = 1;
	s.settings.confidence = 0.95;
	s.settings.threshold = 0.01;
	s.started_us = s.finished_us = 1763632800000000;
	add_bench(&s, "first");
	add_bench(&s, name);
	assert_int_equal(0, summary_encode(&s, 0, &json, NULL));
	assert_int_equal(0, summary_narrow(json.data, json.len, name, &out, NULL));
	if (summary_decode(out.data, out.len, &back, &err))
		fail_msg("%s", err.text);
	assert_int_equal(1, back.n_benchmarks);
	assert_non_null(strstr(back.benchmarks[0].name, "tab\t\"q\""));
	summary_release(&back);
	summary_release(&s);
	buf_release(&json);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_benchmark_stays_and_the_rest_of_the_document),
		cmocka_unit_test(brackets_and_quotes_inside_strings_are_no_nesting),
		cmocka_unit_test(a_name_is_found_with_its_escape_and_without),
		cmocka_unit_test(a_name_deeper_down_or_only_beginning_alike_is_another),
		cmocka_unit_test(a_broken_document_is_refused_wherever_it_ends),
		cmocka_unit_test(what_was_encoded_is_found_and_decodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
