#include "collector/extent/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAP_MAX ((size_t)256 << 20)

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
	if (read_finals(&in, err) || read_map(l, &in, err) || inputs_read_objects(l, &in, err) ||
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
