/* What other trackers are sent, byte by byte where a byte matters, over a fake transport. */
#include "tests/unit/reporter/export/export_fixture.h"

#include "lib/base/banned.h"

static void one(struct summary *s, const char *name)
{
	fixture_init(s);
	fixture_judged(s, name, 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	assert_int_equal(0, str_set(&s->machine.id, "0123456789abcdef", NULL));
}

/* A tag ends at a comma, a blank or '='; a backslash in front of these would be their escape. */
static void a_tag_of_influx_ends_where_it_should(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	one(&s, "a b,c=d\\");
	text = encoded(&s, "influx");
	has(text, "pawl,benchmark=a\\ b\\,c\\=d%5C,branch=main,");
	has(text, ",metric=cpu,project=zlib,unit=ns median=1034000,mean=1034000,");
	has(text, ",runs=3i,ratio=1.034,ratio_low=1.021,ratio_high=1.047,verdict=\"regressed\",");
	free(text);
	one(&s, "x\ny");
	text = encoded(&s, "influx");
	has(text, "benchmark=x%5Cny,");
	assert_int_equal(1, count(text, "\n")); /* one point is one line */
	free(text);
}

/* Of two points at one time, with the same tags, InfluxDB keeps the later one alone. */
static void commits_of_one_second_are_two_points_of_influx(void **state)
{
	struct summary s;
	char *first, *second;

	(void)state;
	one(&s, "x");
	assert_int_equal(0,
			 str_set(&s.commit.id, "00000ff000000000000000000000000000000000", NULL));
	s.commit.commit_time_us = INT64_C(1763632800000000);
	first = encoded(&s, "influx");
	has(first, " 1763632800000000255\n");
	one(&s, "x");
	assert_int_equal(0,
			 str_set(&s.commit.id, "fffffff000000000000000000000000000000000", NULL));
	s.commit.commit_time_us = INT64_C(1763632800000000);
	second = encoded(&s, "influx");
	has(second, " 1763632800268435455\n"); /* still in that second */
	free(first);
	free(second);
}

static void benchstat_takes_a_name_as_one_word(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	one(&s, "deflate level 6/\xc2\xa0x");
	text = encoded(&s, "benchstat");
	has(text, "BenchmarkDeflate_level_6/\\u{a0}x\t1\t1023660 cpu-ns/op\n");
	assert_int_equal(3, count(text, "Benchmark"));
	has(text, "commit: " HEAD_COMMIT "\n");
	free(text);
}

static void more_is_better_is_told_or_left_out(void **state)
{
	struct summary s;
	struct metric *m;
	char *text;

	(void)state;
	one(&s, "x");
	m = bench_add_metric(&s.benchmarks[0], "rate", "1/s", BETTER_HIGHER, NULL);
	assert_int_equal(0, samples_add(&m->samples, &m->n, 7, NULL));
	text = encoded(&s, "github-action-benchmark");
	assert_null(strstr(text, "rate"));
	free(text);
	one(&s, "x");
	m = bench_add_metric(&s.benchmarks[0], "rate", "1/s", BETTER_HIGHER, NULL);
	assert_int_equal(0, samples_add(&m->samples, &m->n, 7, NULL));
	text = encoded(&s, "benchstat");
	has(text, "Unit rate/op better=higher\n");
	free(text);
}

/* A key twice in an object is whichever its reader likes. */
static void a_latency_of_the_programs_own_stands_beside_wall_time(void **state)
{
	static const char *const keys[] = { "\"latency\": {", "\"counter.latency\": {" };
	struct summary s;
	struct metric *m;
	char *text;
	int with_wall;

	(void)state;
	for (with_wall = 1; with_wall >= 0; with_wall--) {
		one(&s, "x");
		if (with_wall && !bench_find_metric(&s.benchmarks[0], "wall")) {
			m = bench_add_metric(&s.benchmarks[0], "wall", "ns", BETTER_LOWER, NULL);
			assert_int_equal(0, samples_add(&m->samples, &m->n, 5, NULL));
		}
		m = bench_add_metric(&s.benchmarks[0], "latency", "1", BETTER_LOWER, NULL);
		assert_int_equal(0, samples_add(&m->samples, &m->n, 7, NULL));
		text = encoded(&s, "bencher");
		assert_int_equal(1, count(text, keys[0]));
		assert_int_equal(with_wall, count(text, keys[1]));
		free(text);
	}
}

static void every_form_has_a_name_of_its_own(void **state)
{
	const struct export_format *format;
	struct err err = ERR_INIT;
	size_t i;

	(void)state;
	for (i = 0; (format = export_format_at(i)); i++)
		assert_ptr_equal(format, export_format_find(format->name, NULL));
	assert_true(i >= 10);
	assert_null(export_format_find("sarif", &err));
	assert_int_equal(ERR_USAGE, err.code);
	has(err.hint, "json, csv, bencher");
}

/* ---- requests --------------------------------------------------------------------------- */

static void is_address(const char *name, const char *address, const char *url, const char *query)
{
	struct export_request rq = EXPORT_REQUEST_INIT;
	struct summary s;

	one(&s, "x");
	assert_int_equal(0, export_prepare(export_format_find(name, NULL), address, &s, &rq, NULL));
	assert_string_equal(url, buf_str(&rq.url));
	assert_string_equal(query, buf_str(&rq.query));
	export_request_release(&rq);
	summary_release(&s);
}

static void an_address_is_completed_unless_it_names_a_path(void **state)
{
	(void)state;
	is_address("influx", "http://h:8086", "http://h:8086/write", "db=pawl");
	is_address("influx", "http://h:8086/", "http://h:8086/write", "db=pawl");
	is_address("influx", "http://h:8086?db=x", "http://h:8086/write", "db=x");
	is_address("influx", "http://h/w?a=b&c=d", "http://h/w", "a=b&c=d");
	is_address("influx", "http://h/w", "http://h/w", "");
	is_address("codespeed", "https://h", "https://h/result/add/json/", "");
	is_address("codespeed", "https://h/speed/result/add/json/",
		   "https://h/speed/result/add/json/", "");
	/* zlib, 0123456789abcdef */
	is_address("pushgateway", "http://h:9091",
		   "http://h:9091/metrics/job/pawl/project@base64/emxpYg==/machine@base64/"
		   "MDEyMzQ1Njc4OWFiY2RlZg==",
		   "");
}

static void a_form_for_files_is_not_sent(void **state)
{
	struct export_request rq = EXPORT_REQUEST_INIT;
	struct err err = ERR_INIT;
	struct summary s;

	(void)state;
	one(&s, "x");
	assert_int_equal(
		-1, export_prepare(export_format_find("google", NULL), "http://h", &s, &rq, &err));
	assert_int_equal(ERR_USAGE, err.code);
	has(err.hint, "--output");
	export_request_release(&rq);
	summary_release(&s);
}

static void a_bad_address_is_refused(void **state)
{
	static const char *const bad[] = { "h:8086", "ftp://h", "http://u:canary@h", "http://",
					   "http://h/#x" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct export_request rq = EXPORT_REQUEST_INIT;
		struct err err = ERR_INIT;
		struct summary s;

		one(&s, "x");
		assert_int_equal(-1, export_prepare(export_format_find("influx", NULL), bad[i], &s,
						    &rq, &err));
		assert_int_equal(ERR_CONFIG, err.code);
		assert_null(strstr(err.text, "canary"));
		export_request_release(&rq);
		summary_release(&s);
	}
}

/* Answers as told, and keeps what was asked. */
struct fake {
	enum post_link link;
	int status;
	const char *body;
	char header[32], scheme[32], token[64], method[8];
};

static int fake_post(void *ctx, const struct post_request *rq, struct post_reply *reply,
		     struct err *err)
{
	struct fake *f = ctx;

	(void)err;
	reply->link = f->link;
	reply->status = f->status;
	if (f->body)
		buf_adds(&reply->body, f->body);
	snprintf(f->header, sizeof(f->header), "%s", rq->auth_header);
	snprintf(f->scheme, sizeof(f->scheme), "%s", rq->auth_scheme);
	snprintf(f->token, sizeof(f->token), "%s", rq->token ? rq->token : "");
	snprintf(f->method, sizeof(f->method), "%s", rq->method);
	return 0;
}

static int sent(const char *name, struct fake *f, const char *token, struct err *err)
{
	const struct transport transport = { fake_post, f };
	struct export_request rq = EXPORT_REQUEST_INIT;
	struct summary s;
	int rc;

	one(&s, "x");
	assert_int_equal(0, export_prepare(export_format_find(name, NULL), "http://127.0.0.1", &s,
					   &rq, NULL));
	rc = export_send(&transport, &rq, token, err);
	export_request_release(&rq);
	summary_release(&s);
	return rc;
}

static void each_server_gets_the_token_its_way(void **state)
{
	struct fake f = { .status = 204 };

	(void)state;
	assert_int_equal(0, sent("influx", &f, "t0k", NULL));
	assert_string_equal("Authorization", f.header);
	assert_string_equal("Token ", f.scheme);
	assert_int_equal(0, sent("lnt", &f, "t0k", NULL));
	assert_string_equal("AuthToken", f.header);
	assert_string_equal("", f.scheme);
	assert_string_equal("t0k", f.token);
	assert_int_equal(0, sent("pushgateway", &f, "me:secret", NULL));
	assert_string_equal("PUT", f.method);
	assert_string_equal("Authorization", f.header);
	assert_string_equal("Basic ", f.scheme);
	assert_string_equal("bWU6c2VjcmV0", f.token);
	assert_int_equal(0, sent("bencher", &f, NULL, NULL));
	assert_string_equal("", f.token);
}

static void a_refusal_is_told_in_the_servers_words(void **state)
{
	struct fake f = { .status = 400, .body = "partial\n  write:\x1b[2J bad" };
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(-1, sent("influx", &f, NULL, &err));
	assert_int_equal(ERR_NET, err.code);
	assert_string_equal("'http://127.0.0.1/write' answered HTTP 400: partial write:?[2J bad",
			    err.text);
	f = (struct fake){ .status = 401 };
	assert_int_equal(-1, sent("influx", &f, NULL, &err));
	has(err.hint, "PAWL_EXPORT_TOKEN");
	f = (struct fake){ .status = 503 };
	assert_int_equal(-1, sent("influx", &f, NULL, &err));
	assert_string_equal("try again later", err.hint);
	f = (struct fake){ .link = LINK_UNREACHABLE };
	assert_int_equal(-1, sent("influx", &f, NULL, &err));
	has(err.text, "cannot post to");
}

static void only_lnt_may_answer_that_what_it_took_moved(void **state)
{
	struct fake f = { .status = 301, .body = "{\"success\": true, \"run_id\": 7}" };

	(void)state;
	assert_int_equal(0, sent("lnt", &f, NULL, NULL));
	assert_int_equal(-1, sent("influx", &f, NULL, NULL));
	f.body = "<a href=\"https://lnt.example/\">moved</a>";
	assert_int_equal(-1, sent("lnt", &f, NULL, NULL));
	f.body = "{\"run_id\": 7}";
	f.status = 302;
	assert_int_equal(-1, sent("lnt", &f, NULL, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tag_of_influx_ends_where_it_should),
		cmocka_unit_test(commits_of_one_second_are_two_points_of_influx),
		cmocka_unit_test(benchstat_takes_a_name_as_one_word),
		cmocka_unit_test(more_is_better_is_told_or_left_out),
		cmocka_unit_test(a_latency_of_the_programs_own_stands_beside_wall_time),
		cmocka_unit_test(every_form_has_a_name_of_its_own),
		cmocka_unit_test(an_address_is_completed_unless_it_names_a_path),
		cmocka_unit_test(a_form_for_files_is_not_sent),
		cmocka_unit_test(a_bad_address_is_refused),
		cmocka_unit_test(each_server_gets_the_token_its_way),
		cmocka_unit_test(a_refusal_is_told_in_the_servers_words),
		cmocka_unit_test(only_lnt_may_answer_that_what_it_took_moved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
