/*
 * Small values beside the results, each with the SHA-256 of its key and itself in a last line:
 * "sum HEX".  One without is of a pawl that wrote none.
 */
#include "lib/store/local/store.h"

#include <stdlib.h>
#include <string.h>

#include "lib/digest/digest.h"
#include "lib/store/local/local.h"

#include "lib/base/banned.h"

#define SUM "\nsum "
#define TAIL (sizeof(SUM) - 1 + DIGEST_HEX - 1)

static int sum_of(const char *key, const char *value, size_t n, char out[DIGEST_HEX],
		  struct err *err)
{
	struct digest d = DIGEST_INIT;

	if (digest_begin(&d, err))
		return -1;
	digest_adds(&d, key);
	digest_add(&d, value, n);
	return digest_end(&d, out, err);
}

/* The value in what is stored, on the heap.  Errors: ERR_CORRUPT, ERR_NOMEM. */
static char *unseal(const char *key, const char *stored, struct err *err)
{
	size_t n = stored ? strlen(stored) : 0;
	char sum[DIGEST_HEX], *value;

	value = stored ? str_dup(stored, err) : NULL;
	if (!stored)
		err_nomem(err);
	if (!value || n < TAIL || strncmp(stored + n - TAIL, SUM, sizeof(SUM) - 1) != 0)
		return value;
	if (sum_of(key, stored, n - TAIL, sum, err)) {
		free(value);
		return NULL;
	}
	if (strcmp(stored + n - (DIGEST_HEX - 1), sum) != 0) {
		err_set(err, ERR_CORRUPT, "the stored value '%s' is damaged", key);
		free(value);
		return NULL;
	}
	value[n - TAIL] = '\0';
	return value;
}

int store_get_meta(struct store *store, const char *key, char **out, struct err *err)
{
	struct db_query *st = NULL;
	char *value = NULL;
	int result;

	if (db_start(&store->db, &st, err, "SELECT value FROM meta WHERE key=?1", "t", key))
		return -1;
	result = db_step(&store->db, st, err);
	if (result > 0) {
		value = unseal(key, db_text(st, 0), err);
		result = value ? 0 : -1;
	}
	db_end(st);
	if (!result)
		*out = value;
	return result;
}

int store_set_meta(struct store *store, const char *key, const char *value, struct err *err)
{
	struct buf sealed = BUF_INIT;
	char sum[DIGEST_HEX];
	int result = -1;

	if (sum_of(key, value, strlen(value), sum, err))
		return -1;
	buf_addf(&sealed, "%s" SUM "%s", value, sum);
	if (!buf_check(&sealed, err))
		result = db_run(&store->db, err,
				"INSERT INTO meta (key, value) VALUES (?1, ?2)"
				" ON CONFLICT (key) DO UPDATE SET value=excluded.value",
				"tt", key, buf_str(&sealed));
	buf_release(&sealed);
	return result;
}

/* Of one in turn: *out_value as it is stored; why it is none of ours otherwise. */
static bool is_intact(struct db_query *st, const char **out_key, const char **out_value,
		      struct err *err)
{
	char *value;

	*out_key = db_text(st, 0);
	*out_value = db_text(st, 1);
	value = *out_key ? unseal(*out_key, *out_value, err) : NULL;
	if (!*out_key)
		err_nomem(err);
	free(value);
	return value != NULL;
}

int meta_check(struct db *db, struct strv *faults, struct err *err)
{
	struct db_query *st = NULL;
	struct err mine = ERR_INIT;
	const char *key, *value;
	int step = -1, result = 0;

	if (!db_start(db, &st, &mine, "SELECT key, value FROM meta", ""))
		while (!result && (step = db_step(db, st, &mine)) > 0)
			if (!is_intact(st, &key, &value, &mine))
				result = mine.code == ERR_CORRUPT ? strv_add(faults, mine.text, err)
								  : err_nomem(err);
	/* Why it cannot be read otherwise is told by who looks at pages. */
	if (!result && step < 0 && mine.code == ERR_NOMEM)
		result = err_nomem(err);
	db_end(st);
	return result;
}

int meta_copy(struct db *from, struct db *to, struct err *err)
{
	struct db_query *st = NULL;
	struct err mine = ERR_INIT;
	const char *key, *value;
	int step = -1, result = 0;

	if (!db_start(from, &st, &mine, "SELECT key, value FROM meta", ""))
		while (!result && (step = db_step(from, st, &mine)) > 0) {
			if (is_intact(st, &key, &value, &mine))
				result = db_run(to, err,
						"INSERT INTO meta (key, value) VALUES (?1, ?2)",
						"tt", key, value);
			else if (mine.code == ERR_NOMEM)
				result = err_nomem(err);
		}
	if (!result && step < 0 && mine.code == ERR_NOMEM)
		result = err_nomem(err);
	db_end(st);
	return result;
}
