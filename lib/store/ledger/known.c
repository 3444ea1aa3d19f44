#include "lib/store/ledger/known.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
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

/* A project has one place, which the last one that belongs there keeps. */
#define N_PROJECTS 1024u

struct ids {
	struct {
		char *name; /* NULL: nothing is here */
		int64_t id;
	} slots[N_PROJECTS];
};

void ids_free(struct ids *ids)
{
	size_t i;

	for (i = 0; ids && i < N_PROJECTS; i++)
		free(ids->slots[i].name);
	free(ids);
}

static size_t place_of_project(const char *project)
{
	return crc64(0, project, strlen(project)) % N_PROJECTS;
}

int64_t ids_find(const struct ledger *l, const char *project)
{
	size_t at = place_of_project(project);

	if (!l->ids || !l->ids->slots[at].name || strcmp(l->ids->slots[at].name, project))
		return 0;
	return l->ids->slots[at].id;
}

void ids_keep(struct ledger *l, const char *project, int64_t id)
{
	size_t at = place_of_project(project);

	if (ids_find(l, project) == id)
		return;
	if (!l->ids)
		l->ids = calloc(1, sizeof(*l->ids));
	if (!l->ids)
		return;
	l->ids->slots[at].id = id;
	if (str_set(&l->ids->slots[at].name, project, NULL))
		l->ids->slots[at].id = 0;
}
