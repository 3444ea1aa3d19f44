/*
 * bundle - follows the shared objects of an executable as the dynamic loader would.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/code/cache.h"
#include "collector/code/elf.h"
#include "collector/code/loader.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAX_OBJECTS 256
/* Searched by default where the system's are too, but what lies there may be the project's. */
#define LOCAL_FOLDERS "/usr/local/lib:/usr/local/lib64"

void bundle_release(struct bundle *b)
{
	free(b->exe);
	strv_release(&b->objects);
	strv_release(&b->left);
	strv_release(&b->folders);
	memset(b, 0, sizeof(*b));
}

/* One folder of a search path, $ORIGIN replaced by the folder of the object. */
static void expand(const char *part, size_t n, const char *object, struct buf *out)
{
	static const char *const marks[] = { "$ORIGIN", "${ORIGIN}" };
	const char *slash = strrchr(object, '/');
	size_t i, m;

	buf_reset(out);
	while (n) {
		for (m = 0; m < 2; m++)
			if (n >= strlen(marks[m]) && !strncmp(part, marks[m], strlen(marks[m])))
				break;
		if (m == 2) {
			buf_addc(out, *part++);
			n--;
			continue;
		}
		i = strlen(marks[m]);
		buf_add(out, object, slash ? (size_t)(slash - object) : 0);
		part += i;
		n -= i;
	}
}

/* Looks for a soname along a path; whether it was found, its place in out. */
static bool find_along(const char *path, const char *object, const char *soname, struct buf *out)
{
	while (path && *path) {
		size_t n = strcspn(path, ":");

		expand(path, n, object, out);
		buf_addf(out, "/%s", soname);
		if (n && file_exists(buf_str(out)))
			return true;
		path += n;
		path += *path == ':';
	}
	return false;
}

/* One object on the way, with what its own needs are looked up along. */
struct object {
	char *path;
	char *rpath, *runpath; /* at most one of them */
	size_t loader;	       /* the object that asked for it first; the executable: itself */
};

struct walk {
	struct bundle *b;
	const char *library_path; /* in front of LD_LIBRARY_PATH, or NULL */
	struct digest digest;
	struct object *objects; /* [0] is the executable, then b->objects */
	size_t n;
	struct strv sonames; /* found already */
};

static void walk_release(struct walk *w)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		free(w->objects[i].path);
		free(w->objects[i].rpath);
		free(w->objects[i].runpath);
	}
	free(w->objects);
	digest_release(&w->digest);
	strv_release(&w->sonames);
}

