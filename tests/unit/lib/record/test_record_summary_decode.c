#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/json/jtree.h"
#include "lib/record/summary.h"

#include "lib/base/banned.h"

static char *document(size_t *out_n)
{
	struct buf text = BUF_INIT;
	struct err err = ERR_INIT;
	struct summary s;

	summary_init(&s);
	assert_int_equal(str_set(&s.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", &err), 0);
	assert_int_equal(str_set(&s.project, "p", &err), 0);
	assert_int_equal(str_set(&s.commit.id, "0123456789012345678901234567890123456789", &err),
			 0);
	assert_int_equal(str_set(&s.machine.id, "m", &err), 0);
	s.settings.runs_min = s.settings.runs_max = 1;
	s.settings.confidence = 0.95;
	s.settings.threshold = 0.01;
	for (int i = 0; i < 3; i++) {
		char name[16];
		struct bench *b;
		struct metric *m;

		snprintf(name, sizeof(name), "b%d", i);
		b = summary_add_bench(&s, name, &err);
		assert_non_null(b);
		m = bench_add_metric(b, "cpu", "ns", BETTER_LOWER, &err);
		assert_non_null(m);
		assert_int_equal(samples_add(&m->samples, &m->n, 1.5 + i, &err), 0);
	}
	assert_int_equal(summary_encode(&s, 0, &text, &err), 0);
	summary_release(&s);
	*out_n = text.len;
	return buf_detach(&text);
}

/*
 * With any byte lost, or any other in its place: what is no JSON is refused with the line and
 * column that the whole document has it at, and nothing else is refused for its form.
 */
static void a_broken_document_is_refused_where_it_is_broken(void **state)
{
	static const char others[] = "\",]{1";
	size_t n, n_broken = 0, n_read = 0;
	char *json = document(&n), *broken = malloc(n);
	struct err err = ERR_INIT;
	struct summary good;

	(void)state;
	assert_non_null(broken);
	if (summary_decode(json, n, &good, &err))
		fail_msg("%s", err.text);
	summary_release(&good);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < sizeof(others); k++) {
			struct err whole = ERR_INIT, apart = ERR_INIT;
			size_t len = others[k] ? n : n - 1;
			struct summary s;
			struct jtree *tree;

			memcpy(broken, json, n);
			if (others[k])
				broken[i] = others[k];
			else
				memmove(broken + i, broken + i + 1, n - i - 1);
			tree = jtree_parse(broken, len, SUMMARY_MAX_BYTES, SUMMARY_MAX_DEPTH,
					   &whole);
			if (summary_decode(broken, len, &s, &apart) == 0) {
				assert_non_null(tree);
				n_read++;
				summary_release(&s);
			} else if (!tree) {
				assert_int_equal(apart.code, whole.code);
				assert_string_equal(apart.text, whole.text);
				n_broken++;
			} else {
				assert_int_not_equal(apart.code, ERR_SYNTAX);
			}
			jtree_free(tree);
		}
	}
	assert_true(n_broken > 1000);
	assert_true(n_read > 100);
	free(json);
	free(broken);
}

/* Its values count for each benchmark apart, wherever the schema is. */
static void a_late_schema_is_no_limit_of_its_own(void **state)
{
	size_t n, i, k;
	char *json = document(&n), *schema = strstr(json, "\"schema\":");
	struct buf late = BUF_INIT;
	struct err err = ERR_INIT;
	struct summary s;

	(void)state;
	assert_non_null(schema);
	buf_adds(&late, "{\"benchmarks\":[");
	for (i = 0; i < 220; i++) {
		buf_addf(&late,
			 "%s{\"name\":\"b%zu\",\"status\":\"ok\",\"metrics\":[{\"name\":\"m\","
			 "\"unit\":\"s\",\"better\":\"lower\",\"samples\":[1",
			 i ? "," : "", i);
		for (k = 1; k < SUMMARY_MAX_SAMPLES; k++)
			buf_adds(&late, ",1");
		buf_adds(&late, "]}]}");
	}
	buf_adds(&late, "],\"other\":");
	buf_adds(&late, json);
	buf_adds(&late, ",\"schema\":\"" SUMMARY_SCHEMA "\"}");
	assert_int_equal(summary_decode(late.data, late.len, &s, &err), -1);
	assert_string_equal(err.text, "id: is missing");
	buf_release(&late);
	free(json);
}

/* What both hold of each benchmark's metrics. */
static void check_metrics(const struct bench *b, const struct bench *brief)
{
	size_t i;

	assert_int_equal(b->n_metrics, brief->n_metrics);
	for (i = 0; i < b->n_metrics; i++) {
		const struct metric *x = &b->metrics[i], *y = &brief->metrics[i];

		assert_string_equal(x->name, y->name);
		assert_string_equal(x->unit, y->unit);
		assert_true(x->n == y->n && x->n_baseline == y->n_baseline);
		if (x->n)
			assert_memory_equal(x->samples, y->samples, x->n * sizeof(*x->samples));
		if (x->n_baseline)
			assert_memory_equal(x->baseline_samples, y->baseline_samples,
					    x->n_baseline * sizeof(*x->baseline_samples));
		assert_true(!x->delta.note == !y->delta.note);
		if (x->delta.note)
			assert_string_equal(x->delta.note, y->delta.note);
	}
}

/* Which code both sides are of decides, whatever else is told of them. */
static void in_brief_the_verdict_is_the_same(void **state)
{
	struct buf text = BUF_INIT;
	struct summary s, brief;
	struct metric *m;
	struct bench *b;
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		size_t n;
		char *json = document(&n);

		assert_int_equal(summary_decode(json, n, &s, NULL), 0);
		free(json);
		b = &s.benchmarks[0];
		m = &b->metrics[0];
		assert_int_equal(str_set(&b->gate, "cpu", NULL), 0);
		assert_int_equal(str_set(&b->gate_why, "one thread", NULL), 0);
		assert_int_equal(str_set(&b->command, "./b", NULL), 0);
		assert_int_equal(str_set(&b->binary_id, "one", NULL), 0);
		assert_int_equal(str_set(&b->base_binary_id, i & 1 ? "one" : "other", NULL), 0);
		b->paired = (i & 2) != 0;
		m->has_delta = true;
		m->delta = (struct delta){ .ratio = 1.2,
					   .low = 1.1,
					   .high = 1.3,
					   .confidence = 0.95,
					   .verdict = VERDICT_REGRESSED };
		assert_int_equal(str_set(&m->delta.note, "a note", NULL), 0);
		buf_reset(&text);
		assert_int_equal(summary_encode(&s, 0, &text, NULL), 0);
		assert_int_equal(summary_decode_brief(buf_str(&text), text.len, &brief, NULL), 0);
		assert_int_equal(bench_verdict(&brief.benchmarks[0]), bench_verdict(b));
		assert_int_equal(bench_verdict(b), i == 1 ? VERDICT_IDENTICAL : VERDICT_REGRESSED);
		assert_null(brief.benchmarks[0].command);
		assert_null(brief.benchmarks[0].gate_why);
		check_metrics(b, &brief.benchmarks[0]);
		summary_release(&brief);
		summary_release(&s);
	}
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_brief_the_verdict_is_the_same),
		cmocka_unit_test(a_late_schema_is_no_limit_of_its_own),
		cmocka_unit_test(a_broken_document_is_refused_where_it_is_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
