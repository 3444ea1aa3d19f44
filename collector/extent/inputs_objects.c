/*
 * inputs_objects - which objects are in the program, and which of their sections.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/extent/inputs.h"
#include "collector/extent/names.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

typedef ElfW(Shdr) section;

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct input *find(const struct inputs *in, const struct map_unit *u)
{
	size_t i;

	for (i = in->n; i-- > 0;) /* units of one object mostly follow each other */
		if (is_same(in->v[i].file, u->file) && is_same(in->v[i].member, u->member))
			return &in->v[i - in->v[i].twin];
	return NULL;
}

static int check_kind(const struct object *o, const char *file, struct err *err)
{
	size_t i;

	for (i = 0; i < o->head.e_shnum; i++)
		if (str_starts(object_section_name(o, i), ".gnu.lto_"))
			return err_set(err, ERR_ABSENT, "'%s' is optimised when it is linked",
				       file);
	return 0;
}

static struct input *append_input(struct inputs *in, struct err *err)
{
	struct input *grown;

	if (!(in->n & (in->n - 1))) { /* full: sizes are powers of two */
		grown = realloc(in->v, (in->n ? 2 * in->n : 1) * sizeof(*grown));
		if (!grown) {
			err_nomem(err);
			return NULL;
		}
		in->v = grown;
	}
	memset(&in->v[in->n], 0, sizeof(*in->v));
	return &in->v[in->n++];
}

/* "tree/lib.a:b.o", and of several members of that name "tree/lib.a:b.o 2". */
static char *key_of(const struct layouts *l, const struct map_unit *u, size_t twin, struct err *err)
{
	char *name = names_of_object(l->top, l->link.folder, u->file, u->member, err);
	struct buf key = BUF_INIT;

	if (!name || !twin)
		return name;
	buf_addf(&key, "%s %zu", name, twin + 1);
	free(name);
	name = buf_check(&key, err) ? NULL : buf_detach(&key);
	buf_release(&key);
	return name;
}

static int add_input(const struct layouts *l, const struct map_unit *u, const char *path,
		     size_t twin, struct inputs *in, struct err *err)
{
	struct input *new = append_input(in, err);

	if (!new)
		return -1;
	new->file = u->file;
	new->member = u->member;
	new->twin = twin;
	new->key = key_of(l, u, twin, err);
	if (!new->key || object_open(path, u->member, twin, &new->object, &new->n_twins, err) ||
	    check_kind(&new->object, u->file, err))
		return -1;
	new->places = calloc(new->object.head.e_shnum, sizeof(*new->places));
	return new->places ? 0 : err_nomem(err);
}

/* The object, or all members of that name. */
static int add_inputs(const struct layouts *l, const struct map_unit *u, struct inputs *in,
		      struct err *err)
{
	char *path =
		*u->file == '/' ? str_dup(u->file, err) : path_join(l->link.folder, u->file, err);
	size_t twin = 0;
	int result = path ? 0 : -1;

	while (!result && (!twin || twin < in->v[in->n - 1].n_twins))
		result = add_input(l, u, path, twin++, in, err);
	free(path);
	return result;
}

/* The section with bytes of that name; 0: none; *out_n how many. */
static size_t section_named(const struct object *o, const char *name, size_t *out_n)
{
	size_t i, found = 0;

	*out_n = 0;
	for (i = 1; i < o->head.e_shnum; i++) {
		section s = object_section(o, i);

		if (!s.sh_size || !(s.sh_flags & SHF_ALLOC) ||
		    strcmp(object_section_name(o, i), name) != 0)
			continue;
		found = found ? found : i;
		++*out_n;
	}
	return found;
}

/* What the linker makes itself, and names an object for that has no such section. */
static bool is_made(const char *name)
{
	static const char *const made[] = { ".plt",	     ".got",	     ".rela",
					    ".relr.",	     ".dyn",	     ".hash",
					    ".gnu.hash",     ".gnu.version", ".interp",
					    ".iplt",	     ".igot",	     ".note.",
					    ".eh_frame_hdr", "COMMON",	     ".data.rel.ro" };

	return STR_STARTS_ONE_OF(name, made);
}

