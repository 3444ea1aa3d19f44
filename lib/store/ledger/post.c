/* How summaries get into the ledger: many in one transaction. */
#include <math.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/store/ledger/known.h"
#include "lib/store/ledger/put.h"
#include "lib/store/points/fold.h"

#include "lib/base/banned.h"

/* Under constant load SQLite's own checkpoints never get to start the WAL afresh. */
#define MAX_WAL_BYTES (80 << 20)

/* So many more batches are stored apart at once when one had to be. */
#define APART_BATCHES 64

/* Faults of the database as a whole; any other is the fault of the one summary. */
static bool ends_the_batch(enum err_code code)
{
	return code == ERR_FULL || code == ERR_BUSY || code == ERR_IO || code == ERR_CORRUPT ||
	       code == ERR_NOMEM || code == ERR_NET;
}

/* What decides about a metric: of the gated one the benchmark's own verdict. */
static enum verdict verdict_of(const struct bench *b, const struct metric *m, bool gate)
{
	if (gate)
		return bench_verdict(b);
	return m->has_delta ? m->delta.verdict : VERDICT_NONE;
}

static bool has_parent(const struct commit_tag *c, const char *sha)
{
	return sha && strv_has(&c->parents, sha);
}

/* Of such points regressions are told. */
static int add_moved(struct put *put, int64_t series, struct err *err)
{
	return db_run(&put->l->db, err,
		      "INSERT INTO moved (project_id, run_id, series_id) VALUES (?1,?2,?3)", "iii",
		      put->project, put->run, series);
}

static int add_point(struct put *put, const struct bench *b, const struct metric *m, int64_t series,
		     struct err *err)
{
	const struct summary *s = put->post->summary;
	bool gate = b->gate && !strcmp(b->gate, m->name);
	const char *base = b->baseline_commit ? b->baseline_commit : s->baseline.commit;
	const char *how = b->baseline_commit ? b->baseline_how : s->baseline.how;
	const struct delta *d = m->has_delta ? &m->delta : NULL;
	enum verdict verdict = verdict_of(b, m, gate);
	bool suspect = d && d->suspect;
	struct ledger_point p = { .project = put->project,
				  .series = series,
				  .t = put->t,
				  .run = put->run,
				  .n = (int64_t)m->n,
				  .verdict = verdict,
				  .v = m->median,
				  .low = m->ci_low,
				  .high = m->ci_high,
				  .ratio = d ? d->ratio : (double)NAN,
				  .ratio_low = d ? d->low : (double)NAN,
				  .ratio_high = d ? d->high : (double)NAN };

	if (put_commit_stub(put, base, &p.base, err))
		return -1;
	p.flags |= s->commit.dirty ? POINT_DIRTY : 0;
	p.flags |= gate ? POINT_GATE : 0;
	p.flags |= suspect ? POINT_SUSPECT : 0;
	p.flags |= has_parent(&s->commit, base) ? POINT_EXACT : 0;
	sheet_add(&put->sheet, &p, how, false);
	if (point_is_listed(&p) && !put->post->untrusted && add_moved(put, series, err))
		return -1;
	return put_alerts(put, b, m, &p, err);
}

/* Of an imported file figures that were summed up are shown, and are no points (pawl-import(1)). */
static bool has_value(const struct put *put, const struct metric *m)
{
	return (m->state == METRIC_OK || m->state == METRIC_SCALED) && m->described &&
	       isfinite(m->median) && (m->n || !put->post->summary->imported.n);
}

static int add_bench(struct put *put, const struct bench *b, struct err *err)
{
	size_t i;

	if (b->status != BENCH_OK &&
	    db_run(&put->l->db, err,
		   "INSERT INTO outcome (project_id, run_id, benchmark, status)"
		   " VALUES (?1,?2,?3,?4)",
		   "iitt", put->project, put->run, b->name, bench_status_name(b->status)))
		return -1;
	for (i = 0; b->status == BENCH_OK && i < b->n_metrics; i++) {
		const struct metric *m = &b->metrics[i];
		int64_t series = 0;

		if (!has_value(put, m))
			continue;
		if (put_series(put, b, m, &series, err) || add_point(put, b, m, series, err))
			return -1;
	}
	return 0;
}

