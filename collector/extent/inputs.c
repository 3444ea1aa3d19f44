#include "collector/extent/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "collector/extent/names.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAP_MAX ((size_t)256 << 20)

typedef ElfW(Shdr) section;
typedef ElfW(Sym) symbol;

/* ---- the program ---------------------------------------------------------------------------- */

static int by_final(const void *a, const void *b)
{
	const struct final *x = a, *y = b;
	size_t n = x->n_name < y->n_name ? x->n_name : y->n_name;
	int order = memcmp(x->name, y->name, n);

	return order ? order : (x->n_name > y->n_name) - (x->n_name < y->n_name);
}

static int read_finals(struct inputs *in, struct err *err)
{
	const struct program *p = &in->program;
	size_t i;

	in->finals = calloc(p->n_symbols + 1, sizeof(*in->finals));
	if (!in->finals)
		return err_nomem(err);
	for (i = 1; i < p->n_symbols; i++) {
		symbol s = program_symbol(p, i);
		const char *name = program_symbol_name(p, &s);
		struct final *f = &in->finals[in->n_finals];

		if (!name)
			return program_damaged(err);
		if (ELF64_ST_TYPE(s.st_info) == STT_GNU_IFUNC)
			return err_set(err, ERR_ABSENT, "'%s' is chosen when it starts", name);
		if (ELF64_ST_BIND(s.st_info) == STB_LOCAL || !*name)
			continue;
		*f = (struct final){ name, strcspn(name, "@"), s, false };
		f->is_import = !s.st_shndx || name[f->n_name];
		in->n_finals++;
	}
	qsort(in->finals, in->n_finals, sizeof(*in->finals), by_final);
	return 0;
}

const struct final *inputs_final(const struct inputs *in, const char *name, size_t n)
{
	const struct final key = { .name = name, .n_name = n };

	return bsearch(&key, in->finals, in->n_finals, sizeof(key), by_final);
}

static int read_map(const struct layouts *l, struct inputs *in, struct err *err)
{
	char *path = layouts_reference(l, ".map", err);
	struct buf text = BUF_INIT;
	int result = -1;

	if (path && !file_read_whole(path, MAP_MAX, &text, err)) {
		buf_adds(&text, "");
		result =
			buf_check(&text, err) ? -1 : map_read_all(buf_detach(&text), &in->map, err);
	}
	buf_release(&text);
	free(path);
	return result;
}

