/*
 * failing - calls of the store that fail at each of their statements, before they are made.
 *
 * With PAWL_TEST_STATEMENTS=fail each call of a test below is first made with its first statement
 * failing, then with its second, and so on; it has to fail each time and to say why.  At last it
 * is made as it is: what the test then finds shows that none of the others changed anything.
 */
#ifndef PAWL_TESTS_UNIT_STORE_FAILING_H
#define PAWL_TESTS_UNIT_STORE_FAILING_H

#include "tests/unit/store_fixture.h"

#include "lib/store/engine.h"

static struct {
	struct db_engine engine; /* the handle's own, but for what fails */
	const struct db_engine *own;
	bool is_on, has_failed;
	unsigned at, n;			 /* which is to fail, and how many came so far */
	unsigned long n_failed, n_borne; /* of those the call did what it should all the same */
} failing;

static inline bool failing_now(struct err *err)
{
	static const enum err_code codes[] = { ERR_IO, ERR_FULL, ERR_STORE, ERR_NOMEM, ERR_BUSY };

	if (!failing.is_on || ++failing.n != failing.at)
		return false;
	failing.has_failed = true;
	err_set(err, codes[failing.at % 5], "statement %u was made to fail", failing.at);
	return true;
}

static inline int failing_step(struct db *db, struct db_query *q, struct err *err)
{
	return failing_now(err) ? -1 : failing.own->step(db, q, err);
}

static inline int failing_begin(struct db *db, bool to_write, struct err *err)
{
	return failing_now(err) ? -1 : failing.own->begin(db, to_write, err);
}

static inline int failing_commit(struct db *db, bool late, struct err *err)
{
	return failing_now(err) ? -1 : failing.own->commit(db, late, err);
}

static inline int failing_begin_part(struct db *db, struct err *err)
{
	return failing_now(err) ? -1 : failing.own->begin_part(db, err);
}

static inline int failing_keep_part(struct db *db, struct err *err)
{
	return failing_now(err) ? -1 : failing.own->keep_part(db, err);
}

static inline int failing_undo_part(struct db *db, struct err *err)
{
	return failing_now(err) ? -1 : failing.own->undo_part(db, err);
}

static inline int failing_prepare(struct db *db, const char *sql, const char *types,
				  struct db_query **out, struct err *err)
{
	return failing_now(err) ? -1 : failing.own->prepare(db, sql, types, out, err);
}

static inline int failing_bind(struct db *db, struct db_query *q, const char *types, va_list ap,
			       struct err *err)
{
	return failing_now(err) ? -1 : failing.own->bind(db, q, types, ap, err);
}

static inline int failing_row_check(struct db_query *q, struct err *err)
{
	return failing_now(err) ? -1 : failing.own->row_check(q, err);
}

static inline void failing_tell(void)
{
	fprintf(stderr, "statements: %lu failed, %lu of them borne\n",
		failing.n_failed + failing.n_borne, failing.n_borne);
}

/* Whether calls are made more than once: then what they cost says nothing. */
static inline bool failing_is_asked(void)
{
	const char *how = getenv("PAWL_TEST_STATEMENTS");

	return how && !strcmp(how, "fail");
}

static inline void failing_start(struct db *db)
{
	failing.is_on = failing_is_asked();
	failing.has_failed = false;
	failing.at = 1;
	failing.n = 0;
	if (!failing.is_on)
		return;
	if (db->engine != &failing.engine) {
		if (!failing.own)
			atexit(failing_tell);
		failing.own = db->engine;
		failing.engine = *db->engine;
		failing.engine.step = failing_step;
		failing.engine.begin = failing_begin;
		failing.engine.commit = failing_commit;
		failing.engine.begin_part = failing_begin_part;
		failing.engine.keep_part = failing_keep_part;
		failing.engine.undo_part = failing_undo_part;
		failing.engine.prepare = failing_prepare;
		failing.engine.bind = failing_bind;
		failing.engine.row_check = failing_row_check;
		db->engine = &failing.engine;
	}
}

/* Whether the call is to be made again, since it was made to fail. */
static inline bool failing_again(const char *name, int result, const struct err *err)
{
	bool again = failing.has_failed;

	if (again && (result != -1 || !err->code))
		print_error("%s: statement %u fails, and it gives %d: %s\n", name, failing.at,
			    result, err->text);
	if (again) {
		assert_int_equal(result, -1);
		assert_int_not_equal(err->code, 0);
		failing.n_failed++;
	}
	failing.has_failed = false;
	failing.at++;
	failing.n = 0;
	failing.is_on = failing.is_on && again;
	return again;
}

#define FAILING(db, name, call, undo) \
	do { \
		struct err fault = ERR_INIT; \
		int result; \
\
		failing_start(db); \
		do { \
			err_clear(&fault); \
			undo; \
			result = call; \
		} while (failing_again(name, result, &fault)); \
		if (err) \
			*err = fault; \
		return result; \
	} while (0)

#endif
