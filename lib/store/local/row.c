/* A row of the local store: what it says, and whether it still says what was written. */
#include "lib/store/local/local.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/digest/crc.h"
#include "lib/judge/points.h"
#include "lib/record/packed/pack.h"

#include "lib/base/banned.h"

uint64_t row_sum(const struct row *row)
{
	const char *const texts[] = { row->id, row->project, row->commit, row->machine };
	unsigned char numbers[9];
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		sum = crc64(sum, texts[i], strlen(texts[i]) + 1);
	for (i = 0; i < 8; i++)
		numbers[i] = (unsigned char)((uint64_t)row->finished_us >> 8 * i);
	numbers[8] = (unsigned char)(row->dirty | row->usable << 1);
	return crc64(sum, numbers, sizeof(numbers));
}

/* SHA-256 over every column of a document's row but sha256 itself. */
static int digest_row(const struct row *row, char out[DIGEST_HEX], struct err *err)
{
	struct digest d = DIGEST_INIT;
	char numbers[64];

	if (digest_begin(&d, err))
		return -1;
	digest_adds(&d, row->id);
	digest_adds(&d, row->project);
	digest_adds(&d, row->commit);
	digest_adds(&d, row->machine);
	snprintf(numbers, sizeof(numbers), "%" PRId64 " %d %d", row->finished_us, row->dirty,
		 row->usable);
	digest_adds(&d, numbers);
	digest_adds(&d, row->binaries);
	digest_add(&d, row->json, row->n);
	return digest_end(&d, out, err);
}

/* Returns -1. */
static int say_damaged(const char *id, struct err *err)
{
	err_set(err, ERR_CORRUPT, "the stored result '%s' is damaged: its checksum does not fit",
		id);
	return err_hint(err, STORE_CURE);
}

int row_head(struct db_query *st, struct row *out, struct err *err)
{
	*out = (struct row){ .seq = db_integer(st, 0),
			     .id = db_text(st, 1),
			     .project = db_text(st, 2),
			     .commit = db_text(st, 3),
			     .machine = db_text(st, 4),
			     .finished_us = db_integer(st, 5),
			     .dirty = db_integer(st, 6) != 0,
			     .usable = db_integer(st, 7) != 0,
			     .is_packed = !db_is_null(st, 8) };
	if (db_row_check(st, err))
		return -1;
	/* None of them ever is: of a row that was wiped out nothing else is left to see. */
	if (db_is_null(st, 1) || db_is_null(st, 2) || db_is_null(st, 3) || db_is_null(st, 4))
		return say_damaged(out->id, err);
	if (out->is_packed && row_sum(out) != (uint64_t)db_integer(st, 8))
		return say_damaged(out->id, err);
	return 0;
}

int row_read(struct db_query *st, struct row *out, struct err *err)
{
	char sha256[DIGEST_HEX];

	if (row_head(st, out, err))
		return -1;
	out->binaries = db_text(st, 9);
	out->json = db_bytes(st, 10, &out->n);
	out->sha256 = db_text(st, 11);
	out->packed = db_bytes(st, 12, &out->n_packed);
	if (db_row_check(st, err))
		return -1;
	if (out->is_packed)
		return 0;
	if (digest_row(out, sha256, err))
		return -1;
	return strcmp(sha256, out->sha256) ? say_damaged(out->id, err) : 0;
}

int row_decode(const struct row *row, struct summary *out, struct err *err)
{
	struct summary s;

	if (row->is_packed ? summary_unpack(row->packed, row->n_packed, &s, err)
			   : summary_decode(row->json, row->n, &s, err))
		return err_in(err, "stored result '%s'", row->id);
	if (strcmp(s.id ? s.id : "", row->id)) { /* two rows that are each sound, exchanged */
		summary_release(&s);
		return say_damaged(row->id, err);
	}
	*out = s;
	return 0;
}

int row_parts_make(const struct summary *s, struct row_parts *out, struct err *err)
{
	struct err fault = ERR_INIT;

	if (summary_pack(s, &out->packed, err))
		return -1;
	/* What cannot be judged is kept all the same; a history says why, when it is asked. */
	if (points_pack(s, &out->points, &fault)) {
		if (fault.code == ERR_NOMEM)
			return err_nomem(err);
		buf_reset(&out->points);
	}
	return 0;
}

void row_parts_release(struct row_parts *parts)
{
	buf_release(&parts->points);
	buf_release(&parts->packed);
}
