#include "collector/layout/libraries.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/layout/slim.h"
#include "collector/layout/store.h"
#include "collector/link/program.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define FOLDER "libraries"
#define PROVEN "proven" /* comes last */
#define SCRIPT_MAX ((size_t)64 << 10)
#define PROGRAM_MAX ((size_t)256 << 20)
#define OPENED "attempt to open "
#define WORTH 1000 /* symbols: fewer are read in the time that the proof takes */

/*
 * In which order the linker writes its tables follows from how large its own table of names is: it
 * grows with them, and here does not.
 */
#define SAME_ORDER "--hash-size=16381"

struct work {
	const struct layouts *l;
	const char *folder;
	struct strv names;  /* that the program has, sorted */
	struct strv opened; /* files that the linker opened, in turn */
	size_t dropped;
};

static char *folder_of(const struct layouts *l)
{
	return path_join(l->folder, FOLDER, NULL);
}

/* ---- what is asked of them ------------------------------------------------------------------ */

static int read_names(const char *reference, struct strv *out, struct err *err)
{
	struct program f;
	size_t i;
	int result = program_open(reference, &f, err);

	for (i = 1; !result && i < f.n_symbols; i++) {
		ElfW(Sym) s = program_symbol(&f, i);
		const char *name = program_symbol_name(&f, &s);

		if (name && *name && ELF64_ST_BIND(s.st_info) != STB_LOCAL)
			result = strv_addf(out, err, "%.*s", (int)strcspn(name, "@"), name);
	}
	program_close(&f);
	strv_sort(out);
	return result;
}

/* "attempt to open /lib/libm.so succeeded" */
static int read_opened(const char *printed, struct strv *out, struct err *err)
{
	static const char end[] = " succeeded";
	const char *at, *line_end;

	for (at = printed; *at; at = *line_end ? line_end + 1 : line_end) {
		size_t n;

		line_end = at + strcspn(at, "\n");
		n = (size_t)(line_end - at);
		if (n <= strlen(OPENED) + strlen(end) || !str_starts(at, OPENED) ||
		    strncmp(line_end - strlen(end), end, strlen(end)) != 0)
			continue;
		n -= strlen(OPENED) + strlen(end);
		if (strv_addf(out, err, "%.*s", (int)n, at + strlen(OPENED)))
			return -1;
	}
	return 0;
}

/* ---- the folder ----------------------------------------------------------------------------- */

static bool was_opened(const struct work *w, const char *word, size_t n)
{
	size_t i;

	for (i = 0; i < w->opened.n; i++)
		if (!strncmp(w->opened.v[i], word, n) && !w->opened.v[i][n])
			return true;
	return false;
}

/* Under a name of its own; an empty *out: it stays the one that it is. */
static int add_part(struct work *w, const char *library, struct buf *out, struct err *err)
{
	struct err fault = ERR_INIT;
	size_t dropped = 0;

	buf_addf(out, "%s/part-%s", w->folder, path_base(library));
	if (buf_check(out, err))
		return -1;
	if (file_exists(buf_str(out)))
		return 0;
	if (slim_write(library, &w->names, buf_str(out), &dropped, &fault)) {
		buf_reset(out);
		if (err_is_fatal(&fault))
			*err = fault;
		return err_is_fatal(&fault) ? -1 : 0;
	}
	w->dropped += dropped;
	return 0;
}

/* A script that names libraries: the same, with slim ones in their places. */
static int add_script(struct work *w, const char *path, struct err *err)
{
	struct buf text = BUF_INIT, made = BUF_INIT, part = BUF_INIT, to = BUF_INIT;
	bool is_other = false;
	const char *at;
	int result = -1;

	if (file_read_whole(path, SCRIPT_MAX, &text, NULL)) {
		result = 0;
		goto out;
	}
	for (at = buf_str(&text); *at;) {
		size_t n = strcspn(at, " \t\n(),;");

		buf_reset(&part);
		if (*at == '/' && was_opened(w, at, n)) {
			struct buf library = BUF_INIT;

			buf_add(&library, at, n);
			result = buf_check(&library, err) ||
				 add_part(w, buf_str(&library), &part, err);
			buf_release(&library);
			if (result)
				goto out;
		}
		is_other = is_other || part.len;
		buf_add(&made, part.len ? part.data : at, part.len ? part.len : n);
		at += n;
		if (*at)
			buf_addc(&made, *at++);
	}
	buf_addf(&to, "%s/%s", w->folder, path_base(path));
	result = buf_check(&made, err) || buf_check(&to, err) ? -1 : 0;
	if (!result && is_other && !file_exists(buf_str(&to)) &&
	    file_write_new(buf_str(&to), made.data, made.len, 0600, err))
		result = err_is_fatal(err) ? -1 : 0;
out:
	buf_release(&text);
	buf_release(&made);
	buf_release(&part);
	buf_release(&to);
	return result;
}