static int add_document(struct put *put, struct err *err)
{
	const struct post *p = put->post;
	const void *kept = p->frame ? p->frame : p->json;
	size_t n = p->frame ? p->n_frame : p->n;

	return db_run(&put->l->db, err,
		      "INSERT INTO document (project_id, run_id, json, coding) VALUES"
		      " (?1,?2,?3,nullif(?4,0))",
		      "iibi", put->project, put->run, kept, n, (int64_t)(p->frame != NULL));
}

int put_row(struct put *put, struct err *err)
{
	const struct summary *s = put->post->summary;
	int64_t base_id = 0;

	if (put_commit_stub(put, s->baseline.commit, &base_id, err))
		return -1;
	return db_run(&put->l->db, err,
		      "INSERT INTO run (project_id, run_id, apart, id, sha256, commit_id, env_id,"
		      " branch, dirty, base_id, how, t, finished_us, received_us, series_ids,"
		      " shard, shards, shard_group, shard_split) VALUES"
		      " (?1,?2,?3,?4,?5,nullif(?6,0),?7,?8,?9,nullif(?10,0),?11,?12,?13,?14,?19,"
		      " nullif(?15,0),nullif(?16,0),?17,?18)",
		      "iiittiitiitiiiiittb", put->project, put->run, (int64_t)put->post->untrusted,
		      s->id, put->post->sha256, put->commit, put->env, s->commit.branch,
		      (int64_t)s->commit.dirty, base_id, s->baseline.how, put->t, s->finished_us,
		      put->post->received_us, (int64_t)s->settings.shard.index,
		      (int64_t)s->settings.shard.count, s->settings.shard.group,
		      s->settings.shard.split, (const void *)"", (size_t)0);
}

static int add_sheet(struct put *put, struct err *err)
{
	struct buf bytes = BUF_INIT;
	int result = -1;

	sheet_finish(&put->sheet, put->project, put->run, put->t, &bytes);
	if (!buf_check(&bytes, err))
		result = db_run(&put->l->db, err,
				"INSERT INTO sheet (project_id, run_id, t, n, points)"
				" VALUES (?1,?2,?3,?4,?5)",
				"iiiib", put->project, put->run, put->t, (int64_t)put->sheet.n,
				(const void *)buf_str(&bytes), bytes.len);
	buf_release(&bytes);
	return result;
}

int put_points(struct put *put, struct err *err)
{
	const struct summary *s = put->post->summary;
	size_t i;

	/* Without a commit (an unborn HEAD) it has no place in any history. */
	if (!put->commit)
		return 0;
	for (i = 0; i < s->n_benchmarks; i++)
		if (add_bench(put, &s->benchmarks[i], err))
			return -1;
	return add_sheet(put, err);
}

/* Stores one summary, if its id is new in its project. */
static int add_all(struct put *put, struct err *err)
{
	struct post *post = put->post;
	int there;

	put->run = put_next_id(put);
	put->alerts.looked = put->counts.has_looked;
	put->alerts.has_open = put->counts.has_open;
	there = put_env(put, err);
	if (there > 0)
		post->result = strcmp(put->ahead.sha256, post->sha256) ? POST_CONFLICT : POST_SAME;
	if (there)
		return there < 0 ? -1 : 0;
	if (put_commit(put, err) || put_points(put, err) || put_row(put, err) ||
	    add_document(put, err) || put_accepted(put, err))
		return -1;
	post->result = POST_CREATED;
	return 0;
}

/* A batch on its way in. */
struct batch {
	struct ledger *l;
	struct post **posts;
	size_t n;
	struct tally tally;
	bool apart; /* each in a savepoint of its own, so that one may fail */
	struct put_looks looks;
};

/* Number i; what was looked up of it before may still hold. */
static int post_one(struct batch *b, size_t i, struct err *err)
{
	struct post *post = b->posts[i];
	struct put put = { .l = b->l, .post = post, .tally = &b->tally };
	size_t at = i % LOOKS_MOST;
	int result = -1;

	if (at < b->looks.n && looks_hold(&b->looks, at)) {
		put.ahead = b->looks.found[at];
		put.has_ahead = true;
	}

	if (put_project(&put, err) || add_all(&put, err) || (b->apart && db_keep(&b->l->db, err)))
		goto out;
	result = post->result == POST_CREATED ? put_close(&put, err) : 0;
out:
	put_release(&put);
	alert_batch_release(&put.alerts);
	return result;
}