/* Read by whoever unwinds the stack, of which nothing is said (record.h); notes. */
static bool is_passed_over(const section *s, const char *name)
{
	return !strcmp(name, ".eh_frame") || !strcmp(name, ".sframe") ||
	       str_starts(name, ".gcc_except_table") || s->sh_type == SHT_NOTE;
}

/* Merged ones are as large as what is left of all. */
static bool has_size(const section *s, uint64_t size)
{
	return s->sh_size == size || (s->sh_flags & SHF_MERGE);
}

/* One that is to be placed, and could be the unit by its name and its size; 0: none. */
static size_t candidate(const struct input *i, const struct map_unit *u)
{
	size_t n, at = section_named(&i->object, u->name, &n);
	section s = object_section(&i->object, at);

	return n == 1 && !i->places[at].is_in && has_size(&s, u->size) ? at : 0;
}

static int put(struct input *i, size_t at, const struct map_unit *u, struct err *err)
{
	struct place *p = &i->places[at];

	p->is_in = true;
	p->output = u->output;
	p->address = u->address;
	return object_relocations(&i->object, at, &p->relocations, &p->n_relocations, err);
}

static void take_back(struct place *p)
{
	free(p->relocations);
	memset(p, 0, sizeof(*p));
}

/* Of members of one name that one whose bytes are there: *out. */
static int pick_twin(struct inputs *in, struct input *first, const struct map_unit *u,
		     struct input **out, struct err *err)
{
	size_t i, at, n = 0;
	bool good;

	for (i = 0; i < first->n_twins; i++) {
		struct input *twin = &first[i];

		at = candidate(twin, u);
		if (!at)
			continue;
		if (put(twin, at, u, err))
			return -1;
		good = inputs_is_as_linked(in, (size_t)(twin - in->v), at) &&
		       inputs_leads_as_linked(in, (size_t)(twin - in->v), at);
		if (good)
			*out = twin;
		n += good;
		take_back(&twin->places[at]);
	}
	return n == 1 ? 0
		      : err_set(err, ERR_ABSENT,
				"which of several '%s' of '%s' is in it is not known", u->member,
				u->file);
}

/* Whether nothing has to be known about it; s: the section, or zeros. */
static bool is_left_out(const struct input *first, size_t at, const section *s,
			const struct map_unit *u)
{
	if (is_passed_over(s, u->name))
		return true;
	/* what is merged is in the digest of what names it */
	return at ? first->n_twins > 1 && (s->sh_flags & SHF_MERGE) : is_made(u->name);
}

static int add_place(struct inputs *in, struct input *first, const struct map_unit *u,
		     struct err *err)
{
	struct input *i = first;
	size_t n, at = 0, k;
	section s;

	for (k = 0; !at && k < first->n_twins; k++)
		at = section_named(&first[k].object, u->name, &n);
	s = object_section(&first[k - 1].object, at);
	if (is_left_out(first, at, &s, u))
		return 0;
	if (first->n_twins > 1 && pick_twin(in, first, u, &i, err))
		return -1;
	at = candidate(i, u);
	if (!at)
		return err_set(err, ERR_ABSENT, "which '%s' of '%s' is in it is not known", u->name,
			       u->file);
	in->order[in->n_order++] = (size_t)(i - in->v);
	in->order[in->n_order++] = at;
	return put(i, at, u, err);
}

/* Not loaded: ".comment", debug information. */
static bool is_loaded(const struct inputs *in, const char *output)
{
	size_t i;

	for (i = 0; i < in->program.head.e_shnum; i++) {
		section s = program_section(&in->program, i);
		const char *name = program_section_name(&in->program, &s);

		if (name && !strcmp(name, output))
			return s.sh_flags & SHF_ALLOC;
	}
	return false;
}

int inputs_read_objects(const struct layouts *l, struct inputs *in, struct err *err)
{
	const char *last = NULL;
	bool loaded = false;
	size_t i;

	in->order = calloc(2 * in->map.n + 1, sizeof(*in->order));
	if (!in->order)
		return err_nomem(err);
	for (i = 0; i < in->map.n; i++) {
		const struct map_unit *u = &in->map.v[i];

		loaded = u->output == last ? loaded : is_loaded(in, u->output);
		last = u->output;
		if (!loaded)
			continue;
		if (!find(in, u) && add_inputs(l, u, in, err))
			return -1;
		if (add_place(in, find(in, u), u, err))
			return -1;
	}
	return 0;
}