/* What "-lNAME" finds: the library, or a script. */
static int add_library(struct work *w, const char *path, struct err *err)
{
	const char *name = path_base(path);
	struct err fault = ERR_INIT;
	struct buf to = BUF_INIT;
	size_t dropped = 0;
	int result = -1;

	if (!str_starts(name, "lib") || !str_ends(name, ".so") || str_below(path, w->l->top) ||
	    *path != '/')
		return 0;
	buf_addf(&to, "%s/%s", w->folder, name);
	if (buf_check(&to, err))
		goto out;
	result = 0;
	if (file_exists(buf_str(&to)))
		goto out;
	if (!slim_write(path, &w->names, buf_str(&to), &dropped, &fault))
		w->dropped += dropped;
	else if (fault.code == ERR_SYNTAX)
		result = add_script(w, path, err);
	else if (err_is_fatal(&fault)) {
		*err = fault;
		result = -1;
	}
out:
	buf_release(&to);
	return result;
}

/* ---- the proof ------------------------------------------------------------------------------ */

static int link_with(const struct work *w, bool slim, const char *output, struct err *err)
{
	struct link link = w->l->link;
	struct strv more = STRV_INIT;
	const struct relink r = {
		.link = &link, .output = output, .more = &more, .timeout_ns = LAYOUT_RELINK_NS
	};
	int result = -1;

	link.words = (struct strv)STRV_INIT;
	if (!(slim ? libraries_words(w->l, w->folder, &link.words, err)
		   : strv_add_all(&link.words, w->l->link.words.v, err)) &&
	    !layouts_keep_relocations(w->l, &more, err) && !strv_add(&more, SAME_ORDER, err))
		result = relink_run(&r, NULL, err);
	strv_release(&link.words);
	strv_release(&more);
	return result;
}

static bool is_same(const char *a, const char *b)
{
	struct buf x = BUF_INIT, y = BUF_INIT;
	bool same = !file_read_whole(a, PROGRAM_MAX, &x, NULL) &&
		    !file_read_whole(b, PROGRAM_MAX, &y, NULL) && x.len && x.len == y.len &&
		    !memcmp(x.data, y.data, x.len);

	buf_release(&x);
	buf_release(&y);
	return same;
}

/* ERR_ABSENT: another program comes of them, or none. */
static int prove(const struct work *w, struct err *err)
{
	struct buf with = BUF_INIT, without = BUF_INIT;
	int result = -1;

	buf_addf(&with, "%s/with" STORE_UNFINISHED, w->folder);
	buf_addf(&without, "%s/without" STORE_UNFINISHED, w->folder);
	if (buf_check(&with, err) || buf_check(&without, err))
		goto out;
	if (!link_with(w, true, buf_str(&with), err) &&
	    !link_with(w, false, buf_str(&without), err))
		result = is_same(buf_str(&with), buf_str(&without))
				 ? 0
				 : err_set(err, ERR_ABSENT, "another program comes of them");
	unlink(buf_str(&with));
	unlink(buf_str(&without));
out:
	buf_release(&with);
	buf_release(&without);
	return result;
}

static int make(struct work *w, const char *reference, const char *printed, struct err *err)
{
	char *proven = path_join(w->folder, PROVEN, err);
	size_t i;
	int result = -1;

	if (!proven || file_remove_tree(w->folder, err) || file_make_dirs(w->folder, 0700, err) ||
	    read_names(reference, &w->names, err) || read_opened(printed, &w->opened, err))
		goto out;
	for (i = 0; i < w->opened.n; i++)
		if (add_library(w, w->opened.v[i], err))
			goto out;
	if (w->dropped < WORTH)
		err_set(err, ERR_ABSENT, "there is little to spare");
	else if (!prove(w, err))
		result = file_write_new(proven, "", 0, 0600, err);
out:
	free(proven);
	return result;
}

int libraries_make(const struct layouts *l, const char *reference, const char *printed,
		   struct err *err)
{
	char *folder = folder_of(l);
	struct work w = { .l = l, .folder = folder, .names = STRV_INIT, .opened = STRV_INIT };
	struct err fault = ERR_INIT;
	int result = 0;

	if (!folder)
		return err_nomem(err);
	if (make(&w, reference, printed, &fault)) {
		file_remove_tree(folder, NULL);
		result = err_is_fatal(&fault) ? -1 : 0;
		if (result)
			*err = fault;
	}
	strv_release(&w.names);
	strv_release(&w.opened);
	free(folder);
	return result;
}

/* ---- using it ------------------------------------------------------------------------------- */

char *libraries_find(const struct layouts *l)
{
	char *folder = folder_of(l), *proven = folder ? path_join(folder, PROVEN, NULL) : NULL;

	if (!proven || !file_exists(proven)) {
		free(folder);
		folder = NULL;
	}
	free(proven);
	return folder;
}

int libraries_words(const struct layouts *l, const char *folder, struct strv *out, struct err *err)
{
	return strv_addf(out, err, "-L%s", folder) || strv_add_all(out, l->link.words.v, err) ? -1
											      : 0;
}
