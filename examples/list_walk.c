/* SPDX-License-Identifier: MIT */
/*
 * list_walk - the sum of the same numbers from an array and from two linked lists.
 *
 * In the list `in-order` the nodes lie in memory as they are linked, in `shuffled` they do
 * not: the same instructions, another walk through the caches.
 */
#include <stdint.h>
#include <stdlib.h>

#include "include/pawl.h"

#define LENGTH 65536

struct node {
	struct node *next;
	uint64_t value;
};

struct walk {
	int shuffled;
	uint64_t *values;   /* for the array */
	struct node *nodes; /* for the lists */
	struct node *head;
};

static void free_walk(void *ctx)
{
	struct walk *w = ctx;
	free(w->values);
	free(w->nodes);
}

static int set_up_array(void *ctx)
{
	struct walk *w = ctx;
	w->values = malloc(LENGTH * sizeof(*w->values));
	if (!w->values)
		return 1;
	for (uint64_t i = 0; i < LENGTH; i++)
		w->values[i] = i;
	return 0;
}

/* The same order in every run: a shuffle by Fisher and Yates on a fixed generator. */
static void shuffle(uint32_t *order)
{
	uint32_t state = 1;
	for (uint32_t i = LENGTH - 1; i > 0; i--) {
		uint32_t other, kept = order[i];
		state = state * 1664525u + 1013904223u;
		other = (uint32_t)((uint64_t)state * (i + 1) >> 32);
		order[i] = order[other];
		order[other] = kept;
	}
}

static int set_up_list(void *ctx)
{
	struct walk *w = ctx;
	uint32_t *order = malloc(LENGTH * sizeof(*order));
	w->nodes = malloc(LENGTH * sizeof(*w->nodes));
	if (!order || !w->nodes) {
		free(order);
		free(w->nodes);
		return 1;
	}
	for (uint32_t i = 0; i < LENGTH; i++)
		order[i] = i;
	if (w->shuffled)
		shuffle(order);
	for (uint32_t i = 0; i < LENGTH; i++) {
		struct node *node = &w->nodes[order[i]];
		node->value = i;
		node->next = i + 1 < LENGTH ? &w->nodes[order[i + 1]] : NULL;
	}
	w->head = &w->nodes[order[0]];
	free(order);
	return 0;
}

static void walk_array(void *ctx, uint64_t n, struct pawl_run *r)
{
	struct walk *w = ctx;
	(void)r;
	while (n--) {
		const uint64_t *values = pawl_hide(w->values);
		uint64_t sum = 0;
		for (int i = 0; i < LENGTH; i++)
			sum += values[i];
		pawl_keep(sum);
	}
}

static void walk_list(void *ctx, uint64_t n, struct pawl_run *r)
{
	struct walk *w = ctx;
	(void)r;
	while (n--) {
		uint64_t sum = 0;
		for (const struct node *node = pawl_hide(w->head); node; node = node->next)
			sum += node->value;
		pawl_keep(sum);
	}
}

int main(int argc, char **argv)
{
	static struct walk array, list, shuffled = { .shuffled = 1 };
	const struct pawl_bench benches[] = {
		{ .name = "walk/array",
		  .setup = set_up_array,
		  .run = walk_array,
		  .teardown = free_walk,
		  .ctx = &array,
		  .items = LENGTH },
		{ .name = "walk/in-order",
		  .setup = set_up_list,
		  .run = walk_list,
		  .teardown = free_walk,
		  .ctx = &list,
		  .items = LENGTH },
		{ .name = "walk/shuffled",
		  .setup = set_up_list,
		  .run = walk_list,
		  .teardown = free_walk,
		  .ctx = &shuffled,
		  .items = LENGTH },
	};
	return pawl_main(argc, argv, benches, sizeof(benches) / sizeof(benches[0]));
}
