#include "machine.h"

long step_run(const struct code *code)
{
	const struct code *at = code;
	long a;

	for (;; at++) {
		switch (at->op) {
		case OP_PUSH:
			stack_push(at->value);
			break;
		case OP_ADD:
			stack_push(number_add(stack_pop(), stack_pop()));
			break;
		case OP_MUL:
			stack_push(number_mul(stack_pop(), stack_pop()));
			break;
		case OP_MOD:
			a = stack_pop();
			stack_push(number_mod(stack_pop(), a));
			break;
		case OP_LOAD:
			stack_push(store_load(at->value));
			break;
		case OP_SAVE:
			store_save(at->value, stack_pop());
			break;
		case OP_LESS:
			a = stack_pop();
			stack_push(number_less(stack_pop(), a));
			break;
		case OP_JUMP_IF:
			if (stack_pop())
				at = code + at->value - 1;
			break;
		case OP_DROP:
			stack_pop();
			break;
		case OP_END:
			return store_load(0);
		}
	}
}
