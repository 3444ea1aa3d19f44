/* A bisection that was ended at any point goes on; a damaged file is told. */
#include "tests/unit/collector/bisect/bisect_fixture.h"

#include "tests/unit/test_git_fixture.h"

#include "lib/base/banned.h"

static int keep_in_file(void *ctx, const struct bisect_log *log, struct err *err)
{
	(void)ctx;
	return bisect_log_save(log, at("state"), err);
}

static void history(struct line *line)
{
	int i;

	line_init(line, 48, 29, 0.03);
	line->arm[0] = 0.016; /* wants more effort */
	for (i = 22; i <= 25; i++)
		line->broken[i] = true;
}

static void bisection_goes_on_after_a_kill_at_every_comparison(void **state)
{
	struct line line;
	struct bisect_request rq = line_request(&line);
	struct bisect_log log = BISECT_LOG_INIT;
	struct bisect_answer answer = BISECT_ANSWER_INIT;
	struct err err = ERR_INIT;
	int total, k;

	(void)state;
	history(&line);
	line_bisect(&line, &log, &answer);
	total = line.n_measured;
	assert_true(total > 8);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_int_equal(line_at(answer.commit), 29);
	bisect_answer_release(&answer);
	bisect_log_release(&log);
	for (k = 0; k < total; k++) {
		history(&line);
		line.stop_at = k;
		rq = line_request(&line);
		rq.keep = keep_in_file;
		unlink(at("state"));
		assert_int_equal(bisect_log_ask(&log, "b", line.good, line.bad, NULL, &err), 0);
		assert_int_equal(bisect(&rq, &log, &answer, &err), -1);
		assert_int_equal(err.code, ERR_STOPPED);
		bisect_log_release(&log);

		line.stop_at = -1;
		if (k && bisect_log_load(at("state"), &log, &err))
			fail_msg("%s", err.text);
		if (!k)
			assert_int_equal(bisect_log_ask(&log, "b", line.good, line.bad, NULL, &err),
					 0);
		assert_int_equal(bisect(&rq, &log, &answer, &err), 0);
		assert_int_equal(answer.outcome, BISECT_FOUND);
		assert_int_equal(line_at(answer.commit), 29);
		assert_int_equal(line.n_measured, total); /* nothing twice */
		assert_int_equal(answer.n_before, k);
		bisect_answer_release(&answer);
		bisect_log_release(&log);
	}
}

static void finished_bisection_answers_from_its_file_alone(void **state)
{
	struct line line;
	struct bisect_request rq = line_request(&line);
	struct bisect_log log = BISECT_LOG_INIT;
	struct bisect_answer answer = BISECT_ANSWER_INIT;

	(void)state;
	history(&line);
	rq = line_request(&line);
	rq.keep = keep_in_file;
	assert_int_equal(bisect_log_ask(&log, "b", line.good, line.bad, "make", NULL), 0);
	assert_int_equal(bisect(&rq, &log, &answer, NULL), 0);
	bisect_answer_release(&answer);
	bisect_log_release(&log);
	assert_int_equal(bisect_log_load(at("state"), &log, NULL), 0);
	assert_string_equal(log.question.build, "make");
	line.stop_at = line.n_measured; /* measuring would fail */
	assert_int_equal(bisect(&rq, &log, &answer, NULL), 0);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_true(line.last.before);
	bisect_answer_release(&answer);
	bisect_log_release(&log);
}

/* A log with every kind of entry and words that fight the format. */
static void make_odd(struct bisect_log *log)
{
	struct bisect_evidence e = BISECT_EVIDENCE_INIT;
	char a[OID_TEXT], b[OID_TEXT];

	*log = (struct bisect_log)BISECT_LOG_INIT;
	assert_int_equal(bisect_log_ask(log, "- a\nb%20 \xc3\xa9", line_id(1, a), line_id(2, b),
					"make CC='gcc -O2'\n", NULL),
			 0);
	e.state = BISECT_SKIPPED;
	e.why = strdup("-exit 2: 50% of\twork\n");
	assert_non_null(bisect_log_add(log, a, b, 0, &e, NULL));
	e.state = BISECT_MEASURED;
	e.theta = 1.0 / 3;
	e.low = -0.1;
	e.high = 1e-300;
	e.confidence = 0.95;
	e.verdict = VERDICT_REGRESSED;
	e.pairs = 400;
	e.code = strdup("0123abcd");
	e.difference = 5;
	e.difference_low = 4.5;
	e.difference_high = 6;
	e.unit = strdup("MB of\tcache");
	assert_non_null(bisect_log_add(log, a, b, 2, &e, NULL));
	e.state = BISECT_IDENTICAL;
	assert_non_null(bisect_log_add(log, a, b, 1, &e, NULL));
}

