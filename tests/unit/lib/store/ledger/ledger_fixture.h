/*
 * ledger_fixture - a ledger with a writer and a reader, posts to it, and what it answers.
 */
#ifndef PAWL_TESTS_UNIT_STORE_LEDGER_LEDGER_FIXTURE_H
#define PAWL_TESTS_UNIT_STORE_LEDGER_LEDGER_FIXTURE_H

#include "tests/unit/lib/store/ledger/ledger_failing.h"

#include "lib/digest/digest.h"
#include "lib/store/ledger/ledger.h"

/* Behind the dates of all commits here. */
#define RECEIVED_US (MONDAY_US + (int64_t)86400 * 1000000)

/* When what is posted next is received. */
static int64_t received_us = RECEIVED_US;

struct place {
	char *dir, *path, *where;
	struct ledger *writer, *reader;
};

static inline int set_up(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	p->dir = new_folder();
	p->path = path_in(p->dir, "ledger.db");
	p->where = malloc(strlen(p->path) + 8);
	snprintf(p->where, strlen(p->path) + 8, "sqlite:%s", p->path);
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
	*state = p;
	return 0;
}

static inline int tear_down(void **state)
{
	struct place *p = *state;

	ledger_close(p->reader);
	ledger_close(p->writer);
	file_remove_tree(p->dir, NULL);
	free(p->dir);
	free(p->path);
	free(p->where);
	free(p);
	return 0;
}

#define ONE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* A summary on its way: what the server holds while it is being stored. */
struct parcel {
	struct summary s;
	struct buf json;
	char sha256[DIGEST_HEX];
	struct post post;
};

static inline void wrap(struct parcel *p, bool untrusted)
{
	p->json = (struct buf)BUF_INIT;
	assert_int_equal(summary_encode(&p->s, 0, &p->json, NULL), 0);
	assert_int_equal(digest_of(p->json.data, p->json.len, p->sha256, NULL), 0);
	p->post = (struct post){ .summary = &p->s,
				 .json = p->json.data,
				 .n = p->json.len,
				 .sha256 = p->sha256,
				 .untrusted = untrusted,
				 .received_us = received_us };
}

static inline enum post_result post(struct ledger *l, struct parcel *p, bool untrusted)
{
	struct post *one = &p->post;
	enum post_result result;

	wrap(p, untrusted);
	assert_int_equal(ledger_post(l, &one, 1, NULL), 0);
	result = p->post.result;
	buf_release(&p->json);
	return result;
}

static inline enum post_result post_plain(struct ledger *l, unsigned n, const char *commit,
					  bool untrusted)
{
	struct parcel p;
	enum post_result result;

	fill_summary(&p.s, n, commit);
	result = post(l, &p, untrusted);
	summary_release(&p.s);
	return result;
}

/* Posts a commit measured against A, its cpu judged. */
static inline void post_judged_at(struct ledger *l, unsigned n, const char *commit,
				  enum verdict verdict, bool suspect)
{
	struct parcel p;

	fill_summary(&p.s, n, commit);
	p.s.commit.commit_time_us = MONDAY_US + 50 * 1000000;
	assert_int_equal(strv_add(&p.s.commit.parents, COMMIT_A, NULL), 0);
	assert_int_equal(str_set(&p.s.baseline.commit, COMMIT_A, NULL), 0);
	assert_int_equal(str_set(&p.s.baseline.how, "rerun", NULL), 0);
	judge(&p.s.benchmarks[0].metrics[0], 1.034, verdict);
	p.s.benchmarks[0].metrics[0].delta.suspect = suspect;
	assert_int_equal(post(l, &p, false), POST_CREATED);
	summary_release(&p.s);
}

static inline void post_judged(struct ledger *l, unsigned n, enum verdict verdict, bool suspect)
{
	post_judged_at(l, n, COMMIT_B, verdict, suspect);
}

static inline bool has(const struct buf *out, const char *piece)
{
	return strstr(buf_str(out), piece) != NULL;
}

static inline size_t times(const struct buf *out, const char *piece)
{
	const char *at = buf_str(out);
	size_t n = 0;

	while ((at = strstr(at, piece))) {
		n++;
		at++;
	}
	return n;
}

static inline void history(struct place *p, const struct history_query *q, struct buf *out)
{
	buf_reset(out);
	assert_int_equal(ledger_history(p->reader, q, out, NULL), 0);
}

static inline struct history_query ask(void)
{
	return (struct history_query){ .project = "zlib", .benchmark = "deflate/6", .limit = 100 };
}

#endif
