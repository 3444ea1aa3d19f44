/* A row of the local store: what it says, and whether it still says what was written. */
#include "lib/store/local/local.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/banned.h"

int row_digest(const struct row *row, char out[DIGEST_HEX], struct err *err)
{
	struct digest d = DIGEST_INIT;
	char numbers[64];

	if (digest_begin(&d, err))
		return -1;
	snprintf(numbers, sizeof(numbers), "%" PRId64 " %d %d", row->finished_us, row->dirty,
		 row->usable);
	digest_adds(&d, row->id);
	digest_adds(&d, row->project);
	digest_adds(&d, row->commit);
	digest_adds(&d, row->machine);
	digest_adds(&d, numbers);
	digest_adds(&d, row->binaries);
	digest_add(&d, row->json, row->n);
	return digest_end(&d, out, err);
}

int row_read(struct sqlite3_stmt *st, struct row *out, struct err *err)
{
	char sha256[DIGEST_HEX];

	out->id = db_text(st, 0);
	out->project = db_text(st, 1);
	out->commit = db_text(st, 2);
	out->machine = db_text(st, 3);
	out->finished_us = db_integer(st, 4);
	out->dirty = db_integer(st, 5) != 0;
	out->usable = db_integer(st, 6) != 0;
	out->binaries = db_text(st, 7);
	out->json = db_bytes(st, 8, &out->n);
	out->sha256 = db_text(st, 9);
	if (row_digest(out, sha256, err))
		return -1;
	if (!strcmp(sha256, out->sha256))
		return 0;
	err_set(err, ERR_CORRUPT, "the stored result '%s' is damaged: its SHA-256 does not fit",
		out->id);
	return err_hint(err, STORE_CURE);
}

int row_decode(struct sqlite3_stmt *st, struct summary *out, struct err *err)
{
	struct row row;

	if (row_read(st, &row, err))
		return -1;
	if (summary_decode(row.json, row.n, out, err))
		return err_in(err, "stored result '%s'", row.id);
	return 0;
}
