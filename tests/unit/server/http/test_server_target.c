/* The address of a request, from anybody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "server/http/target.h"

static void refused(const char *raw, enum err_code code)
{
	struct err err = ERR_INIT;
	struct target url;

	assert_int_equal(target_parse(raw, &url, &err), -1);
	assert_int_equal(err.code, code);
}

static void path_is_split_before_it_is_decoded(void **state)
{
	struct target url;

	(void)state;
	assert_int_equal(target_parse("/api/a%2Fb/%C3%A9+", &url, NULL), 0);
	assert_int_equal(url.n_segments, 3);
	assert_string_equal(url.segments[0], "api");
	assert_string_equal(url.segments[1], "a/b");
	assert_string_equal(url.segments[2], "\xc3\xa9+");
	target_release(&url);
	assert_int_equal(target_parse("/", &url, NULL), 0);
	assert_int_equal(url.n_segments, 0);
	target_release(&url);
	assert_int_equal(target_parse("//x/", &url, NULL), 0);
	assert_int_equal(url.n_segments, 3);
	assert_string_equal(url.segments[0], "");
	assert_string_equal(url.segments[2], "");
	target_release(&url);
}

static void query_gives_its_values(void **state)
{
	struct target url;

	(void)state;
	assert_int_equal(target_parse("/x?a=1+2&b=%26%3d&c&d=", &url, NULL), 0);
	assert_int_equal(url.n_parameters, 4);
	assert_string_equal(target_parameter(&url, "a"), "1 2");
	assert_string_equal(target_parameter(&url, "b"), "&=");
	assert_string_equal(target_parameter(&url, "c"), "");
	assert_string_equal(target_parameter(&url, "d"), "");
	assert_null(target_parameter(&url, "e"));
	target_release(&url);
}

static void broken_addresses_are_refused(void **state)
{
	(void)state;
	refused("x", ERR_SYNTAX);
	refused("", ERR_SYNTAX);
	refused("http://host/x", ERR_SYNTAX);
	refused("/%", ERR_SYNTAX);
	refused("/%2", ERR_SYNTAX);
	refused("/%2x", ERR_SYNTAX);
	refused("/a%00b", ERR_SYNTAX);
	refused("/x?a=%00", ERR_SYNTAX);
	refused("/%ff", ERR_SYNTAX);
	refused("/%C0%80", ERR_SYNTAX);
	refused("/%ED%A0%80", ERR_SYNTAX);
	refused("/x?a=1&a=2", ERR_SYNTAX);
	refused("/x?a=1&%61=2", ERR_SYNTAX);
}

static void long_paths_and_queries_stay_within_their_tables(void **state)
{
	char raw[512] = "";
	struct target url;
	int i;

	(void)state;
	for (i = 0; i < 100; i++)
		strncat(raw, "/a", sizeof(raw) - strlen(raw) - 1);
	assert_int_equal(target_parse(raw, &url, NULL), 0);
	assert_int_equal(url.n_segments, TARGET_MAX_SEGMENTS + 1);
	target_release(&url);
	strncpy(raw, "/x?", sizeof(raw));
	for (i = 0; i < TARGET_MAX_PARAMETERS + 1; i++) {
		char pair[4] = { (char)('a' + i), '=', '&', '\0' };

		strncat(raw, pair, sizeof(raw) - strlen(raw) - 1);
	}
	refused(raw, ERR_LIMIT);
}

static void list_of_encodings_is_read_by_its_words(void **state)
{
	static const struct {
		const char *list;
		bool accepts;
	} rows[] = {
		{ "zstd", true },
		{ "gzip, deflate, br, zstd", true },
		{ "ZSTD;q=1.0, gzip", true },
		{ " zstd ; q=0.001", true },
		{ "gzip,zstd;q=0.5,br", true },
		{ "zstd;q=0", false },
		{ "zstd;q=0.000, gzip", false },
		{ "zstandard", false },
		{ "x-zstd", false },
		{ "gzip", false },
		{ "", false },
		{ ",,", false },
		{ "*", false },
	};
	size_t i;

	(void)state;
	assert_false(target_accepts(NULL, "zstd"));
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (target_accepts(rows[i].list, "zstd") != rows[i].accepts)
			fail_msg("%s", rows[i].list);
}

static void only_known_parameters_pass_and_empty_ones_count_as_absent(void **state)
{
	static const char *const known[] = { "q", "page", NULL };
	struct err err = ERR_INIT;
	struct target url;

	(void)state;
	assert_int_equal(target_parse("/p/x?q=&page=2", &url, NULL), 0);
	assert_int_equal(target_only(&url, known, &err), 0);
	assert_null(target_given(&url, "q"));
	assert_null(target_given(&url, "other"));
	assert_string_equal(target_given(&url, "page"), "2");
	target_release(&url);
	assert_int_equal(target_parse("/p/x?pgae=2", &url, NULL), 0);
	assert_int_equal(target_only(&url, known, &err), -1);
	assert_int_equal(err.code, ERR_SYNTAX);
	assert_string_equal(err.text, "there is no parameter 'pgae'");
	target_release(&url);
}

/* Expected by RFC 9110, 12.5.1. */
static void a_list_of_types_is_read_by_what_it_wants_most(void **state)
{
	static const char *const types[] = { "application/json", "text/csv", "text/plain" };
	static const struct {
		const char *list;
		size_t wanted;
	} lists[] = {
		{ NULL, 0 },
		{ "", 0 },
		{ " , ", 0 },
		{ "*/*", 0 },
		{ "text/csv", 1 },
		{ "TEXT/CSV", 1 },
		{ "text/*", 1 },
		{ "text/*, text/csv;q=0", 2 },
		{ "text/csv;q=0.5, text/plain;q=0.51", 2 },
		{ "text/csv;q=1.000, */*;q=0.999", 1 },
		{ "text/csv;header=present;q=0.1, application/json;q=0.2", 0 },
		{ "text/csv ; q=0.3,application/*;q=0.2", 1 },
		{ "image/png", 3 },
		{ "*/*;q=0", 3 },
		{ "text", 3 },
		{ "text/csvs", 3 },
		{ ",,,;q=,/;;", 3 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (target_prefers(lists[i].list, types, 3) != lists[i].wanted)
			fail_msg("'%s' is not %zu", lists[i].list, lists[i].wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(path_is_split_before_it_is_decoded),
		cmocka_unit_test(query_gives_its_values),
		cmocka_unit_test(broken_addresses_are_refused),
		cmocka_unit_test(list_of_encodings_is_read_by_its_words),
		cmocka_unit_test(a_list_of_types_is_read_by_what_it_wants_most),
		cmocka_unit_test(only_known_parameters_pass_and_empty_ones_count_as_absent),
		cmocka_unit_test(long_paths_and_queries_stay_within_their_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
