/* Columns, as PostgreSQL sends them: numbers in the order of the network. */
#ifdef PAWL_LIBPQ

#include <math.h>
#include <string.h>

#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

/* Of pg_type; they never change. */
enum { TYPE_BYTEA = 17, TYPE_BIGINT = 20, TYPE_TEXT = 25, TYPE_DOUBLE = 701 };

Oid postgres_type_of(char letter)
{
	return letter == 't'   ? TYPE_TEXT
	       : letter == 'i' ? TYPE_BIGINT
	       : letter == 'd' ? TYPE_DOUBLE
			       : TYPE_BYTEA;
}

char postgres_letter_of(Oid type)
{
	return type == TYPE_TEXT     ? 't'
	       : type == TYPE_BIGINT ? 'i'
	       : type == TYPE_DOUBLE ? 'd'
				     : 'b';
}

uint64_t postgres_take_number(const char *bytes, int n)
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

	return pq.getvalue(p->result, p->row, p->first_column + column);
}

const void *postgres_bytes(struct db_query *q, int column, size_t *out_n)
{
	const struct query *p = (const struct query *)q;

	*out_n = (size_t)pq.getlength(p->result, p->row, p->first_column + column);
	return pq.getvalue(p->result, p->row, p->first_column + column);
}

bool postgres_is_null(struct db_query *q, int column)
{
	const struct query *p = (const struct query *)q;

	return pq.getisnull(p->result, p->row, p->first_column + column) != 0;
}

int64_t postgres_integer(struct db_query *q, int column)
{
	const struct query *p = (const struct query *)q;

	return (int64_t)postgres_take_number(
		pq.getvalue(p->result, p->row, p->first_column + column),
		pq.getlength(p->result, p->row, p->first_column + column));
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
