/* SPDX-License-Identifier: MIT */
#include "harness/session/twice.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a; what it is good for here is only speed. */
static uint64_t hash_of(const char *name)
{
	uint64_t hash = 14695981039346656037u;
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211u;
	return hash ^ hash >> 32;
}

/* Puts the name where it belongs.  Returns whether it was there already. */
static bool put(const char **table, size_t mask, const char *name)
{
	size_t at = (size_t)hash_of(name) & mask;
	for (; table[at]; at = (at + 1) & mask)
		if (strcmp(table[at], name) == 0)
			return true;
	table[at] = name;
	return false;
}

bool pawl_twice_find(const struct pawl_bench *list, size_t count, const char **out)
{
	const char **table;
	size_t size = 4;
	*out = NULL;
	while (size / 2 < count)
		size *= 2;
	table = calloc(size, sizeof(*table));
	if (!table)
		return false;
	for (size_t i = 0; i < count && !*out; i++)
		if (put(table, size - 1, list[i].name))
			*out = list[i].name;
	free(table);
	return true;
}
