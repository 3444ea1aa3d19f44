#include "collector/link/link.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "collector/code/elf.h"
#include "lib/base/file.h"
#include "lib/base/number.h"

#include "lib/base/banned.h"

#define MAGIC "pawl link 1"
#define RECORD_MAX ((size_t)64 << 20)

void link_release(struct link *l)
{
	free(l->linker);
	free(l->folder);
	free(l->output);
	strv_release(&l->words);
	strv_release(&l->env);
	*l = (struct link)LINK_INIT;
}

static void add_text(struct buf *out, const char *text)
{
	buf_add(out, text, strlen(text) + 1);
}

static void add_list(struct buf *out, const struct strv *list)
{
	size_t i;

	buf_addf(out, "%zu", list->n);
	buf_addc(out, '\0');
	for (i = 0; i < list->n; i++)
		add_text(out, list->v[i]);
}

int link_encode(const struct link *l, struct buf *out, struct err *err)
{
	add_text(out, MAGIC);
	add_text(out, l->linker);
	add_text(out, l->folder);
	add_text(out, l->output);
	add_list(out, &l->words);
	add_list(out, &l->env);
	return buf_check(out, err);
}

/* The next text, or NULL; *at moves behind it. */
static const char *take(const struct buf *record, size_t *at)
{
	const char *text = record->data + *at, *end;

	if (*at >= record->len)
		return NULL;
	end = memchr(text, '\0', record->len - *at);
	if (!end)
		return NULL;
	*at += (size_t)(end - text) + 1;
	return text;
}

static int damaged(struct err *err)
{
	return err_set(err, ERR_CORRUPT, "the record of a link is damaged");
}

static int take_list(const struct buf *record, size_t *at, struct strv *out, struct err *err)
{
	const char *text = take(record, at);
	uint64_t n;

	if (!text || !number_u64(text, &n))
		return damaged(err);
	for (; n; n--) {
		text = take(record, at);
		if (!text)
			return damaged(err);
		if (strv_add(out, text, err))
			return -1;
	}
	return 0;
}

int link_decode(const struct buf *record, struct link *out, struct err *err)
{
	struct link l = LINK_INIT;
	const char *magic, *linker, *folder, *output;
	size_t at = 0;
	int result = -1;

	magic = take(record, &at);
	linker = take(record, &at);
	folder = take(record, &at);
	output = take(record, &at);
	if (!output || strcmp(magic, MAGIC) != 0 || *linker != '/' || *folder != '/' || !*output) {
		damaged(err);
		goto out;
	}
	if (str_set(&l.linker, linker, err) || str_set(&l.folder, folder, err) ||
	    str_set(&l.output, output, err) || take_list(record, &at, &l.words, err) ||
	    take_list(record, &at, &l.env, err))
		goto out;
	if (at != record->len) {
		damaged(err);
		goto out;
	}
	*out = l;
	l = (struct link)LINK_INIT;
	result = 0;
out:
	link_release(&l);
	return result;
}

/* The real path of a file that may be gone: of its folder, and its name; free() it; or NULL. */
static char *place_of(const char *folder, const char *path)
{
	struct buf whole = BUF_INIT;
	char *real = NULL, *place = NULL, *slash;

	buf_addf(&whole, "%s%s%s", *path == '/' ? "" : folder, *path == '/' ? "" : "/", path);
	if (!buf_check(&whole, NULL)) {
		slash = strrchr(whole.data, '/');
		*slash = '\0';
		real = realpath(*whole.data ? whole.data : "/", NULL);
		place = real ? path_join(real, slash + 1, NULL) : NULL;
	}
	free(real);
	buf_release(&whole);
	return place;
}

static int read_record(const char *folder, const char *name, struct link *out)
{
	char *path = path_join(folder, name, NULL);
	struct buf record = BUF_INIT;
	int result = -1;

	if (path && !file_read_whole(path, RECORD_MAX, &record, NULL))
		result = link_decode(&record, out, NULL);
	buf_release(&record);
	free(path);
	return result;
}

/* Names begin with a time in digits: of two links of one output the later one made it. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*b)->d_name, (*a)->d_name);
}

static int is_record(const struct dirent *e)
{
	return *e->d_name >= '0' && *e->d_name <= '9' && !strchr(e->d_name, '.');
}

int link_find(const char *records, link_fits *fits, void *ctx, struct link *out, struct err *err)
{
	struct dirent **list = NULL;
	int n = scandir(records, &list, is_record, by_name), i;
	bool found = false;

	for (i = 0; i < n; i++) {
		struct link l = LINK_INIT;
		char *place = NULL;

		if (!found && !read_record(records, list[i]->d_name, &l))
			place = place_of(l.folder, l.output);
		if (place && fits(ctx, &l, place)) {
			found = true;
			*out = l;
		} else {
			link_release(&l);
		}
		free(place);
		free(list[i]);
	}
	free(list);
	if (found)
		return 0;
	return err_set(err, ERR_ABSENT,
		       n <= 0 ? "no link was recorded when it was built"
			      : "no recorded link made it");
}

const char *link_input_name(const char *file, const char *top, size_t *n)
{
	const char *below = str_below(file, top), *name = below ? below : file;

	if (below && str_below(below, LAYOUT_LINKS)) {
		name = path_base(file);
		*n = strcspn(name, "-");
		*n += name[*n] == '-';
		return name;
	}
	if (below && str_below(below, LAYOUT_FOLDER))
		name = path_base(file);
	*n = strlen(name);
	return name;
}

/* ---- of a program ---------------------------------------------------------------------------- */

struct wanted {
	const char *place; /* real path of the program */
	const char *code;
};

static bool is_at_place(void *ctx, const struct link *l, const char *place)
{
	const struct wanted *w = ctx;

	(void)l;
	return !strcmp(place, w->place);
}

/* A copy of what a link made: `cp .libs/bench bin/bench`. */
static bool is_same_code(void *ctx, const struct link *l, const char *place)
{
	const struct wanted *w = ctx;
	char code[DIGEST_HEX];

	(void)l;
	return !elf_code(place, code, NULL) && !strcmp(code, w->code);
}

int link_of_program(const char *top, const char *program, const char *code, struct link *out,
		    struct err *err)
{
	char *records = path_join(top, LAYOUT_LINKS, err), *place = place_of(".", program);
	struct wanted wanted = { .place = place ? place : "", .code = code };
	int result = -1;

	if (records)
		result = link_find(records, is_at_place, &wanted, out, NULL) &&
					 link_find(records, is_same_code, &wanted, out, err)
				 ? -1
				 : 0;
	free(records);
	free(place);
	return result;
}
