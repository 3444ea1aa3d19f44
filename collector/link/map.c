#include "collector/link/map.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

#define START "\nLinker script and memory map\n"

void map_release(struct map *m)
{
	free(m->v);
	free(m->text);
	*m = (struct map)MAP_INIT;
}

static bool can_move(const char *output)
{
	static const char *const names[] = { ".text", ".rodata", ".data", ".bss" };

	return STR_IS_ONE_OF(output, names);
}

static char *skip_blanks(char *at)
{
	while (*at == ' ')
		at++;
	return at;
}

/* Cuts a word off; what is left begins at *rest. */
static char *cut_word(char **rest)
{
	char *word = skip_blanks(*rest), *end = word + strcspn(word, " ");

	*rest = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/* A word "0x1f"; false for anything else. */
static bool take_hex(char **rest, uint64_t *out)
{
	char *word = skip_blanks(*rest), *end;

	if (word[0] != '0' || word[1] != 'x' || !isxdigit((unsigned char)word[2]))
		return false;
	*out = strtoull(word, &end, 16);
	*rest = end;
	return *end == ' ' || !*end;
}

static int add(struct map *m, const struct map_unit *unit, struct err *err)
{
	struct map_unit *grown;

	if (!(m->n & (m->n - 1))) { /* full: sizes are powers of two */
		grown = realloc(m->v, (m->n ? 2 * m->n : 1) * sizeof(*grown));
		if (!grown)
			return err_nomem(err);
		m->v = grown;
	}
	m->v[m->n++] = *unit;
	return 0;
}

/* "lib.a(a.o)" becomes "lib.a" and "a.o". */
static void split_member(char *file, struct map_unit *unit)
{
	size_t n = strlen(file);
	char *open = n && file[n - 1] == ')' ? strrchr(file, '(') : NULL;

	unit->file = file;
	unit->member = NULL;
	if (open && open > file) {
		file[n - 1] = '\0';
		*open = '\0';
		unit->member = open + 1;
	}
}

/* The lines of the map, one after the other. */
struct lines {
	char *rest;
	const char *output, *statement; /* where we are, or NULL */
	bool all;			/* not only what can move */
};

static char *next_line(struct lines *l)
{
	return l->rest ? strsep(&l->rest, "\n") : NULL;
}

/* " .text  0x10 0x20 a.o"; a long name has a line of its own, the rest follows in the next one. */
static int read_unit(struct lines *l, char *line, struct map *m, struct err *err)
{
	struct map_unit unit = { .output = l->output, .statement = l->statement };

	unit.name = cut_word(&line);
	line = skip_blanks(line);
	if (!*line && l->rest && *l->rest == ' ' && skip_blanks(l->rest) > l->rest + 1)
		line = next_line(l);
	if (!line || !take_hex(&line, &unit.address) || !take_hex(&line, &unit.size) || !unit.size)
		return 0;
	line = skip_blanks(line);
	if (!*line)
		return 0;
	split_member(line, &unit);
	return add(m, &unit, err);
}

static int read_line(struct lines *l, char *line, struct map *m, struct err *err)
{
	if (*line && *line != ' ') { /* an output section, or something else that ends one */
		line[strcspn(line, " ")] = '\0';
		l->output = l->all || can_move(line) ? line : NULL;
		l->statement = NULL;
		return 0;
	}
	if (!l->output || line[0] != ' ' || !line[1] || line[1] == ' ')
		return 0;
	if (str_starts(line, " *fill*"))
		return 0;
	if (line[1] == '*') {
		l->statement = str_starts(line, " *(") ? line + 1 : NULL;
		return 0;
	}
	return l->statement || l->all ? read_unit(l, line, m, err) : 0;
}

static int read_map(char *text, bool all, struct map *out, struct err *err)
{
	struct map m = { .text = text };
	struct lines l = { .rest = strstr(text, START), .all = all };
	char *line;

	if (!l.rest) {
		map_release(&m);
		return err_set(err, ERR_SYNTAX, "the linker's map is not one of GNU ld");
	}
	l.rest += strlen(START);
	while ((line = next_line(&l)))
		if (read_line(&l, line, &m, err)) {
			map_release(&m);
			return -1;
		}
	*out = m;
	return 0;
}

int map_read(char *text, struct map *out, struct err *err)
{
	return read_map(text, false, out, err);
}

int map_read_all(char *text, struct map *out, struct err *err)
{
	return read_map(text, true, out, err);
}