static int add_object(struct walk *w, const char *path, size_t loader, struct err *err)
{
	struct object *grown;

	if (w->n > MAX_OBJECTS)
		return err_set(err, ERR_LIMIT, "'%s' loads more than %d shared objects", w->b->exe,
			       MAX_OBJECTS);
	grown = realloc(w->objects, (w->n + 1) * sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	w->objects = grown;
	memset(&grown[w->n], 0, sizeof(*grown));
	grown[w->n].loader = loader;
	if (str_set(&grown[w->n].path, path, err))
		return -1;
	w->n++;
	return 0;
}

/* The old-style path of the object, and of those that brought it in, up to the executable. */
static bool find_by_rpath(const struct walk *w, size_t at, const char *soname, struct buf *out)
{
	const struct object *o = &w->objects[at];

	if (o->runpath)
		return false;
	for (;; o = &w->objects[o->loader]) {
		if (find_along(o->rpath, o->path, soname, out))
			return true;
		if (o == w->objects)
			return false;
	}
}

/* What the loader would find in the project's folders; false for the system's own. */
static bool find(const struct walk *w, size_t at, const char *soname, struct buf *out,
		 bool *out_by_rpath)
{
	const struct object *o = &w->objects[at];

	*out_by_rpath = find_by_rpath(w, at, soname, out);
	return (*out_by_rpath || find_along(w->library_path, o->path, soname, out) ||
		find_along(getenv("LD_LIBRARY_PATH"), o->path, soname, out) ||
		find_along(o->runpath, o->path, soname, out) ||
		find_along(LOCAL_FOLDERS, o->path, soname, out)) &&
	       !loader_is_system(buf_str(out));
}

/* Notes the folders of a search path.  In one of them the processor may choose. */
static int add_folders(struct walk *w, const char *path, const char *object, struct err *err)
{
	struct buf folder = BUF_INIT;
	bool is_chosen = false;
	int result = 0;

	while (!result && path && *path) {
		size_t n = strcspn(path, ":");

		expand(path, n, object, &folder);
		while (folder.len > 1 && folder.data[folder.len - 1] == '/')
			folder.data[--folder.len] = '\0';
		if (n && !strv_has(&w->b->folders, buf_str(&folder)))
			result = strv_add(&w->b->folders, buf_str(&folder), err);
		buf_adds(&folder, "/" LOADER_CHOICE);
		is_chosen = is_chosen || (n && file_exists(buf_str(&folder)) &&
					  !loader_is_system(buf_str(&folder)));
		path += n;
		path += *path == ':';
	}
	if (!result && buf_check(&folder, err))
		result = -1;
	if (!result && is_chosen)
		result = err_set(err, ERR_SYNTAX,
				 "which of its objects are loaded is chosen by "
				 "the processor (" LOADER_CHOICE ")");
	buf_release(&folder);
	return result;
}

/* The same of older loaders: "tls/x86_64/libx.so" in front of "libx.so". */
static bool has_older_choice(const char *folder, const char *soname, int depth)
{
	struct buf path = BUF_INIT;
	bool found = false;
	size_t i;

	for (i = 0; loader_older_choices[i] && !found; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", folder, loader_older_choices[i]);
		if (path.failed || !file_exists(buf_str(&path)))
			continue;
		found = depth < 3 && has_older_choice(buf_str(&path), soname, depth + 1);
		buf_addf(&path, "/%s", soname);
		found = found || file_exists(buf_str(&path));
	}
	buf_release(&path);
	return found;
}

static int refuse_choice(const struct walk *w, const char *soname, struct err *err)
{
	size_t i;

	for (i = 0; i < w->b->folders.n; i++)
		if (has_older_choice(w->b->folders.v[i], soname, 0))
			return err_set(err, ERR_SYNTAX,
				       "which '%s' is loaded is chosen by the processor", soname);
	return 0;
}

/* Where the loader would look elsewhere than we can tell, there is no identity to rely on. */
static int check_needed(const struct object *o, const char *soname, struct err *err)
{
	const char *path = o->rpath ? o->rpath : o->runpath;

	if (strchr(soname, '/') && !loader_is_system(soname))
		return err_set(err, ERR_SYNTAX, "it loads '%s' by its path", soname);
	if (path && (strstr(path, "$LIB") || strstr(path, "${LIB") || strstr(path, "$PLATFORM") ||
		     strstr(path, "${PLATFORM")))
		return err_set(err, ERR_SYNTAX, "its search path '%s' depends on the machine",
			       path);
	return 0;
}

/* Adds the objects that one asks for and that were not seen yet. */
static int add_needed(struct walk *w, size_t at, const struct strv *needed, struct err *err)
{
	struct buf path = BUF_INIT;
	bool by_rpath;
	size_t i;
	int result = -1;

	for (i = 0; i < needed->n; i++) {
		const char *soname = needed->v[i];

		if (check_needed(&w->objects[at], soname, err) || refuse_choice(w, soname, err))
			goto out;
		digest_adds(&w->digest, soname);
		if (strv_has(&w->sonames, soname))
			continue;
		if (!find(w, at, soname, &path, &by_rpath)) {
			if (!strv_has(&w->b->left, soname) && strv_add(&w->b->left, soname, err))
				goto out;
			continue;
		}
		w->b->rpath = w->b->rpath || by_rpath;
		if (buf_check(&path, err) || strv_add(&w->sonames, soname, err) ||
		    strv_add(&w->b->objects, buf_str(&path), err) ||
		    add_object(w, buf_str(&path), at, err))
			goto out;
	}
	result = buf_check(&path, err);
out:
	buf_release(&path);
	return result;
}

/* Adds one object's code to the digest and its own needs to the list. */
static int visit(struct walk *w, size_t at, struct err *err)
{
	struct strv needed = STRV_INIT;
	struct elf elf = { NULL, 0 };
	struct object *o = &w->objects[at];
	char *search = NULL;
	bool rpath = false;
	int result = -1;

	if (elf_open(o->path, &elf, err) || elf_digest(&elf, &w->digest, err) ||
	    elf_needed(&elf, &needed, &search, &rpath, err))
		goto out;
	w->b->stays = w->b->stays || elf_names_self(&elf);
	w->b->may_ask = w->b->may_ask || elf_may_find_itself(&elf);
	*(rpath ? &o->rpath : &o->runpath) = search;
	if (add_folders(w, search, o->path, err)) {
		search = NULL;
		goto out;
	}
	search = NULL;
	result = add_needed(w, at, &needed, err);
out:
	if (result)
		err_in(err, "%s", w->objects[at].path);
	free(search);
	elf_close(&elf);
	strv_release(&needed);
	return result;
}

int bundle_of(const char *exe, const char *library_path, struct bundle *out, struct err *err)
{
	struct bundle b;
	struct walk w = { &b, library_path, DIGEST_INIT, NULL, 0, STRV_INIT };
	char sum[DIGEST_HEX];
	size_t i;
	int result = -1;

	memset(&b, 0, sizeof(b));
	if (str_set(&b.exe, exe, err) || digest_of_file(exe, b.exe_sum, err) ||
	    digest_begin(&w.digest, err) || add_object(&w, exe, 0, err) ||
	    add_folders(&w, library_path, exe, err) ||
	    add_folders(&w, getenv("LD_LIBRARY_PATH"), exe, err))
		goto out;
	for (i = 0; i < w.n; i++)
		if (visit(&w, i, err))
			goto out;
	if (digest_end(&w.digest, b.id, err) || digest_of_file(exe, sum, err))
		goto out;
	/* A linker at work meanwhile would give one code's id to another's copy. */
	if (strcmp(sum, b.exe_sum)) {
		err_set(err, ERR_BUSY, "'%s' changed while it was looked at", exe);
		goto out;
	}
	*out = b;
	memset(&b, 0, sizeof(b));
	result = 0;
out:
	walk_release(&w);
	bundle_release(&b);
	return result;
}
