/* machine - an interpreter in several files: a loop, a stack, arithmetic, a store. */
enum op { OP_PUSH, OP_ADD, OP_MUL, OP_LOAD, OP_SAVE, OP_LESS, OP_JUMP_IF, OP_DROP, OP_MOD, OP_END };

struct code {
	enum op op;
	long value;
};

void stack_push(long value);
long stack_pop(void);
long number_add(long a, long b);
long number_mul(long a, long b);
long number_mod(long a, long b);
int number_less(long a, long b);
long store_load(long at);
void store_save(long at, long value);
long step_run(const struct code *code);
