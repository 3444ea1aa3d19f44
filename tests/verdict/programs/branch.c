/*
 * branch - an interpreter of a small byte code: one switch, and jumps that depend on the data.
 *
 * A step is one instruction of the byte code.  An operation goes on where the last one stopped: one
 * that began anew each time would be learned by the branch predictor, more or less of it by luck,
 * and its time would not follow its steps.
 */
#include "include/pawl.h"

#include "extra.h"

enum { CODE = 256, CELLS = 256 };
enum { OP_ADD, OP_MIX, OP_LOAD, OP_STORE, OP_SKIP_ODD, OP_SKIP_HIGH, OP_SWAP, OP_COUNT, OP_N };

struct vm {
	unsigned char code[CODE];
	uint32_t cells[CELLS];
	uint32_t a, b, at;
};

static int set_up(void *ctx)
{
	struct vm *vm = ctx;
	uint32_t state = 7;

	for (int i = 0; i < CODE; i++) {
		state = state * 1664525u + 1013904223u;
		vm->code[i] = (unsigned char)((state >> 16) % OP_N);
	}
	for (int i = 0; i < CELLS; i++)
		vm->cells[i] = state = state * 1664525u + 1013904223u;
	return 0;
}

static void interpret(struct vm *vm, uint64_t steps)
{
	uint32_t a = vm->a, b = vm->b, at = vm->at;

	for (; steps; steps--) {
		switch (vm->code[at++ % CODE]) {
		case OP_ADD:
			a += b;
			break;
		case OP_MIX:
			a = a * 1664525u + 1013904223u;
			break;
		case OP_LOAD:
			b ^= vm->cells[(a >> 16) % CELLS];
			break;
		case OP_STORE:
			vm->cells[(b >> 16) % CELLS] = a;
			break;
		case OP_SKIP_ODD:
			if (a >> 20 & 1)
				at += 3;
			break;
		case OP_SKIP_HIGH:
			if (b > 0x90000000u)
				at += 5;
			break;
		case OP_SWAP:
			a ^= b, b ^= a, a ^= b;
			break;
		default:
			b += at;
			break;
		}
	}
	vm->a = a, vm->b = b, vm->at = at;
}

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)r;
	while (n--)
		interpret(ctx, pawl_hide((uint64_t)STEPS(20)));
}

int main(int argc, char **argv)
{
	static struct vm vm;
	const struct pawl_bench list[] = { PAWL_BENCH_FIXTURE("branch", set_up, run, NULL, &vm) };

	return pawl_main(argc, argv, list, 1);
}
