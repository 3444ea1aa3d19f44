/* pool_fixture - a pool of layouts with links that cost what a test says. */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_POOL_POOL_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_POOL_POOL_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collector/pool/pool.h"

#define S UINT64_C(1000000000)
#define ID_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-0"
#define ID_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-0"

static struct fake {
	uint64_t now_ns, worked_ns, link_ns;
	unsigned busy;		     /* so many others share the processor while it links */
	bool kept[LAYOUT_MOST + 1];  /* lie there already */
	bool wrong[LAYOUT_MOST + 1]; /* come out as another program */
	unsigned made[8];	     /* the first numbers that were asked for, in turn */
	size_t n_asked;
	const char *rest;
	bool is_unrecorded;
	unsigned full_at; /* the number with which the room ends; 0: never */
	unsigned stop_at;
	int n_open, n_made;
	bool begins; /* the base is begun beside the head */
	int begun, n_begun, n_meanwhile;
} fake;
static struct side head, base;
static unsigned uses[LAYOUT_MOST + 1];
static struct pool *pool;
static struct err err;

static inline void *fake_open(void *ctx, const struct side *side, struct err *e)
{
	(void)ctx;
	(void)side;
	if (fake.is_unrecorded) {
		err_set(e, ERR_ABSENT, "its link was not recorded");
		return NULL;
	}
	fake.n_open++;
	return &fake;
}

static inline int fake_make(void *ctx, void *opened, unsigned number, struct strv *out,
			    struct err *e)
{
	assert_ptr_equal(ctx, opened);
	fake.n_meanwhile += fake.begun != 0;
	if (fake.n_asked < 8)
		fake.made[fake.n_asked++] = number;
	if (number == fake.stop_at)
		return err_set(e, ERR_STOPPED, "stopped by a signal");
	if (number == fake.full_at)
		return err_set(e, ERR_LIMIT, "they take too much room");
	if (fake.wrong[number])
		return err_set(e, ERR_CORRUPT, "layout %u is thrown away", number);
	fake.n_made += !fake.kept[number];
	fake.worked_ns += fake.kept[number] ? 0 : fake.link_ns;
	fake.now_ns += fake.kept[number] ? 0 : (1 + fake.busy) * fake.link_ns;
	return strv_add(out, "/prog", e) || strv_add(out, "/layout", e) ? -1 : 0;
}

static inline bool fake_is_made(void *ctx, void *opened, unsigned number)
{
	assert_ptr_equal(ctx, opened);
	return fake.kept[number];
}

static inline int fake_begin(void *ctx, const struct side *side, void *opened, unsigned number)
{
	(void)ctx;
	assert_string_equal(side->exe, "/base/prog");
	assert_int_equal(opened != NULL, number != 0);
	assert_int_equal(fake.begun, 0);
	fake.begun = fake.begins ? (int)number + 1 : 0;
	fake.n_begun += fake.begins;
	return fake.begun;
}

static inline void fake_wait(void *ctx, int begun)
{
	(void)ctx;
	assert_int_equal(begun, fake.begun);
	fake.begun = 0;
}

static inline void fake_close(void *ctx, void *opened)
{
	assert_ptr_equal(ctx, opened);
	fake.n_open--;
}

static inline uint64_t fake_now(void *ctx)
{
	(void)ctx;
	return fake.now_ns;
}

static inline uint64_t fake_worked(void *ctx)
{
	(void)ctx;
	return fake.worked_ns;
}

static inline const char *fake_rest(void *ctx, void *opened)
{
	assert_ptr_equal(ctx, opened);
	return fake.rest;
}

static const struct pool_maker maker = { fake_open,  fake_make, fake_is_made, fake_rest,
					 fake_close, fake_now,	fake_worked,  fake_begin,
					 fake_wait,  &fake };

static inline int begin(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	memset(uses, 0, sizeof(uses));
	fake.link_ns = S / 20;
	err = (struct err)ERR_INIT;
	assert_int_equal(str_set(&head.exe, "/head/prog", NULL), 0);
	assert_int_equal(str_set(&base.exe, "/base/prog", NULL), 0);
	assert_int_equal(str_set(&head.dir, "/head", NULL), 0);
	assert_int_equal(str_set(&base.dir, "/base", NULL), 0);
	assert_int_equal(str_set(&head.binary_id, ID_A, NULL), 0);
	assert_int_equal(str_set(&base.binary_id, ID_B, NULL), 0);
	return 0;
}

static inline int end(void **state)
{
	(void)state;
	pool_close(pool);
	pool = NULL;
	assert_int_equal(fake.n_open, 0);
	side_release(&head);
	side_release(&base);
	return 0;
}

static inline void open_with(struct pool_terms terms)
{
	terms.seed = 7;
	pool = pool_open(&terms, &maker, &err);
	assert_non_null(pool);
}

static inline void open_pool(unsigned first, uint64_t allowed_ns)
{
	open_with((struct pool_terms){ .first = first, .most = 32, .allowed_ns = allowed_ns });
}

/* The number of the next pair of that length, which then is one of its pairs. */
static inline unsigned draw(double pair_ns)
{
	const struct pool_job job = { &head, &base, uses, pair_ns };
	struct pool_draw out;

	assert_int_equal(pool_draw(pool, &job, &out, &err), 0);
	assert_true(!out.number == !out.head && !out.number == !out.base);
	uses[out.number]++;
	fake.now_ns += (uint64_t)pair_ns;
	return out.number;
}

static inline size_t n_used(void)
{
	size_t n = 0, k;

	for (k = 1; k <= LAYOUT_MOST; k++)
		n += uses[k] > 0;
	return n;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

#endif
