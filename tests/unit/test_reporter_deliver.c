/* Unit tests of reporter/deliver.c: a real store, a transport and a clock made up. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/file.h"
#include "reporter/deliver.h"

#include "lib/base/banned.h"

#define S 1000000000ull
#define NEW 201
#define GONE (-1)  /* nobody answers */
#define LOST (-2)  /* stored, but the answer does not arrive */
#define FAULT (-3) /* our own: the transport cannot even try */

/* The made-up server: answers in turn, the last one for ever; one id may always fail. */
static struct {
	const int *answers;
	size_t n_answers, n_posts;
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

static int post(void *ctx, const struct post_request *rq, struct post_reply *reply,
		struct err *out_err)
{
	int answer = NEW;

	(void)ctx;
	if (server.n_answers)
		answer = server.answers[server.n_posts < server.n_answers ? server.n_posts
									  : server.n_answers - 1];
	if (!strcmp(rq->id, server.poisoned))
		answer = 500;
	snprintf(server.posted[server.n_posts++ % 64], 27, "%s", rq->id);
	assert_non_null(strstr(rq->body, rq->id));
	if (world.now_ns + rq->timeout_ns > server.end_ns)
		server.longest_ns = world.now_ns + rq->timeout_ns - server.end_ns;
	world.now_ns += 10000000;
	if (answer == FAULT)
		return err_set(out_err, ERR_CONFIG, "no such address");
	reply->link = answer == GONE ? LINK_UNREACHABLE : answer == LOST ? LINK_BROKEN : LINK_OK;
	snprintf(reply->why, sizeof(reply->why), "%s", answer < 0 ? "refused" : "");
	reply->status = answer < 0 ? 0 : answer;
	snprintf(reply->content_type, sizeof(reply->content_type), "application/json");
	if (server.retry_after)
		snprintf(reply->retry_after, sizeof(reply->retry_after), "%s", server.retry_after);
	if (answer == NEW)
		buf_addf(&reply->body, "{\"id\": \"%s\"}", rq->id);
	else
		buf_adds(&reply->body, "{\"error\": {\"code\": \"c\", \"message\": \"reason\"}}");
	return 0;
}

static uint64_t monotonic_ns(void *ctx)
{
	(void)ctx;
	return world.now_ns;
}

static int64_t wall_us(void *ctx)
{
	(void)ctx;
	return 1795168800000000 + (int64_t)(world.now_ns / 1000);
}

static void sleep_ns(void *ctx, uint64_t ns)
{
	(void)ctx;
	world.now_ns += ns;
	world.slept_ns += ns;
	if (world.stop_at_ns && world.now_ns >= world.stop_at_ns)
		world.stop = 1;
}

static double chance(void *ctx)
{
	(void)ctx;
	return 0.5;
}

static void warn(void *ctx, const char *text, const char *cure)
{
	(void)ctx;
	heard.n_warnings++;
	snprintf(heard.last, sizeof(heard.last), "%s | %s", text, cure);
}

static const struct deliver_clock fake_clock = { monotonic_ns, wall_us, sleep_ns, chance, NULL };
static const struct transport transport = { post, NULL };
static const struct talk talk = { .warn = warn };

static void id_of(int i, char out[27])
{
	snprintf(out, 27, "01ARZ3NDEKTSV4RRFFQ69G5F%02d", i);
}

/* Stores and queues the summary number i. */
static void queue(int i)
{
	struct summary s;
	char id[27];
	bool queued = false;

	id_of(i, id);
	summary_init(&s);
	assert_int_equal(str_set(&s.id, id, NULL), 0);
	assert_int_equal(str_set(&s.project, "p", NULL), 0);
	assert_int_equal(str_set(&s.machine.id, "0123456789abcdef", NULL), 0);
	s.settings.runs_min = s.settings.runs_max = 1;
	s.settings.confidence = 0.95;
	s.settings.threshold = 0.01;
	if (store_add(store, &s, true, &queued, &err))
		fail_msg("%s", err.text);
	assert_true(queued);
	summary_release(&s);
}

static int open_store(void **state)
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

static int close_store(void **state)
{
	(void)state;
	store_close(store);
	return file_remove_tree(folder, NULL);
}

static int deliver_as(struct deliver_options opt)
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

static int deliver(void)
{
	return deliver_as((struct deliver_options){ .all = false });
}

static void answer_with(const int *answers, size_t n)
{
	server.answers = answers;
	server.n_answers = n;
}
#define ANSWER(...) \
	answer_with((const int[]){ __VA_ARGS__ }, \
		    sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

static void check_counts(size_t delivered, size_t rejected, size_t left)
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

static void check_posted(const char *wanted)
{
	char got[256] = "";
	size_t i;

	for (i = 0; i < server.n_posts && i < 64; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%c", server.posted[i][25]);
	assert_string_equal(got, wanted);
}

static void all_is_posted_oldest_first(void **state)
{
	(void)state;
	assert_int_equal(deliver(), 0);
	check_counts(3, 0, 0);
	check_posted("123");
	assert_string_equal(result.text, "posted 3 summaries to http://127.0.0.1:7295");
	assert_string_equal(result.cure, "");
	assert_true(world.slept_ns == 0);
}

static void an_empty_queue_is_silent(void **state)
{
	(void)state;
	assert_int_equal(deliver(), 0);
	assert_int_equal(deliver(), 0);
	check_counts(0, 0, 0);
	assert_string_equal(result.text, "");
	assert_int_equal(server.n_posts, 0);
}

static void a_refused_summary_does_not_block_the_others(void **state)
{
	(void)state;
	ANSWER(422, NEW);
	assert_int_equal(deliver(), 0);
	check_counts(2, 1, 0);
	check_posted("123");
	assert_int_equal(heard.n_warnings, 1);
	assert_non_null(strstr(heard.last, "01ARZ3NDEKTSV4RRFFQ69G5F01"));
	assert_non_null(strstr(heard.last, "reason"));
	assert_non_null(strstr(result.text, "refused 1 summary"));
	assert_int_equal(deliver_as((struct deliver_options){ .all = true }), 0);
	assert_int_equal(server.n_posts, 0);
}

static void many_refusals_are_few_warnings(void **state)
{
	int i;

	(void)state;
	for (i = 4; i <= 9; i++)
		queue(i);
	ANSWER(400);
	assert_int_equal(deliver(), 0);
	check_counts(0, 9, 0);
	assert_int_equal(heard.n_warnings, 3);
	assert_non_null(strstr(result.text, "refused 9 summaries"));
}

static void a_dead_server_is_tried_once(void **state)
{
	(void)state;
	ANSWER(GONE);
	assert_int_equal(deliver(), 0);
	check_counts(0, 0, 3);
	check_posted("1");
	assert_true(world.slept_ns == 0);
	assert_non_null(strstr(result.text, "3 summaries still queued: cannot reach"));
	assert_non_null(strstr(result.cure, "pawl "));
}

static void what_failed_is_not_due_at_once_but_all_means_all(void **state)
{
	(void)state;
	ANSWER(GONE);
	assert_int_equal(deliver(), 0);
	assert_int_equal(deliver(), 0);
	check_posted("2");
	ANSWER(NEW);
	assert_int_equal(deliver(), 0);
	check_posted("3");
	check_counts(1, 0, 2);
	assert_non_null(strstr(result.text, "not due yet"));
	assert_int_equal(deliver_as((struct deliver_options){ .all = true }), 0);
	check_counts(2, 0, 0);
}

static void waiting_outlasts_a_restart(void **state)
{
	(void)state;
	ANSWER(GONE, GONE, GONE, GONE, NEW);
	assert_int_equal(deliver_as((struct deliver_options){ .keep_trying = true }), 0);
	check_counts(3, 0, 0);
	check_posted("1231231");
	assert_true(world.slept_ns == S / 2 + S + 2 * S + 4 * S);
}

static void a_busy_server_gets_the_time_it_asks_for(void **state)
{
	(void)state;
	ANSWER(503, NEW);
	server.retry_after = "7";
	assert_int_equal(deliver(), 0);
	check_counts(3, 0, 0);
	assert_true(world.slept_ns == 7 * S);
	check_posted("1231");
}

static void a_wait_beyond_the_budget_is_not_begun(void **state)
{
	(void)state;
	ANSWER(503);
	server.retry_after = "7";
	assert_int_equal(deliver_as((struct deliver_options){ .budget_ns = DELIVER_HOOK_NS }), 0);
	check_counts(0, 0, 3);
	check_posted("1");
	assert_true(world.slept_ns == 0);
	assert_non_null(strstr(result.text, "503"));
}

static void the_budget_is_kept_and_given_to_every_attempt(void **state)
{
	uint64_t start = world.now_ns;

	(void)state;
	ANSWER(500);
	assert_int_equal(deliver(), 0);
	check_counts(0, 0, 3);
	assert_true(server.n_posts > 3);
	assert_true(world.now_ns - start <= DELIVER_INTERACTIVE_NS);
	assert_true(server.longest_ns == 0);
}

static void a_poisoned_summary_costs_the_others_one_wait(void **state)
{
	(void)state;
	id_of(1, server.poisoned);
	assert_int_equal(deliver_as((struct deliver_options){ .budget_ns = DELIVER_HOOK_NS }), 0);
	check_counts(2, 0, 1);
	assert_memory_equal(server.posted[1] + 25, "2", 1);
	assert_memory_equal(server.posted[2] + 25, "3", 1);
	assert_non_null(
		strstr(result.text, "1 summary still queued: the server answered HTTP 500"));
}

static void a_lost_answer_is_sent_again(void **state)
{
	(void)state;
	ANSWER(LOST, NEW);
	assert_int_equal(deliver(), 0);
	check_counts(3, 0, 0);
	check_posted("1231");
}

static void a_wrong_token_costs_no_summary(void **state)
{
	(void)state;
	ANSWER(401);
	assert_int_equal(deliver(), 0);
	check_counts(0, 0, 3);
	check_posted("1");
	assert_non_null(strstr(result.cure, "PAWL_TOKEN"));
	ANSWER(NEW);
	assert_int_equal(deliver(), 0);
	check_counts(3, 0, 0);
	check_posted("123");
}

static void a_summary_of_a_forbidden_project_stays_and_the_rest_goes(void **state)
{
	(void)state;
	ANSWER(403, NEW);
	assert_int_equal(deliver(), 0);
	check_counts(2, 0, 1);
	check_posted("123");
	assert_non_null(strstr(result.text, "403"));
	assert_non_null(strstr(result.cure, "pawl.project"));
}

static void a_server_that_moved_stops_the_sending(void **state)
{
	(void)state;
	ANSWER(308);
	assert_int_equal(deliver_as((struct deliver_options){ .keep_trying = true }), 0);
	check_counts(0, 0, 3);
	check_posted("1");
}

static void only_one_sends_at_a_time(void **state)
{
	int fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(deliver(), 0);
	assert_true(result.busy);
	check_counts(0, 0, 3);
	assert_int_equal(server.n_posts, 0);
	assert_non_null(strstr(result.text, "another pawl"));
	close(fd);
	assert_int_equal(deliver(), 0);
	assert_false(result.busy);
	check_counts(3, 0, 0);
}

static void a_lock_that_cannot_be_made_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(symlink("/tmp/pawl-elsewhere", lock_path), 0);
	assert_int_equal(deliver(), -1);
	assert_int_equal(err.code, ERR_IO);
	check_counts(0, 0, 3);
	assert_false(file_exists("/tmp/pawl-elsewhere"));
}

static void a_stop_ends_a_wait_soon(void **state)
{
	uint64_t start = world.now_ns;

	(void)state;
	ANSWER(NEW, 503);
	server.retry_after = "20";
	world.stop_at_ns = start + 3 * S;
	assert_int_equal(deliver(), -1);
	assert_int_equal(err.code, ERR_STOPPED);
	check_counts(1, 0, 2);
	assert_true(world.now_ns - start < 4 * S);
}

static void our_own_fault_is_an_error_and_loses_nothing(void **state)
{
	(void)state;
	ANSWER(NEW, FAULT);
	assert_int_equal(deliver(), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	check_counts(1, 0, 2);
	ANSWER(NEW);
	assert_int_equal(deliver(), 0);
	check_counts(2, 0, 0);
}

#define QUEUED(f) cmocka_unit_test_setup_teardown(f, open_store, close_store)

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUEUED(all_is_posted_oldest_first),
		QUEUED(an_empty_queue_is_silent),
		QUEUED(a_refused_summary_does_not_block_the_others),
		QUEUED(many_refusals_are_few_warnings),
		QUEUED(a_dead_server_is_tried_once),
		QUEUED(what_failed_is_not_due_at_once_but_all_means_all),
		QUEUED(waiting_outlasts_a_restart),
		QUEUED(a_busy_server_gets_the_time_it_asks_for),
		QUEUED(a_wait_beyond_the_budget_is_not_begun),
		QUEUED(the_budget_is_kept_and_given_to_every_attempt),
		QUEUED(a_poisoned_summary_costs_the_others_one_wait),
		QUEUED(a_lost_answer_is_sent_again),
		QUEUED(a_wrong_token_costs_no_summary),
		QUEUED(a_summary_of_a_forbidden_project_stays_and_the_rest_goes),
		QUEUED(a_server_that_moved_stops_the_sending),
		QUEUED(only_one_sends_at_a_time),
		QUEUED(a_lock_that_cannot_be_made_is_an_error),
		QUEUED(a_stop_ends_a_wait_soon),
		QUEUED(our_own_fault_is_an_error_and_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
