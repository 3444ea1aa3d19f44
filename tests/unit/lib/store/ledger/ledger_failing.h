/*
 * ledger_failing - the calls of a ledger, each first made with each of its statements failing
 * (failing.h).
 */
#ifndef PAWL_TESTS_UNIT_STORE_LEDGER_FAILING_H
#define PAWL_TESTS_UNIT_STORE_LEDGER_FAILING_H

#include "tests/unit/lib/store/failing.h"

#include "lib/store/alerts/outbox.h"
#include "lib/store/alerts/quiet.h"
#include "lib/store/fsck/fsck.h"
#include "lib/store/ledger/local.h"
#include "lib/store/lists/lists.h"
#include "lib/store/watch/watch.h"

/* One alone: of several some may be stored.  A summary that failed is not the call's failure. */
static inline int post_or_fail(struct ledger *l, struct post **posts, size_t n, struct err *err)
{
	int result = ledger_post(l, posts, n, err);

	if (result || !failing.has_failed)
		return result;
	if (posts[0]->result != POST_FAILED) {
		/* The second time, apart, it went well: as good as never. */
		failing.has_failed = false;
		failing.is_on = false;
		failing.n_borne++;
		return 0;
	}
	*err = posts[0]->err;
	return -1;
}

static inline int failing_ledger_post(struct ledger *l, struct post **posts, size_t n,
				      struct err *err)
{
	if (n != 1)
		return ledger_post(l, posts, n, err);
	FAILING(ledger_db(l), "ledger_post", post_or_fail(l, posts, n, &fault), (void)0);
}

/* A project that could not be folded has another turn behind the others, when more was posted. */
static inline void turn_again(struct ledger *l)
{
	if (failing.at == 1)
		return;
	l->may_fold = true;
	l->fold_after = 0;
}

static inline int failing_ledger_fold(struct ledger *l, bool *out_more, struct err *err)
{
	FAILING(ledger_db(l), "ledger_fold", ledger_fold(l, out_more, &fault), turn_again(l));
}

static inline int failing_ledger_retract(struct ledger *l, const struct retraction *r,
					 bool *out_changed, struct err *err)
{
	FAILING(ledger_db(l), "ledger_retract", ledger_retract(l, r, out_changed, &fault), (void)0);
}

static inline int failing_ledger_history(struct ledger *l, const struct history_query *q,
					 struct buf *out, struct err *err)
{
	size_t len = out->len;

	FAILING(ledger_db(l), "ledger_history", ledger_history(l, q, out, &fault), out->len = len);
}

static inline int failing_ledger_compare(struct ledger *l, const char *project, const char *base,
					 const char *head, bool untrusted, struct buf *out,
					 struct err *err)
{
	size_t len = out->len;

	FAILING(ledger_db(l), "ledger_compare",
		ledger_compare(l, project, base, head, untrusted, out, &fault), out->len = len);
}

static inline int failing_ledger_summary(struct ledger *l, const char *project, const char *id,
					 bool untrusted, struct buf *out, struct err *err)
{
	size_t len = out->len;

	FAILING(ledger_db(l), "ledger_summary",
		ledger_summary(l, project, id, untrusted, out, &fault), out->len = len);
}

static inline int failing_ledger_fsck(struct ledger *l, bool repair, struct ledger_health *out,
				      struct buf *report, struct err *err)
{
	size_t len = report->len;

	/* What it repairs it does step by step. */
	if (repair)
		return ledger_fsck(l, repair, out, report, err);
	FAILING(ledger_db(l), "ledger_fsck", ledger_fsck(l, repair, out, report, &fault),
		report->len = len);
}

static inline int failing_alerts_change(struct db *db, const struct alert_change *c,
					bool *out_changed, struct err *err)
{
	FAILING(db, "alerts_change", alerts_change(db, c, out_changed, &fault), (void)0);
}

static inline int failing_alerts_list(struct db *db, const struct alert_query *q, struct buf *out,
				      struct err *err)
{
	size_t len = out->len;

	FAILING(db, "alerts_list", alerts_list(db, q, out, &fault), out->len = len);
}

static inline int failing_alert_target_add(struct db *db, const char *project,
					   const struct alert_target *t, int64_t *out_id,
					   struct err *err)
{
	FAILING(db, "alert_target_add", alert_target_add(db, project, t, out_id, &fault), (void)0);
}

static inline int failing_alert_target_remove(struct db *db, const char *project, int64_t id,
					      struct err *err)
{
	FAILING(db, "alert_target_remove", alert_target_remove(db, project, id, &fault), (void)0);
}

static inline int failing_outbox_next(struct db *db, int64_t now_us, struct message *out,
				      int64_t *out_next_us, struct err *err)
{
	FAILING(db, "outbox_next", outbox_next(db, now_us, out, out_next_us, &fault), (void)0);
}

