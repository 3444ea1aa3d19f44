#include "machine.h"

static long stack[64];
static unsigned depth;

void stack_push(long value)
{
	stack[depth++ & 63] = value;
}

long stack_pop(void)
{
	return stack[--depth & 63];
}
