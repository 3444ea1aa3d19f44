/* Columns, as PostgreSQL sends them: numbers in the order of the network. */
#ifdef PAWL_LIBPQ

#include <math.h>
#include <string.h>

#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

static uint64_t take_number(const char *bytes, int n)
{
	uint64_t bits = n && (bytes[0] & 128) ? UINT64_MAX : 0;
	int i;

	for (i = 0; i < n; i++)
		bits = bits << 8 | (unsigned char)bytes[i];
	return bits;
}

const char *postgres_text(struct db_query *q, int column)
{
	const struct query *p = (const struct query *)q;

	return pq.getvalue(p->result, p->row, column);
}

const void *postgres_bytes(struct db_query *q, int column, size_t *out_n)
{
	const struct query *p = (const struct query *)q;

	*out_n = (size_t)pq.getlength(p->result, p->row, column);
	return pq.getvalue(p->result, p->row, column);
}

bool postgres_is_null(struct db_query *q, int column)
{
	const struct query *p = (const struct query *)q;

	return pq.getisnull(p->result, p->row, column) != 0;
}

int64_t postgres_integer(struct db_query *q, int column)
{
	const struct query *p = (const struct query *)q;

	return (int64_t)take_number(pq.getvalue(p->result, p->row, column),
				    pq.getlength(p->result, p->row, column));
}

double postgres_real(struct db_query *q, int column)
{
	uint64_t bits = (uint64_t)postgres_integer(q, column);
	double number;

	memcpy(&number, &bits, sizeof(number));
	return postgres_is_null(q, column) ? (double)NAN : number;
}

#else
typedef int libpq_is_absent;
#endif
