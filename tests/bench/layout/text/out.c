#include "text.h"

static void out_flush(struct out *o)
{
	size_t i;

	for (i = 0; i < o->n; i++)
		o->sum = o->sum * 31 + o->bytes[i];
	o->n = 0;
}

void out_byte(struct out *o, unsigned char c)
{
	if (o->n == sizeof(o->bytes))
		out_flush(o);
	o->bytes[o->n++] = c;
}

void out_number(struct out *o, unsigned n)
{
	if (n > 9)
		out_number(o, n / 10);
	out_byte(o, (unsigned char)('0' + n % 10));
}
