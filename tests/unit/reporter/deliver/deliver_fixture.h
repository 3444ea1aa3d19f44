/*
 * deliver_fixture - a queue of three in a real store, a transport and a clock made up.
 */
#ifndef PAWL_TESTS_UNIT_REPORTER_DELIVER_DELIVER_FIXTURE_H
#define PAWL_TESTS_UNIT_REPORTER_DELIVER_DELIVER_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/file.h"
#include "lib/record/ack.h"
#include "lib/squeeze/squeeze.h"
#include "reporter/deliver/deliver.h"

#define S 1000000000ull
#define NEW 201
#define GONE (-1)  /* nobody answers */
#define LOST (-2)  /* stored, but the answer does not arrive */
#define FAULT (-3) /* our own: the transport cannot even try */

/* The made-up server: answers in turn, the last one for ever; one id may always fail. */
static struct {
	const int *answers;
	size_t n_answers, n_posts, n_coded;
	bool plain_only; /* 415 to what is compressed */
	bool takes_batches, wrong_id, loses_line;
	size_t n_batches; /* asked for */
	const char *retry_after;
	char poisoned[27];
	char posted[64][27];
	uint64_t longest_ns; /* time an attempt was given beyond what was left of the budget */
	uint64_t end_ns;
} server;

static struct {
	uint64_t now_ns, slept_ns;
	volatile sig_atomic_t stop;
	uint64_t stop_at_ns; /* 0: never */
} world;

static struct {
	unsigned n_warnings;
	char last[1024];
} heard;

static char folder[64], lock_path[96];
static struct store *store;
static struct delivery result;
static struct err err;

/* The body as it was before it was compressed. */
static inline void plain_body(const struct post_request *rq, struct buf *out)
{
	if (!rq->coding) {
		buf_add(out, rq->body, rq->n_body);
		return;
	}
	server.n_coded++;
	assert_string_equal(rq->coding, "zstd");
	assert_int_equal(unsqueeze_document(rq->body, rq->n_body, POST_MAX_BODY, out, NULL), 0);
}

/* The answer to that id, which is noted. */
static inline int next_answer(const char *id)
{
	int answer = NEW;

	if (server.n_answers)
		answer = server.answers[server.n_posts < server.n_answers ? server.n_posts
									  : server.n_answers - 1];
	if (!strcmp(id, server.poisoned))
		answer = 500;
	snprintf(server.posted[server.n_posts++ % 64], 27, "%s", id);
	return answer;
}

static const char refusal[] = "{\"error\": {\"code\": \"c\", \"message\": \"reason\"}}";

static inline void answer_batch(const char *lines, struct post_reply *reply)
{
	const char *line, *end;
	struct ack ack;

	reply->status = 200;
	snprintf(reply->content_type, sizeof(reply->content_type), "application/x-ndjson");
	for (line = lines; (end = strchr(line, '\n')); line = end + 1) {
		int answer;

		assert_int_equal(ack_decode(line, (size_t)(end - line), &ack, NULL), 0);
		answer = next_answer(ack.id);
		if (server.loses_line && end[1] == '\0')
			break;
		if (answer == NEW)
			buf_addf(&reply->body, "{\"status\":201,\"id\":\"%s\"}\n",
				 server.wrong_id ? "01ARZ3NDEKTSV4RRFFQ69G5FAV" : ack.id);
		else
			buf_addf(&reply->body, "{\"status\":%d,%s\n", answer, refusal + 1);
	}
}

static inline void answer_one(const struct post_request *rq, int answer, struct post_reply *reply)
{
	reply->status = answer < 0 ? 0 : answer;
	snprintf(reply->content_type, sizeof(reply->content_type), "application/json");
	if (server.retry_after)
		snprintf(reply->retry_after, sizeof(reply->retry_after), "%s", server.retry_after);
	if (answer == NEW)
		buf_addf(&reply->body, "{\"id\": \"%s\"}",
			 server.wrong_id ? "01ARZ3NDEKTSV4RRFFQ69G5FAV" : rq->id);
	else
		buf_adds(&reply->body, refusal);
}

static inline int post(void *ctx, const struct post_request *rq, struct post_reply *reply,
		       struct err *out_err)
{
	bool is_batch = strstr(rq->url, ":batch") != NULL;
	bool is_gone = server.n_answers && server.answers[0] == GONE;
	struct buf plain = BUF_INIT;
	int answer;

	(void)ctx;
	plain_body(rq, &plain);
	assert_non_null(strstr(buf_str(&plain), rq->id));
	server.n_batches += is_batch;
	answer = !is_batch		 ? next_answer(rq->id)
		 : !server.takes_batches ? 404
		 : is_gone		 ? GONE
					 : NEW;
	if (rq->coding && server.plain_only)
		answer = 415;
	if (world.now_ns + rq->timeout_ns > server.end_ns)
		server.longest_ns = world.now_ns + rq->timeout_ns - server.end_ns;
	world.now_ns += is_batch && answer == 404 ? 0 : 10000000;
	if (answer == FAULT) {
		buf_release(&plain);
		return err_set(out_err, ERR_CONFIG, "no such address");
	}
	reply->link = answer == GONE ? LINK_UNREACHABLE : answer == LOST ? LINK_BROKEN : LINK_OK;
	snprintf(reply->why, sizeof(reply->why), "%s", answer < 0 ? "refused" : "");
	if (is_batch && answer == NEW)
		answer_batch(buf_str(&plain), reply);
	else
		answer_one(rq, answer, reply);
	buf_release(&plain);
	return 0;
}

