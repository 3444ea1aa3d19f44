/*
 * parts_cut - which bytes of an object are one part.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/extent/parts_local.h"
#include "collector/extent/x86.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

typedef ElfW(Shdr) section;
typedef ElfW(Sym) symbol;

/* ---- functions ------------------------------------------------------------------------------ */

/* A function's bytes in its section. */
struct stretch {
	uint64_t at, end;
	const char *name;
	bool is_local;
};

static int by_place(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->is_local != y->is_local ? (int)x->is_local - (int)y->is_local
					  : strcmp(x->name, y->name);
}

/* The functions of a section, each stretch once, under a global name where it has one. */
static struct stretch *stretches(const struct object *o, size_t in, size_t *out_n, struct err *err)
{
	struct stretch *list = calloc(o->n_symbols + 1, sizeof(*list));
	size_t i, n = 0, kept = 0;

	if (!list) {
		err_nomem(err);
		return NULL;
	}
	for (i = 1; i < o->n_symbols; i++) {
		symbol s = object_symbol(o, i);

		if (s.st_shndx == in && ELF64_ST_TYPE(s.st_info) == STT_FUNC)
			list[n++] = (struct stretch){ s.st_value, s.st_value + s.st_size,
						      object_symbol_name(o, &s),
						      ELF64_ST_BIND(s.st_info) == STB_LOCAL };
	}
	qsort(list, n, sizeof(*list), by_place);
	for (i = 0; i < n; i++)
		if (!kept || list[i].at != list[kept - 1].at || list[i].end != list[kept - 1].end)
			list[kept++] = list[i];
	*out_n = kept;
	return list;
}

static bool is_filling(const unsigned char *bytes, uint64_t n)
{
	struct x86 one;

	for (; n; bytes += one.length, n -= one.length)
		if (!x86_read(bytes, n, &one) || !one.is_nothing)
			return false;
	return true;
}

/* Whether every byte is of one function, or filling. */
static bool covers(const struct stretch *list, size_t n, const unsigned char *bytes, uint64_t size)
{
	uint64_t at = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (list[i].at < at || list[i].end <= list[i].at || list[i].end > size ||
		    !*list[i].name || !is_filling(bytes + at, list[i].at - at))
			return false;
		at = list[i].end;
	}
	return n && is_filling(bytes + at, size - at);
}

/* Of stretches that cover a section: in order, none over another. */
static bool is_inside(const struct stretch *list, size_t n, uint64_t at)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].end <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && at >= list[low].at;
}

/* Whether a field of an instruction is left to the linker; a relocation elsewhere in it is odd. */
static bool fits(const struct place *p, size_t *next, uint64_t at, const struct x86 *one,
		 bool *out_shift, bool *out_value)
{
	*out_shift = *out_value = false;
	for (; *next < p->n_relocations && p->relocations[*next].r_offset < at + one->length;
	     ++*next) {
		uint64_t offset = p->relocations[*next].r_offset;

		if (one->shift_n && offset == at + one->shift_at)
			*out_shift = true;
		else if (one->value_n && offset == at + one->value_at)
			*out_value = true;
		else
			return false;
	}
	return true;
}

static int64_t distance(const unsigned char *bytes, size_t n)
{
	int32_t four;

	if (n == 1)
		return (signed char)*bytes;
	memcpy(&four, bytes, sizeof(four));
	return four;
}

