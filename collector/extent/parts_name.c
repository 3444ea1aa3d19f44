/*
 * parts_name - what a place that the linker fills in leads to, in words without addresses.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/extent/parts_local.h"
#include "collector/extent/relocation.h"

#include "lib/base/banned.h"

typedef ElfW(Shdr) section;
typedef ElfW(Rela) relocation;

struct place *parts_place(const struct parts_work *w)
{
	return &w->in->v[w->part->input].places[w->part->section];
}

void parts_odd(const struct parts_work *w, const char *why)
{
	if (!w->part->odd)
		w->part->odd = why;
}

/* ---- what a place leads to ------------------------------------------------------------------ */

static int note_entry(struct parts_work *w, const struct part *to, struct err *err)
{
	size_t *grown, n = w->n_entries;

	if (n && w->all->v + w->entries[n - 2] == w->part && w->all->v + w->entries[n - 1] == to)
		return 0;
	if (!(n & (n - 1))) { /* full: sizes are powers of two, and two */
		grown = realloc(w->entries, (2 * n + 2) * sizeof(*grown));
		if (!grown)
			return err_nomem(err);
		w->entries = grown;
	}
	w->entries[w->n_entries++] = (size_t)(w->part - w->all->v);
	w->entries[w->n_entries++] = (size_t)(to - w->all->v);
	return 0;
}

static bool does_need(const struct part *from, size_t to)
{
	size_t i;

	for (i = 0; i < from->n_needs; i++)
		if (from->needs[i] == to)
			return true;
	return false;
}

/* A table of jumps is of the function that names it; where it leads into another one, that runs. */
int parts_need_entries(struct parts_work *w, struct err *err)
{
	size_t i;

	for (i = 0; i < w->n_entries; i += 2) {
		struct part *data = &w->all->v[w->entries[i]];
		struct part *to = &w->all->v[w->entries[i + 1]];

		if (!does_need(to, w->entries[i]) && parts_need(w->all, data, to, err))
			return -1;
	}
	return 0;
}

int parts_name_code(struct parts_work *w, size_t input, size_t in, uint64_t at, struct err *err)
{
	struct part *to = parts_at(w->in, w->all, input, in, at);

	if (!to) {
		parts_odd(w, "it leads to code of no function");
		return 0;
	}
	buf_addf(&w->text, "code %s+%llu", to->key, (unsigned long long)(at - to->at));
	if (at == to->at || to == w->part)
		return 0;
	/* Jumped into: it runs and its entry is not passed. */
	return w->part->kind == PART_DATA ? note_entry(w, to, err)
					  : parts_need(w->all, w->part, to, err);
}

/* Code names a place of data by a distance: a table of distances may begin there. */
static int note_start(struct place *p, uint64_t at, struct err *err)
{
	uint64_t *grown;

	if (!(p->n_starts & (p->n_starts - 1))) { /* full: sizes are powers of two */
		grown = realloc(p->starts, (p->n_starts ? 2 * p->n_starts : 1) * sizeof(*grown));
		if (!grown)
			return err_nomem(err);
		p->starts = grown;
	}
	p->starts[p->n_starts++] = at;
	return 0;
}

static int name_data(struct parts_work *w, const struct target *t, uint64_t at, bool near,
		     struct err *err)
{
	struct part *to = parts_at(w->in, w->all, t->input, t->section, t->at);

	if (!to) {
		parts_odd(w, "it leads to data of no object");
		return 0;
	}
	buf_addf(&w->text, "data %s+%lld", to->key, (long long)at);
	if (near && w->part->kind != PART_DATA &&
	    note_start(&w->in->v[t->input].places[t->section], at, err))
		return -1;
	return to == w->part ? 0 : parts_need(w->all, w->part, to, err);
}

/*
 * The text, or the constant, that a place of a merged section is in.  Of sections that are aligned
 * otherwise the linker makes no one: the same text has two addresses then.
 */
