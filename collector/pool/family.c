#include "collector/pool/family.h"

#include <stdlib.h>
#include <string.h>

#include "collector/code/stage_copy.h"
#include "collector/pool/moves.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

void family_close(struct family *f)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		layouts_close(&f->v[i].layouts);
		free(f->v[i].file);
	}
	free(f->v);
	free(f->rest);
	*f = (struct family){ NULL, 0, NULL };
}

static int note_rest(struct family *f, const char *file, const char *why, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	if (f->rest)
		return 0;
	buf_addf(&text, "%s ran as it was built: %s", path_base(file), why);
	if (!buf_check(&text, err))
		result = str_set(&f->rest, buf_str(&text), err);
	buf_release(&text);
	return result;
}

/* Takes a file over where it has several layouts; *why is then as it was. */
static int add(struct family *f, const char *tree, const char *file, struct err *why,
	       struct err *err)
{
	struct family_member *grown = realloc(f->v, (f->n + 1) * sizeof(*grown));
	struct layouts layouts;

	if (!grown)
		return err_nomem(err);
	f->v = grown;
	if (layouts_open(tree, file, &layouts, why)) {
		if (why->code == ERR_ABSENT)
			return note_rest(f, file, why->text, err);
		*err = *why;
		return -1;
	}
	grown[f->n++] = (struct family_member){ NULL, layouts };
	grown[f->n - 1].file = str_dup(file, err);
	return grown[f->n - 1].file ? 0 : -1;
}

/* What names its own file is moved only where nothing of the project does. */
static int check_moves(const struct side *side, const struct strv *files, struct err *err)
{
	char *slash = strrchr(side->dir, '/'), *top;
	size_t i;
	int result = 0;

	if (!side->stays)
		return 0;
	top = strndup(side->dir, slash ? (size_t)(slash - side->dir) : 0);
	if (!top)
		return err_nomem(err);
	for (i = 0; !result && i < files->n; i++) {
		struct link link = LINK_INIT;

		if (moves_is_in_doubt(files->v[i]) &&
		    (layouts_link(side->dir, files->v[i], &link, err) ||
		     moves_check(&link, top, err)))
			result = -1;
		link_release(&link);
	}
	free(top);
	return result;
}

int family_open(const struct side *side, struct family *out, struct err *err)
{
	struct stage_copy files = { .n = 0 };
	struct family f = { NULL, 0, NULL };
	struct err why = ERR_INIT, ignored = ERR_INIT;
	size_t i;
	int result = -1;

	if (side_copy(side, &files.from, err) || stage_copy_find(&files, err) ||
	    check_moves(side, &files.files, err))
		goto out;
	for (i = 0; i < files.files.n; i++)
		if (add(&f, side->dir, files.files.v[i], i ? &ignored : &why, err))
			goto out;
	if (!f.n) {
		*err = why;
		goto out;
	}
	*out = f;
	f = (struct family){ NULL, 0, NULL };
	result = 0;
out:
	stage_copy_release(&files);
	family_close(&f);
	return result;
}

int family_make(struct family *f, unsigned number, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		struct layout made = { .path = NULL };
		int fault = layout_make(&f->v[i].layouts, number, &made, err);

		if (!fault)
			fault = strv_add(out, f->v[i].file, err) || strv_add(out, made.path, err);
		free(made.path);
		if (fault)
			return -1;
	}
	return 0;
}

bool family_is_made(const struct family *f, unsigned number)
{
	bool is_made = true;
	size_t i;

	for (i = 0; i < f->n && is_made; i++) {
		struct buf path = BUF_INIT;

		buf_addf(&path, "%s/%u", f->v[i].layouts.folder, number);
		is_made = !buf_check(&path, NULL) && file_exists(buf_str(&path));
		buf_release(&path);
	}
	return is_made;
}