/* Whether a function can be read to its end, and all that it names by a distance is a function. */
static bool can_be_read(const struct place *p, const struct stretch *list, size_t n, size_t which,
			const unsigned char *bytes)
{
	const struct stretch *s = &list[which];
	bool shift, value;
	struct x86 one;
	uint64_t at;
	size_t next = place_first(p, s->at);

	for (at = s->at; at < s->end; at += one.length) {
		uint64_t end;

		if (!x86_read(bytes + at, s->end - at, &one) ||
		    !fits(p, &next, at, &one, &shift, &value))
			return false;
		end = at + one.length;
		if (one.is_jump && !value &&
		    !is_inside(list, n,
			       end + (uint64_t)distance(bytes + at + one.value_at, one.value_n)))
			return false;
		if (one.is_near && !shift &&
		    !is_inside(list, n,
			       end + (uint64_t)distance(bytes + at + one.shift_at, one.shift_n)))
			return false;
	}
	return true;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static struct part *append(struct parts *p, struct err *err)
{
	struct part *grown;

	if (!(p->n & (p->n - 1))) { /* full: sizes are powers of two */
		grown = realloc(p->v, (p->n ? 2 * p->n : 1) * sizeof(*grown));
		if (!grown) {
			err_nomem(err);
			return NULL;
		}
		p->v = grown;
	}
	memset(&p->v[p->n], 0, sizeof(*p->v));
	return &p->v[p->n++];
}

static int set_names(struct part *p, const char *object, const char *name, bool is_local,
		     bool is_function, struct err *err)
{
	struct buf key = BUF_INIT, text = BUF_INIT;

	buf_addf(&key, "%s%s%s", is_local ? object : "", is_local ? ":" : "", name);
	buf_addf(&text, is_function ? "%s" : "%s of %s", name, object);
	p->key = buf_check(&key, err) ? NULL : buf_detach(&key);
	p->name = buf_check(&text, err) ? NULL : buf_detach(&text);
	buf_release(&key);
	buf_release(&text);
	return p->key && p->name ? 0 : -1;
}

/* Sections that nothing reads but what names them. */
static bool is_usual(const char *output)
{
	static const char *const names[] = { ".text",	     ".rodata",	 ".data",  ".bss",
					     ".data.rel.ro", ".lrodata", ".ldata", ".lbss" };

	return STR_IS_ONE_OF(output, names);
}

static int add_whole(const struct inputs *in, size_t input, size_t at, struct parts *out,
		     struct err *err)
{
	const struct input *i = &in->v[input];
	const struct place *place = &i->places[at];
	section s = object_section(&i->object, at);
	struct part *p = append(out, err);

	if (!p)
		return -1;
	p->kind = s.sh_flags & SHF_EXECINSTR ? PART_CODE : PART_DATA;
	p->always = p->kind == PART_CODE || !is_usual(place->output);
	p->input = input;
	p->section = at;
	p->size = s.sh_size;
	p->address = place->address;
	return set_names(p, i->key, object_section_name(&i->object, at), true, false, err);
}

static int add_functions(const struct inputs *in, size_t input, size_t at,
			 const struct stretch *list, size_t n, struct parts *out, struct err *err)
{
	const struct input *i = &in->v[input];
	size_t k;

	for (k = 0; k < n; k++) {
		struct part *p = append(out, err);

		if (!p)
			return -1;
		p->kind = PART_FUNCTION;
		p->input = input;
		p->section = at;
		p->at = list[k].at;
		p->size = list[k].end - list[k].at;
		p->address = i->places[at].address + p->at;
		if (set_names(p, i->key, list[k].name, list[k].is_local, true, err))
			return -1;
	}
	return 0;
}

/* Whether the program has a function there: what the map says is so. */
static bool is_confirmed(const struct inputs *in, uint64_t base, const struct stretch *list,
			 size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!program_function_at(&in->program, base + list[i].at))
			return false;
	return true;
}

static int cut_code(const struct inputs *in, size_t input, size_t at, struct parts *out,
		    struct err *err)
{
	const struct input *i = &in->v[input];
	const struct place *place = &i->places[at];
	section s = object_section(&i->object, at);
	const unsigned char *bytes = object_bytes(&i->object, &s);
	struct stretch *list;
	bool good;
	size_t n, k;
	int result;

	list = stretches(&i->object, at, &n, err);
	if (!list)
		return -1;
	good = bytes && covers(list, n, bytes, s.sh_size) &&
	       is_confirmed(in, place->address, list, n);
	for (k = 0; good && k < n; k++)
		good = can_be_read(place, list, n, k, bytes);
	result = good ? add_functions(in, input, at, list, n, out, err)
		      : add_whole(in, input, at, out, err);
	free(list);
	return result;
}

int parts_cut(struct inputs *in, struct parts *out, struct err *err)
{
	size_t i;

	for (i = 0; i < in->n_order; i += 2) {
		size_t input = in->order[i], at = in->order[i + 1];
		struct place *place = &in->v[input].places[at];
		section s = object_section(&in->v[input].object, at);

		place->first = out->n;
		if (s.sh_flags & SHF_MERGE) /* it is in the digest of what names it */
			continue;
		if (!inputs_is_as_linked(in, input, at))
			return err_set(err, ERR_ABSENT, "'%s' is not the object that was linked",
				       in->v[input].key);
		if (s.sh_flags & SHF_EXECINSTR ? cut_code(in, input, at, out, err)
					       : add_whole(in, input, at, out, err))
			return -1;
		place->n = out->n - place->first;
	}
	return 0;
}

struct part *parts_at(const struct inputs *in, const struct parts *p, size_t input, size_t at,
		      uint64_t offset)
{
	const struct place *place = &in->v[input].places[at];
	size_t low = place->first, high = place->first + place->n;

	if (place->n && p->v[low].kind != PART_FUNCTION) /* the whole section */
		return &p->v[low];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->v[middle].at + p->v[middle].size <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < place->first + place->n && offset >= p->v[low].at ? &p->v[low] : NULL;
}

int parts_need(struct parts *p, struct part *from, const struct part *to, struct err *err)
{
	size_t at = (size_t)(to - p->v), i;
	size_t *grown;

	for (i = 0; i < from->n_needs; i++)
		if (from->needs[i] == at)
			return 0;
	if (!(from->n_needs & (from->n_needs - 1))) { /* full: sizes are powers of two */
		grown = realloc(from->needs,
				(from->n_needs ? 2 * from->n_needs : 1) * sizeof(*grown));
		if (!grown)
			return err_nomem(err);
		from->needs = grown;
	}
	from->needs[from->n_needs++] = at;
	return 0;
}

bool parts_is_code(const struct inputs *in, size_t input, size_t at)
{
	return object_section(&in->v[input].object, at).sh_flags & SHF_EXECINSTR;
}
