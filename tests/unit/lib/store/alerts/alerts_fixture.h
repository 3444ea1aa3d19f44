/*
 * alerts_fixture - judged results of commits, and what they say and send.
 */
#ifndef PAWL_TESTS_UNIT_STORE_ALERTS_FIXTURE_H
#define PAWL_TESTS_UNIT_STORE_ALERTS_FIXTURE_H

#include <math.h>

#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include "lib/store/alerts/outbox.h"
#include "lib/store/alerts/rows.h"

/* A commit's result against a base: commits are letters, 'a' to 'f', in that order. */
struct says {
	unsigned n;
	char commit, base;
	enum verdict verdict;
	double ratio;					 /* 0: 1.1; NaN: by difference */
	const char *branch;				 /* NULL: main; "": none */
	bool dirty, untrusted, accepted, higher, counts; /* counts: of no time */
	double value, from;				 /* by difference: at both commits */
	char parent;					 /* the commit's; 0: not said */
	char accepts;	/* of which commit a change is accepted by the one that is measured */
	double allows;	/* how much of it; 0: any */
	const char *of; /* of which benchmarks; NULL: of that one */
};

static inline const char *sha_of(char letter, char out[41])
{
	memset(out, letter, 40);
	out[40] = '\0';
	return out;
}

static inline void say(struct place *p, struct says w)
{
	struct parcel parcel;
	struct summary *s = &parcel.s;
	char sha[41];

	fill_summary(s, w.n, sha_of(w.commit, sha));
	s->commit.commit_time_us = MONDAY_US + (w.commit - 'a') * (int64_t)50000000;
	s->commit.dirty = w.dirty;
	assert_int_equal(str_set(&s->commit.branch, w.branch ? w.branch : "main", NULL), 0);
	if (!*s->commit.branch) {
		free(s->commit.branch);
		s->commit.branch = NULL;
	}
	assert_int_equal(str_set(&s->baseline.commit, sha_of(w.base, sha), NULL), 0);
	assert_int_equal(str_set(&s->baseline.how, "rerun", NULL), 0);
	if (w.accepted) {
		assert_int_equal(str_set(&s->benchmarks[0].accepted.commit, sha, NULL), 0);
		assert_int_equal(str_set(&s->benchmarks[0].accepted.because, "needed", NULL), 0);
	}
	if (w.parent)
		assert_int_equal(strv_add(&s->commit.parents, sha_of(w.parent, sha), NULL), 0);
	if (w.accepts)
		assert_int_equal(summary_add_accepted(s, sha_of(w.accepts, sha),
						      w.of ? w.of : "deflate/6", "needed",
						      w.allows > 0 ? w.allows : (double)INFINITY,
						      NULL),
				 0);
	if (w.higher)
		s->benchmarks[0].metrics[0].better = BETTER_HIGHER;
	if (w.counts)
		assert_int_equal(str_set(&s->benchmarks[0].metrics[0].unit, "bytes", NULL), 0);
	judge(&s->benchmarks[0].metrics[0], w.ratio != 0 ? w.ratio : 1.1, w.verdict);
	if (isnan(w.ratio)) {
		struct metric *m = &s->benchmarks[0].metrics[0];

		m->median = m->ci_low = m->ci_high = w.value;
		m->delta.by_difference = true;
		m->delta.difference = w.value - w.from;
	}
	assert_int_equal(post(p->writer, &parcel, w.untrusted), POST_CREATED);
	summary_release(s);
}

static inline int64_t add_target(struct place *p, const char *branch)
{
	char url[] = "https://hooks.example/pawl", b[32];
	struct alert_target t = { .kind = TARGET_WEBHOOK, .url = url };
	int64_t id = 0;

	snprintf(b, sizeof(b), "%s", branch ? branch : "");
	t.branch = branch ? b : NULL;
	assert_int_equal(alert_target_add(ledger_db(p->writer), "zlib", &t, &id, NULL), 0);
	return id;
}

/* The states of the alerts, the newest first: "open resolved ". */
static inline const char *states(struct place *p)
{
	static char text[256];
	struct buf out = BUF_INIT;
	const char *at;

	assert_int_equal(
		alerts_list(ledger_db(p->reader),
			    &(struct alert_query){ .project = "zlib", .alert = 0, .limit = 100 },
			    &out, NULL),
		0);
	text[0] = '\0';
	for (at = buf_str(&out); (at = strstr(at, "\"state\":\"")); at += 9)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%.*s ",
			 (int)strcspn(at + 9, "\""), at + 9);
	buf_release(&out);
	return text;
}

/* The ratios of the alerts, the newest first, in percent: "+10 -20 ". */
static inline const char *ratios(struct place *p)
{
	static char text[256];
	struct buf out = BUF_INIT;
	const char *at;

	assert_int_equal(
		alerts_list(ledger_db(p->reader),
			    &(struct alert_query){ .project = "zlib", .alert = 0, .limit = 100 },
			    &out, NULL),
		0);
	text[0] = '\0';
	for (at = buf_str(&out); (at = strstr(at, "\"ratio\":")); at += 8)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%+.0f ",
			 (strtod(at + 8, NULL) - 1) * 100);
	buf_release(&out);
	return text;
}

/* A person says so of the newest alert. */
static inline void person_says(struct place *p, enum alert_state state)
{
	struct alert_change c = { .project = "zlib", .state = state, .who = "test" };
	bool changed = false;

	assert_int_equal(
		db_get(ledger_db(p->reader), &c.alert, NULL, "SELECT max(alert_id) FROM alert", ""),
		0);
	assert_int_equal(alerts_change(ledger_db(p->writer), &c, &changed, NULL), 0);
	assert_true(changed);
}

/* The events of the messages, the newest first: "resolved open ". */
static inline const char *events(struct place *p)
{
	static char text[256];
	struct db *db = ledger_db(p->reader);
	struct alert_rows rows;
	struct buf out = BUF_INIT;
	struct jsonw w;
	int64_t id;
	const char *at;

	assert_int_equal(alerts_find_project(db, "zlib", &id, NULL), 0);
	jsonw_init(&w, &out, 0);
	jsonw_array(&w);
	assert_int_equal(outbox_rows(db, id, 0, 100, &w, &rows, NULL), 0);
	jsonw_array_end(&w);
	text[0] = '\0';
	for (at = buf_str(&out); (at = strstr(at, "\"event\":\"")); at += 9)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%.*s ",
			 (int)strcspn(at + 9, "\""), at + 9);
	buf_release(&out);
	return text;
}

static inline void hide(struct place *p, unsigned n, const char *benchmark, bool restore)
{
	char id[27];
	struct retraction what = { .project = "zlib",
				   .id = id_of(n, id),
				   .benchmark = benchmark,
				   .is_restored = restore,
				   .who = "test" };
	bool changed = false;

	assert_int_equal(ledger_retract(p->writer, &what, &changed, NULL), 0);
	assert_true(changed);
}

#endif