static inline int failing_outbox_claim(struct db *db, const struct message *m, int64_t until_us,
				       bool *out_ours, struct err *err)
{
	FAILING(db, "outbox_claim", outbox_claim(db, m, until_us, out_ours, &fault), (void)0);
}

static inline int failing_outbox_settle(struct db *db, const struct message *m,
					const struct settled *s, struct err *err)
{
	FAILING(db, "outbox_settle", outbox_settle(db, m, s, &fault), (void)0);
}

static inline int failing_outbox_drop(struct db *db, int64_t before_us, struct outbox_place *io,
				      struct err *err)
{
	struct outbox_place from = *io;

	FAILING(db, "outbox_drop", outbox_drop(db, before_us, io, &fault), *io = from);
}

static inline int failing_quiet_look(struct db *db, int64_t now_us, int64_t *io_last,
				     struct quiet_day *out, struct err *err)
{
	int64_t last = *io_last;

	FAILING(db, "quiet_look", quiet_look(db, now_us, io_last, out, &fault), *io_last = last);
}

static inline int failing_quiet_settle(struct db *db, const struct quiet_day *d, unsigned days,
				       int64_t now_us, struct err *err)
{
	FAILING(db, "quiet_settle", quiet_settle(db, d, days, now_us, &fault), (void)0);
}

static inline int failing_watch_look(struct ledger *l, int64_t *io_last, struct watch *out,
				     struct err *err)
{
	int64_t last = *io_last;

	FAILING(ledger_db(l), "watch_look", watch_look(l, io_last, out, &fault), *io_last = last);
}

static inline int failing_watch_settle(struct ledger *l, const struct watch *w, struct err *err)
{
	FAILING(ledger_db(l), "watch_settle", watch_settle(l, w, &fault), (void)0);
}

#define FAILING_LIST(name) \
	static inline int failing_##name(struct ledger *l, const struct list_query *q, \
					 struct buf *out, struct err *err) \
	{ \
		size_t len = out->len; \
\
		FAILING(ledger_db(l), #name, name(l, q, out, &fault), out->len = len); \
	}

FAILING_LIST(lists_projects)
FAILING_LIST(lists_benchmarks)
FAILING_LIST(lists_machines)
FAILING_LIST(lists_summaries)
FAILING_LIST(lists_commits)
FAILING_LIST(lists_regressions)
FAILING_LIST(lists_retractions)
FAILING_LIST(lists_alerts)
FAILING_LIST(lists_messages)

#define ledger_post(...) failing_ledger_post(__VA_ARGS__)
#define ledger_fold(...) failing_ledger_fold(__VA_ARGS__)
#define ledger_retract(...) failing_ledger_retract(__VA_ARGS__)
#define ledger_history(...) failing_ledger_history(__VA_ARGS__)
#define ledger_compare(...) failing_ledger_compare(__VA_ARGS__)
#define ledger_summary(...) failing_ledger_summary(__VA_ARGS__)
#define ledger_fsck(...) failing_ledger_fsck(__VA_ARGS__)
#define alerts_change(...) failing_alerts_change(__VA_ARGS__)
#define alerts_list(...) failing_alerts_list(__VA_ARGS__)
#define alert_target_add(...) failing_alert_target_add(__VA_ARGS__)
#define alert_target_remove(...) failing_alert_target_remove(__VA_ARGS__)
#define outbox_next(...) failing_outbox_next(__VA_ARGS__)
#define outbox_claim(...) failing_outbox_claim(__VA_ARGS__)
#define outbox_settle(...) failing_outbox_settle(__VA_ARGS__)
#define outbox_drop(...) failing_outbox_drop(__VA_ARGS__)
#define quiet_look(...) failing_quiet_look(__VA_ARGS__)
#define quiet_settle(...) failing_quiet_settle(__VA_ARGS__)
#define watch_look(...) failing_watch_look(__VA_ARGS__)
#define watch_settle(...) failing_watch_settle(__VA_ARGS__)
#define lists_projects(...) failing_lists_projects(__VA_ARGS__)
#define lists_benchmarks(...) failing_lists_benchmarks(__VA_ARGS__)
#define lists_machines(...) failing_lists_machines(__VA_ARGS__)
#define lists_summaries(...) failing_lists_summaries(__VA_ARGS__)
#define lists_commits(...) failing_lists_commits(__VA_ARGS__)
#define lists_regressions(...) failing_lists_regressions(__VA_ARGS__)
#define lists_retractions(...) failing_lists_retractions(__VA_ARGS__)
#define lists_alerts(...) failing_lists_alerts(__VA_ARGS__)
#define lists_messages(...) failing_lists_messages(__VA_ARGS__)

#endif
