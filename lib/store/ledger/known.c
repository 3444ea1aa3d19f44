#include "lib/store/ledger/known.h"

#include <stdlib.h>
#include <string.h>

#include "lib/digest/crc.h"

#include "lib/base/banned.h"

/* Each series has one place, which the last one that belongs there keeps: nobody can choose names
 * that make it slow for others. */
#define N_SLOTS 32768u

struct known {
	struct buf key; /* while it is made */
	struct series_known slots[N_SLOTS];
};

void known_free(struct known *known)
{
	size_t i;

	if (!known)
		return;
	for (i = 0; i < N_SLOTS; i++)
		free(known->slots[i].key);
	buf_release(&known->key);
	free(known);
}

void known_forget(struct ledger *l)
{
	known_free(l->known);
	l->known = NULL;
}

static void write_key(const struct series_key *key, struct buf *out)
{
	buf_reset(out);
	buf_add(out, &key->project, sizeof(key->project));
	buf_add(out, &key->env, sizeof(key->env));
	buf_add(out, &key->changed, sizeof(key->changed));
	buf_addc(out, (char)(key->apart | key->higher << 1));
	buf_add(out, key->benchmark, strlen(key->benchmark) + 1);
	buf_add(out, key->metric, strlen(key->metric) + 1);
	buf_adds(out, key->unit);
}

struct series_known *known_find(struct ledger *l, const struct series_key *key, bool *out_there)
{
	struct series_known *slot;
	struct buf *made;

	*out_there = false;
	if (!l->known)
		l->known = calloc(1, sizeof(*l->known));
	if (!l->known)
		return NULL;
	made = &l->known->key;
	write_key(key, made);
	if (made->failed)
		return NULL;
	slot = &l->known->slots[crc64(0, made->data, made->len) % N_SLOTS];
	*out_there = slot->key && slot->n == made->len && !memcmp(slot->key, made->data, made->len);
	return slot;
}

void known_keep(struct series_known *slot, const struct series_key *key, int64_t id, bool gate)
{
	struct buf made = BUF_INIT;

	write_key(key, &made);
	free(slot->key);
	slot->n = made.len;
	slot->id = id;
	slot->gate = gate;
	slot->key = made.failed ? NULL : buf_detach(&made);
	buf_release(&made);
}