/* ---- the objects ---------------------------------------------------------------------------- */

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct input *find(const struct inputs *in, const struct map_unit *u)
{
	size_t i;

	for (i = in->n; i-- > 0;) /* units of one object mostly follow each other */
		if (is_same(in->v[i].file, u->file) && is_same(in->v[i].member, u->member))
			return &in->v[i];
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

static int add_input(const struct layouts *l, const struct map_unit *u, struct inputs *in,
		     struct err *err)
{
	struct input *grown, *new;
	char *path;
	int result;

	if (!(in->n & (in->n - 1))) { /* full: sizes are powers of two */
		grown = realloc(in->v, (in->n ? 2 * in->n : 1) * sizeof(*grown));
		if (!grown)
			return err_nomem(err);
		in->v = grown;
	}
	new = &in->v[in->n++];
	*new = (struct input){ .file = u->file, .member = u->member };
	path = *u->file == '/' ? str_dup(u->file, err) : path_join(l->link.folder, u->file, err);
	new->key = names_of_object(l->top, l->link.folder, u->file, u->member, err);
	result = !path || !new->key || object_open(path, u->member, &new->object, err) ||
				 check_kind(&new->object, u->file, err)
			 ? -1
			 : 0;
	free(path);
	if (result)
		return -1;
	new->places = calloc(new->object.head.e_shnum, sizeof(*new->places));
	return new->places ? 0 : err_nomem(err);
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
	static const char *const made[] = { ".plt",	     ".got",  ".rela.",	   ".relr.",
					    ".dyn",	     ".hash", ".gnu.hash", ".gnu.version",
					    ".interp",	     ".iplt", ".igot",	   ".note.",
					    ".eh_frame_hdr", "COMMON" };
	size_t i;

	for (i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (str_starts(name, made[i]))
			return true;
	return false;
}

/* Read by whoever unwinds the stack, which inputs of such programs are refused for; notes. */
static bool is_passed_over(const section *s, const char *name)
{
	return !strcmp(name, ".eh_frame") || !strcmp(name, ".sframe") || s->sh_type == SHT_NOTE;
}

/* Merged ones are as large as what is left of all. */
static bool has_size(const section *s, uint64_t size)
{
	return s->sh_size == size || (s->sh_flags & SHF_MERGE);
}

static int add_place(struct inputs *in, struct input *i, const struct map_unit *u, struct err *err)
{
	size_t n, at = section_named(&i->object, u->name, &n);
	struct place *p = &i->places[at];
	section s = object_section(&i->object, at);

	if (at ? is_passed_over(&s, u->name) : is_made(u->name) || is_passed_over(&s, u->name))
		return 0;
	if (n != 1 || p->is_in || !has_size(&s, u->size))
		return err_set(err, ERR_ABSENT, "which '%s' of '%s' is in it is not known", u->name,
			       u->file);
	p->is_in = true;
	p->output = u->output;
	p->address = u->address;
	in->order[in->n_order++] = (size_t)(i - in->v);
	in->order[in->n_order++] = at;
	return object_relocations(&i->object, at, &p->relocations, &p->n_relocations, err);
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

static int read_objects(const struct layouts *l, struct inputs *in, struct err *err)
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
		if (!find(in, u) && add_input(l, u, in, err))
			return -1;
		if (add_place(in, find(in, u), u, err))
			return -1;
	}
	return 0;
}

/* ---- what they define -------------------------------------------------------------------- */

static int by_definition(const void *a, const void *b)
{
	return strcmp(((const struct definition *)a)->name, ((const struct definition *)b)->name);
}

static int read_definitions(struct inputs *in, struct err *err)
{
	size_t i, k, most = 0;

	for (i = 0; i < in->n; i++)
		most += in->v[i].object.n_symbols;
	in->definitions = calloc(most + 1, sizeof(*in->definitions));
	if (!in->definitions)
		return err_nomem(err);
	for (i = 0; i < in->n; i++) {
		const struct input *input = &in->v[i];

		for (k = 1; k < input->object.n_symbols; k++) {
			symbol s = object_symbol(&input->object, k);

			if (ELF64_ST_BIND(s.st_info) == STB_LOCAL || !s.st_shndx ||
			    s.st_shndx >= input->object.head.e_shnum ||
			    !input->places[s.st_shndx].is_in)
				continue;
			in->definitions[in->n_definitions++] =
				(struct definition){ object_symbol_name(&input->object, &s), i,
						     s.st_shndx, s.st_value };
		}
	}
	qsort(in->definitions, in->n_definitions, sizeof(*in->definitions), by_definition);
	return 0;
}

/* ---- all of it ------------------------------------------------------------------------------ */

void inputs_close(struct inputs *in)
{
	size_t i, k;

	for (i = 0; i < in->n; i++) {
		for (k = 0; in->v[i].places && k < in->v[i].object.head.e_shnum; k++) {
			free(in->v[i].places[k].relocations);
			free(in->v[i].places[k].starts);
		}
		free(in->v[i].places);
		free(in->v[i].key);
		object_close(&in->v[i].object);
	}
	free(in->v);
	free(in->order);
	free(in->definitions);
	free(in->finals);
	map_release(&in->map);
	program_close(&in->program);
	memset(in, 0, sizeof(*in));
}

int inputs_open(const struct layouts *l, struct inputs *out, struct err *err)
{
	char *path = layouts_reference(l, "", err);
	struct inputs in;
	int result = -1;

	memset(&in, 0, sizeof(in));
	if (!path)
		return -1;
	if (l->linker != LINKER_GNU) {
		err_set(err, ERR_ABSENT, "its linker is not GNU ld");
		goto out;
	}
	if (program_open(path, &in.program, err))
		goto out;
	if (in.program.head.e_machine != EM_X86_64) {
		err_set(err, ERR_ABSENT, "only the code of x86-64 is read");
		goto out;
	}
	if (read_finals(&in, err) || read_map(l, &in, err) || read_objects(l, &in, err) ||
	    read_definitions(&in, err))
		goto out;
	*out = in;
	memset(&in, 0, sizeof(in));
	result = 0;
out:
	inputs_close(&in);
	free(path);
	return result;
}
