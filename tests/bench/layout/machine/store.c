#include "machine.h"

static long cells[256];

long store_load(long at)
{
	return cells[at & 255];
}

void store_save(long at, long value)
{
	cells[at & 255] = value;
}