static void everything_comes_back_as_it_was_written(void **state)
{
	struct bisect_log log, back = BISECT_LOG_INIT;
	const struct bisect_evidence *e;
	struct err err = ERR_INIT;

	(void)state;
	make_odd(&log);
	assert_int_equal(bisect_log_save(&log, at("odd"), &err), 0);
	if (bisect_log_load(at("odd"), &back, &err))
		fail_msg("%s", err.text);
	assert_string_equal(back.question.benchmark, log.question.benchmark);
	assert_string_equal(back.question.build, log.question.build);
	assert_int_equal(back.n, 3);
	e = bisect_log_find(&back, log.v[0]->base, log.v[0]->head, 0);
	assert_int_equal(e->state, BISECT_SKIPPED);
	assert_string_equal(e->why, "-exit 2: 50% of\twork\n");
	assert_true(isnan(e->theta) && isnan(e->difference));
	assert_null(e->unit);
	e = bisect_log_find(&back, log.v[0]->base, log.v[0]->head, 2);
	assert_true(e->theta == 1.0 / 3 && e->low == -0.1 && e->high == 1e-300);
	assert_int_equal(e->verdict, VERDICT_REGRESSED);
	assert_int_equal(e->pairs, 400);
	assert_string_equal(e->code, "0123abcd");
	assert_null(e->why);
	assert_true(e->difference == 5 && e->difference_low == 4.5 && e->difference_high == 6);
	assert_string_equal(e->unit, "MB of\tcache");
	e = bisect_log_find(&back, log.v[0]->base, log.v[0]->head, 1);
	assert_int_equal(e->state, BISECT_IDENTICAL);
	assert_null(bisect_log_find(&back, log.v[0]->head, log.v[0]->base, 1));
	bisect_log_release(&back);
	bisect_log_release(&log);
}

static void every_changed_or_missing_byte_is_damage(void **state)
{
	struct bisect_log log, back = BISECT_LOG_INIT;
	struct buf text = BUF_INIT;
	struct err err = ERR_INIT;
	size_t i;

	(void)state;
	make_odd(&log);
	assert_int_equal(bisect_log_save(&log, at("odd"), &err), 0);
	assert_int_equal(file_read_whole(at("odd"), 1 << 20, &text, &err), 0);
	for (i = 0; i < text.len; i++) {
		char was = text.data[i];

		text.data[i] = (char)(was ^ 1);
		assert_int_equal(file_write_whole(at("hurt"), text.data, text.len, 0600, &err), 0);
		assert_int_equal(bisect_log_load(at("hurt"), &back, &err), -1);
		assert_true(err.code == ERR_CORRUPT || err.code == ERR_NEWER);
		text.data[i] = was;
		assert_int_equal(file_write_whole(at("hurt"), text.data, i, 0600, &err), 0);
		assert_int_equal(bisect_log_load(at("hurt"), &back, &err), -1);
		assert_int_equal(err.code, ERR_CORRUPT);
	}
	assert_int_equal(back.n, 0);
	put(at("hurt"), "pawl-bisect 3\nwhatever\n");
	assert_int_equal(bisect_log_load(at("hurt"), &back, &err), -1);
	assert_int_equal(err.code, ERR_NEWER);
	assert_int_equal(bisect_log_load(at("nowhere"), &back, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	buf_release(&text);
	bisect_log_release(&log);
}

static void passing_entry_is_in_no_file(void **state)
{
	struct bisect_log log = BISECT_LOG_INIT;
	struct bisect_evidence e = BISECT_EVIDENCE_INIT;
	char a[OID_TEXT], b[OID_TEXT];

	(void)state;
	line_id(1, a);
	line_id(2, b);
	assert_int_equal(bisect_log_ask(&log, "b", a, b, NULL, NULL), 0);
	e.state = BISECT_SKIPPED;
	e.passing = true;
	assert_non_null(bisect_log_add(&log, a, b, 0, &e, NULL));
	e.state = BISECT_SKIPPED;
	assert_non_null(bisect_log_add(&log, a, b, 1, &e, NULL));
	assert_non_null(bisect_log_find(&log, a, b, 0));
	assert_int_equal(bisect_log_save(&log, at("state"), NULL), 0);
	bisect_log_release(&log);
	assert_int_equal(bisect_log_load(at("state"), &log, NULL), 0);
	assert_null(bisect_log_find(&log, a, b, 0));
	assert_non_null(bisect_log_find(&log, a, b, 1));
	bisect_log_release(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bisection_goes_on_after_a_kill_at_every_comparison),
		cmocka_unit_test(finished_bisection_answers_from_its_file_alone),
		cmocka_unit_test(passing_entry_is_in_no_file),
		cmocka_unit_test(everything_comes_back_as_it_was_written),
		cmocka_unit_test(every_changed_or_missing_byte_is_damage),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
