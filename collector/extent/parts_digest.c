/*
 * parts_digest - the digest of each part, and what it needs.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/extent/parts_local.h"
#include "collector/extent/relocation.h"
#include "collector/extent/x86.h"

#include "lib/base/banned.h"

typedef ElfW(Shdr) section;
typedef ElfW(Rela) relocation;

/* ---- bytes ---------------------------------------------------------------------------------- */

/* Those of one instruction, or of a whole part; what is filled in becomes zeros. */
static int name_targets(struct parts_work *w, unsigned char *copy, uint64_t from, uint64_t end,
			struct err *err)
{
	const struct place *p = parts_place(w);
	uint64_t part_end = w->part->at + w->part->size;
	size_t i, width;
	bool near;

	for (i = place_first(p, from); i < p->n_relocations && p->relocations[i].r_offset < end;
	     i++) {
		const relocation *r = &p->relocations[i];
		/* where instructions are not read, none has anything behind it */
		uint64_t to_end = w->part->kind == PART_FUNCTION ? end - r->r_offset : 4;

		if (relocation_kind((uint32_t)ELF64_R_TYPE(r->r_info), &width, &near)) {
			if (width > part_end - r->r_offset || !copy) {
				parts_odd(w, "a relocation lies outside of it");
				return 0;
			}
			memset(copy + (r->r_offset - w->part->at), 0, width);
		}
		if (parts_name_target(w, r, to_end, err))
			return -1;
	}
	return 0;
}

/* A distance in the section itself that no relocation is for. */
static int name_distance(struct parts_work *w, unsigned char *field, size_t n, uint64_t end,
			 struct err *err)
{
	const struct part *p = w->part;
	int32_t four = 0;
	uint64_t at;

	if (n == 1)
		four = (signed char)*field;
	else
		memcpy(&four, field, sizeof(four));
	at = end + (uint64_t)(int64_t)four;
	if (at >= p->at && at - p->at < p->size)
		return 0;
	memset(field, 0, n);
	buf_addf(&w->text, "\n%llu to ", (unsigned long long)(end - p->at));
	return parts_name_code(w, p->input, p->section, at, err);
}

/* Whether a relocation is for that place. */
static bool is_filled(const struct place *p, uint64_t at)
{
	size_t i = place_first(p, at);

	return i < p->n_relocations && p->relocations[i].r_offset == at;
}

/* Whether nothing behind the instruction runs next: a jump, a return, a trap, a call of no return.
 */
static bool ends_here(const unsigned char *at, size_t n)
{
	unsigned char op, more;
	size_t i = 0;

	while (i < n && (at[i] == 0x66 || at[i] == 0xf2 || at[i] == 0xf3 || at[i] == 0x2e ||
			 at[i] == 0x3e || (at[i] & 0xf0) == 0x40))
		i++;
	op = i < n ? at[i] : 0;
	more = i + 1 < n ? at[i + 1] : 0;
	switch (op) {
	case 0xc2: /* ret */
	case 0xc3:
	case 0xe8: /* call */
	case 0xe9: /* jmp */
	case 0xeb:
	case 0xf4: /* hlt */
	case 0xcc: /* int3 */
		return true;
	case 0x0f: /* ud2, ud1 */
		return more == 0x0b || more == 0xb9;
	case 0xff: /* call, jmp through a register or memory */
		return ((more >> 3) & 7) == 2 || ((more >> 3) & 7) == 4;
	default:
		return false;
	}
}

static int read_function(struct parts_work *w, const unsigned char *bytes, unsigned char *copy,
			 struct err *err)
{
	const struct part *p = w->part;
	const struct place *place = parts_place(w);
	struct x86 one = { .length = 0 };
	uint64_t at, last = 0;

	for (at = 0; at < p->size; at += one.length) {
		uint64_t end;
		bool shift, value;

		if (!x86_read(bytes + at, p->size - at, &one)) {
			parts_odd(w, "its instructions cannot be read");
			return 0;
		}
		last = one.is_nothing ? last : at;
		end = p->at + at + one.length;
		shift = is_filled(place, p->at + at + one.shift_at);
		value = is_filled(place, p->at + at + one.value_at);
		if ((shift || value) && name_targets(w, copy, p->at + at, end, err))
			return -1;
		if (one.is_jump && !value &&
		    name_distance(w, copy + at + one.value_at, one.value_n, end, err))
			return -1;
		if (one.is_near && !shift &&
		    name_distance(w, copy + at + one.shift_at, one.shift_n, end, err))
			return -1;
	}
	if (p->size && !ends_here(bytes + last, p->size - last))
		parts_odd(w, "it ends in no jump and no return");
	return 0;
}

static int read_part(struct parts_work *w, const section *s, struct err *err)
{
	const struct part *p = w->part;
	const unsigned char *bytes = object_bytes(&w->in->v[p->input].object, s);
	unsigned char *copy = NULL;
	int result = -1;

	buf_addf(&w->text, "%d %u/%llu %llu %llu", (int)p->kind, s->sh_type,
		 (unsigned long long)(s->sh_flags & ~(uint64_t)SHF_GROUP),
		 (unsigned long long)p->size, (unsigned long long)s->sh_addralign);
	if (!bytes && s->sh_type != SHT_NOBITS)
		parts_odd(w, "it lies outside of its file");
	if (bytes) {
		copy = malloc(p->size + 1);
		if (!copy)
			return err_nomem(err);
		memcpy(copy, bytes + p->at, p->size);
	}
	result = p->kind == PART_FUNCTION && bytes
			 ? read_function(w, bytes + p->at, copy, err)
			 : name_targets(w, copy, p->at, p->at + p->size, err);
	if (!result && copy) {
		buf_addc(&w->text, '\n');
		buf_add(&w->text, copy, p->size);
	}
	free(copy);
	return result;
}

static int digest_one(struct parts_work *w, struct part *p, struct err *err)
{
	section s = object_section(&w->in->v[p->input].object, p->section);

	w->part = p;
	buf_reset(&w->text);
	if (read_part(w, &s, err) || buf_check(&w->text, err))
		return -1;
	return digest_of(buf_str(&w->text), w->text.len, p->digest, err);
}

int parts_digest(struct inputs *in, struct parts *p, struct err *err)
{
	struct parts_work w = { in, p, NULL, BUF_INIT, NULL, 0 };
	int result = 0, data;
	size_t i;

	for (data = 0; data < 2; data++) /* code first: it says where tables begin */
		for (i = 0; !result && i < p->n; i++)
			if ((p->v[i].kind == PART_DATA) == (data == 1))
				result = digest_one(&w, &p->v[i], err);
	if (!result)
		result = parts_need_entries(&w, err);
	buf_release(&w.text);
	free(w.entries);
	return result;
}