/* The same; -1 when the whole batch must end. */
static int post_next(struct batch *b, size_t i, struct err *err)
{
	struct post *post = b->posts[i];
	struct db *db = &b->l->db;

	err_clear(&post->err);
	if (b->apart && db_try(db, err))
		return -1;
	if (!post_one(b, i, &post->err))
		return 0;
	post->result = POST_FAILED;
	known_forget(b->l);
	if (!b->apart || ends_the_batch(post->err.code)) {
		if (err)
			*err = post->err;
		return -1;
	}
	return db_undo(db, err);
}

/* What is there of the next ones, asked at once where each question is a journey. */
static int look_ahead(struct batch *b, size_t from, struct err *err)
{
	size_t n = b->n - from < LOOKS_MOST ? b->n - from : LOOKS_MOST;

	b->looks.n = 0;
	/* Near, a search costs no journey; and SQLite reads what is bound when it steps. */
	if (b->apart || !db_is_far(&b->l->db))
		return 0;
	return looks_take(&b->looks, b->l, &b->tally, b->posts + from, n, err);
}

/* Begins, with the first look. */
static int begin(struct batch *b, struct err *err)
{
	struct db *db = &b->l->db;

	if (db_begin_ahead(db, err))
		return -1;
	if (!look_ahead(b, 0, err) && !db_settle(db, err))
		return 0;
	tally_release(&b->tally);
	db_rollback(db);
	return -1;
}

/* A connection that was lost while nothing was asked is no fault of who posts next. */
static int begin_again(struct batch *b, struct err *err)
{
	struct err first = ERR_INIT;
	int result = begin(b, &first);

	if (result && first.code == ERR_NET)
		return begin(b, err);
	if (result && err)
		*err = first;
	return result;
}

static int post_batch(struct batch *b, struct err *err)
{
	struct db *db = &b->l->db;
	int result = -1;
	size_t i;

	if (begin_again(b, err))
		return -1;
	if (db_is_stale(db))
		known_forget(b->l);
	for (i = 0; i < b->n; i++)
		if ((i && i % LOOKS_MOST == 0 && look_ahead(b, i, err)) || post_next(b, i, err))
			goto out;
	result = tally_write(b->l, &b->tally, err) || db_commit(db, err) ? -1 : 0;
out:
	if (result) {
		known_forget(b->l);
		db_rollback(db);
	}
	tally_release(&b->tally);
	return result;
}

/*
 * A savepoint a post keeps one that fails from its neighbours.  Of a database that is far away it
 * is a journey, and SQLite writes each page that changes within it to a file beside, four times
 * what it writes to the WAL.  So all are stored together first, and where one of them cannot be,
 * all again, each apart; who sends such ones again and again is to cost the others no second time.
 */
int ledger_post(struct ledger *l, struct post **posts, size_t n, struct err *err)
{
	struct batch b = { .l = l, .posts = posts, .n = n, .apart = l->n_apart > 0 };
	struct err fault = ERR_INIT;
	int result;

	if (b.apart)
		l->n_apart--;
	result = post_batch(&b, &fault);
	if (result && !b.apart && !ends_the_batch(fault.code)) {
		err_clear(&fault);
		b.apart = true;
		l->n_apart = db_is_far(&l->db) ? 0 : APART_BATCHES;
		result = post_batch(&b, &fault);
	}
	if (result) {
		if (err)
			*err = fault;
		return -1;
	}
	db_trim_wal(&l->db, MAX_WAL_BYTES);
	return 0;
}

/* One that cannot be folded must not keep the others from it.  1: nothing is to be folded. */
static int fold_one(struct ledger *l, struct err *err)
{
	int64_t project = 0;
	int found = fold_find(&l->db, l->fold_after, &project, err);

	if (found > 0) {
		l->may_fold = false;
		l->fold_after = 0;
	}
	if (found)
		return found;
	l->fold_after = project;
	if (fold_step(&l->db, project, err))
		return -1;
	l->fold_after = project - 1;
	return 0;
}

int ledger_fold(struct ledger *l, bool *out_more, struct err *err)
{
	int result = 0;

	*out_more = false;
	if (!l->may_fold)
		return 0;
	if (db_begin(&l->db, err))
		return -1;
	result = fold_one(l, err);
	/* What is not folded is read all the same, and a step that is lost is done again. */
	if (!result)
		result = db_commit_late(&l->db, err);
	db_rollback(&l->db);
	*out_more = l->may_fold;
	db_trim_wal(&l->db, MAX_WAL_BYTES);
	return result < 0 ? -1 : 0;
}