static inline uint64_t monotonic_ns(void *ctx)
{
	(void)ctx;
	return world.now_ns;
}

static inline int64_t wall_us(void *ctx)
{
	(void)ctx;
	return 1795168800000000 + (int64_t)(world.now_ns / 1000);
}

static inline void sleep_ns(void *ctx, uint64_t ns)
{
	(void)ctx;
	world.now_ns += ns;
	world.slept_ns += ns;
	if (world.stop_at_ns && world.now_ns >= world.stop_at_ns)
		world.stop = 1;
}

static inline double chance(void *ctx)
{
	(void)ctx;
	return 0.5;
}

static inline void warn(void *ctx, const char *text, const char *cure)
{
	(void)ctx;
	heard.n_warnings++;
	snprintf(heard.last, sizeof(heard.last), "%s | %s", text, cure);
}

static const struct deliver_clock fake_clock = { monotonic_ns, wall_us, sleep_ns, chance, NULL };
static const struct transport transport = { post, NULL };
static const struct talk talk = { .warn = warn };

static inline void id_of(int i, char out[27])
{
	snprintf(out, 27, "01ARZ3NDEKTSV4RRFFQ69G5F%02u", (unsigned)i % 100);
}

/* Stores and queues the summary number i, with so many facts of the machine. */
static inline void queue_wide(int i, int n_facts)
{
	struct summary s;
	char id[27], fact[16];
	bool queued = false;

	id_of(i, id);
	summary_init(&s);
	assert_int_equal(str_set(&s.id, id, NULL), 0);
	assert_int_equal(str_set(&s.project, "p", NULL), 0);
	assert_int_equal(str_set(&s.machine.id, "0123456789abcdef", NULL), 0);
	s.settings.runs_min = s.settings.runs_max = 1;
	s.settings.confidence = 0.95;
	s.settings.threshold = 0.01;
	for (; n_facts; n_facts--) {
		snprintf(fact, sizeof(fact), "fact %d", n_facts);
		assert_int_equal(facts_add(&s.machine.more, fact, "a value of it", &err), 0);
	}
	if (store_add(store, &s, true, &queued, &err))
		fail_msg("%s", err.text);
	assert_true(queued);
	summary_release(&s);
}

static inline void queue(int i)
{
	queue_wide(i, 0);
}

static inline int open_store(void **state)
{
	char path[96];
	int i;

	(void)state;
	memset(&server, 0, sizeof(server));
	memset(&world, 0, sizeof(world));
	memset(&heard, 0, sizeof(heard));
	err_clear(&err);
	world.now_ns = 5 * S;
	snprintf(folder, sizeof(folder), "/tmp/pawl-deliver.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/results.db", folder);
	snprintf(lock_path, sizeof(lock_path), "%s/push.lock", folder);
	if (store_open(path, STORE_WRITE, &store, &err))
		return -1;
	for (i = 1; i <= 3; i++)
		queue(i);
	return 0;
}

static inline int close_store(void **state)
{
	(void)state;
	store_close(store);
	return file_remove_tree(folder, NULL);
}

#define QUEUED(f) cmocka_unit_test_setup_teardown(f, open_store, close_store)

static inline int deliver_as(struct deliver_options opt)
{
	opt.transport = &transport;
	opt.clock = &fake_clock;
	opt.server = "http://127.0.0.1:7295";
	opt.lock_path = lock_path;
	opt.stop = &world.stop;
	if (!opt.budget_ns)
		opt.budget_ns = DELIVER_INTERACTIVE_NS;
	server.n_posts = 0;
	server.end_ns = world.now_ns + opt.budget_ns;
	return deliver_queue(store, &opt, &talk, &result, &err);
}

static inline int deliver(void)
{
	return deliver_as((struct deliver_options){ .all = false });
}

static inline void answer_with(const int *answers, size_t n)
{
	server.answers = answers;
	server.n_answers = n;
}
#define ANSWER(...) \
	answer_with((const int[]){ __VA_ARGS__ }, \
		    sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

static inline void check_counts(size_t delivered, size_t rejected, size_t left)
{
	size_t waiting, set_aside;

	assert_int_equal(result.delivered, delivered);
	assert_int_equal(result.rejected, rejected);
	assert_int_equal(result.left, left);
	assert_int_equal(store_queue_count(store, &waiting, &set_aside, NULL), 0);
	assert_int_equal(waiting, left);
	assert_true(!result.left || !result.text[0] || result.cure[0]);
	assert_null(strchr(result.text, '\n'));
}

static inline void check_posted(const char *wanted)
{
	char got[256] = "";
	size_t i;

	for (i = 0; i < server.n_posts && i < 64; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%c", server.posted[i][25]);
	assert_string_equal(got, wanted);
}

#endif