static void name_merged(struct parts_work *w, const struct target *t, uint64_t at)
{
	const struct object *o = &w->in->v[t->input].object;
	section s = object_section(o, t->section);
	const char *bytes = (const char *)object_bytes(o, &s);
	uint64_t in = t->is_section ? at : t->at, from = 0, end = s.sh_size;

	if (!bytes || in >= s.sh_size || !s.sh_entsize ||
	    w->in->v[t->input].places[t->section].n_relocations) {
		parts_odd(w, "it leads beside a constant");
		return;
	}
	if (!(s.sh_flags & SHF_STRINGS)) {
		from = in - in % s.sh_entsize;
		end = from + s.sh_entsize < end ? from + s.sh_entsize : end;
	} else if (s.sh_entsize == 1) {
		for (from = in; from && bytes[from - 1];)
			from--;
		end = in + strnlen(bytes + in, s.sh_size - in);
	} /* of wide characters: the whole section */
	buf_addf(&w->text, "merged %llu/%llu/%llu %lld:", (unsigned long long)s.sh_flags,
		 (unsigned long long)s.sh_entsize, (unsigned long long)s.sh_addralign,
		 (long long)(at - from));
	buf_add(&w->text, bytes + from, end - from);
}

/*
 * An entry of a table of distances leads to where the distance from the table's begin does; the
 * table begins where code names it last before the entry.
 */
static int name_entry(struct parts_work *w, const relocation *r, const struct target *t,
		      struct err *err)
{
	const struct place *p = parts_place(w);
	uint64_t start = UINT64_MAX;
	size_t i;

	for (i = 0; i < p->n_starts; i++)
		if (p->starts[i] <= r->r_offset && (start == UINT64_MAX || p->starts[i] > start))
			start = p->starts[i];
	if (start == UINT64_MAX) {
		parts_odd(w, "it has distances from an unknown place");
		return 0;
	}
	return parts_name_code(w, t->input, t->section,
			       t->at + (uint64_t)r->r_addend - (r->r_offset - start), err);
}

static int name_place(struct parts_work *w, const relocation *r, const struct target *t, bool near,
		      uint64_t to_end, struct err *err)
{
	const struct object *o = &w->in->v[t->input].object;
	uint64_t at = t->at + (uint64_t)r->r_addend + (near ? to_end : 0);
	bool is_data = w->part->kind == PART_DATA;

	if (object_section(o, t->section).sh_flags & SHF_MERGE) {
		if (is_data && near)
			parts_odd(w, "it has distances to constants");
		name_merged(w, t, at);
		return 0;
	}
	if (!parts_is_code(w->in, t->input, t->section))
		return name_data(w, t, at, near, err);
	return is_data && near ? name_entry(w, r, t, err)
			       : parts_name_code(w, t->input, t->section, at, err);
}

/* to_end: how far behind the place the instruction ends. */
int parts_name_target(struct parts_work *w, const relocation *r, uint64_t to_end, struct err *err)
{
	uint32_t type = (uint32_t)ELF64_R_TYPE(r->r_info);
	struct target t = inputs_resolve(w->in, w->part->input, ELF64_R_SYM(r->r_info));
	size_t width;
	bool near;

	if (!relocation_kind(type, &width, &near)) {
		parts_odd(w, "it has a relocation of a kind that is not known");
		return 0;
	}
	buf_addf(&w->text, "\n%llu %u ", (unsigned long long)(r->r_offset - w->part->at), type);
	switch (t.kind) {
	case TARGET_PLACE:
		return name_place(w, r, &t, near, to_end, err);
	case TARGET_OUTSIDE:
		buf_addf(&w->text, "outside %s/%llu/%llu%+lld", t.name, (unsigned long long)t.size,
			 (unsigned long long)t.alignment, (long long)r->r_addend);
		return 0;
	case TARGET_NUMBER:
		buf_addf(&w->text, "number %llu", (unsigned long long)t.at);
		buf_addf(&w->text, "%+lld", (long long)r->r_addend);
		if (near)
			parts_odd(w, "it has a distance to a constant");
		return 0;
	case TARGET_UNKNOWN:
	default:
		parts_odd(w, t.why);
		return 0;
	}
}
