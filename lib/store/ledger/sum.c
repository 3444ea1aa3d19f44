#include "lib/store/ledger/sum.h"

#include <math.h>
#include <string.h>

#include "lib/base/crc.h"

#include "lib/base/banned.h"

/* As SQLite keeps it: nothing but finite numbers, and one zero. */
static uint64_t bits_of(double value)
{
	uint64_t bits = 0;

	if (!isfinite(value))
		return UINT64_MAX;
	if (value != 0)
		memcpy(&bits, &value, sizeof(bits));
	return bits;
}

int64_t point_sum(const struct ledger_point *p)
{
	const uint64_t words[] = {
		(uint64_t)p->project,  (uint64_t)p->series,    (uint64_t)p->t,
		(uint64_t)p->run,      (uint64_t)p->n,	       (uint64_t)p->flags,
		(uint64_t)p->verdict,  (uint64_t)p->base,      bits_of(p->v),
		bits_of(p->low),       bits_of(p->high),       bits_of(p->ratio),
		bits_of(p->ratio_low), bits_of(p->ratio_high),
	};
	unsigned char bytes[sizeof(words)];
	size_t i;

	/* The same on every machine. */
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(words[i / 8] >> 8 * (i % 8));
	return (int64_t)(crc64(0, bytes, sizeof(bytes)) & UINT32_MAX);
}

int point_read(struct sqlite3_stmt *st, int first, int64_t project, struct ledger_point *out,
	       struct err *err)
{
	*out = (struct ledger_point){
		.project = project,
		.series = db_integer(st, first),
		.t = db_integer(st, first + 1),
		.run = db_integer(st, first + 2),
		.n = db_integer(st, first + 3),
		.v = db_double(st, first + 4),
		.low = db_double(st, first + 5),
		.high = db_double(st, first + 6),
		.flags = db_integer(st, first + 7),
		.verdict = db_integer(st, first + 8),
		.ratio = db_double(st, first + 9),
		.ratio_low = db_double(st, first + 10),
		.ratio_high = db_double(st, first + 11),
		.base = db_integer(st, first + 12),
	};
	if (db_is_null(st, first + 13) || db_integer(st, first + 13) == point_sum(out))
		return 0;
	err_set(err, ERR_CORRUPT, "a point of run %lld is damaged: its checksum does not fit",
		(long long)out->run);
	return err_hint(err, "pawld fsck --store STORE");
}
