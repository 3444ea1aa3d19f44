#include <stdio.h>
#include <stdlib.h>

#include "machine.h"

/* sum = (sum * 3 + i) % 2^20, i times */
static struct code program[] = {
	{ OP_PUSH, 0 },	     { OP_SAVE, 1 }, { OP_LOAD, 0 },	   { OP_PUSH, 3 }, { OP_MUL, 0 },
	{ OP_LOAD, 1 },	     { OP_ADD, 0 },  { OP_PUSH, 1 << 20 }, { OP_MOD, 0 },  { OP_SAVE, 0 },
	{ OP_LOAD, 1 },	     { OP_PUSH, 1 }, { OP_ADD, 0 },	   { OP_SAVE, 1 }, { OP_LOAD, 1 },
	{ OP_PUSH, 100000 }, { OP_LESS, 0 }, { OP_JUMP_IF, 2 },	   { OP_END, 0 },
};

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 8, i;
	long result = 0;

	for (i = 0; i < rounds; i++)
		result += step_run(program);
	printf("%ld\n", result);
	return 0;
}
