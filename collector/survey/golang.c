#include "collector/survey/golang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/survey/places.h"
#include "collector/survey/sources.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

void go_packages_release(struct go_packages *g)
{
	size_t i;

	for (i = 0; i < g->n; i++) {
		free(g->v[i].name);
		free(g->v[i].program);
		free(g->v[i].build);
	}
	free(g->v);
	*g = (struct go_packages)GO_PACKAGES_INIT;
}

static bool is_taken(const struct go_packages *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (!strcmp(g->v[i].name, name))
			return true;
	return false;
}

/* A name for the folder that no other has: "a/b" and "a-b" are two. */
static int name_package(const struct go_packages *g, const char *folder, struct buf *name,
			struct err *err)
{
	int i = 1;
	char *p;

	do {
		buf_reset(name);
		buf_adds(name, *folder ? folder : "go");
		if (i > 1)
			buf_addf(name, "-%d", i);
		if (buf_check(name, err))
			return -1;
		for (p = name->data; *p; p++)
			if (*p == '/')
				*p = '-';
		i++;
	} while (is_taken(g, buf_str(name)));
	return 0;
}

/* The bytes of folder that are the innermost module's: one that has a go.mod of its own. */
static size_t module_of(const struct strv *tracked, const char *folder)
{
	struct buf path = BUF_INIT;
	size_t n = strlen(folder);
	bool found = false;

	while (n && !found) {
		buf_reset(&path);
		buf_addf(&path, "%.*s/go.mod", (int)n, folder);
		found = !buf_check(&path, NULL) && strv_has(tracked, buf_str(&path));
		while (!found && n && folder[--n] != '/')
			;
	}
	buf_release(&path);
	return n;
}

/* "go test -c -o pawl-bench/a-b.test ./a/b", from the folder of the module. */
static int add_command(const char *folder, size_t module, const char *program, struct buf *out,
		       struct err *err)
{
	const char *rest = folder + module + (module && folder[module] == '/');
	struct strv dir = STRV_INIT, words = STRV_INIT;
	struct buf up = BUF_INIT;
	size_t i, levels = module ? 1 : 0;
	int result = -1;

	for (i = 0; i < module; i++)
		levels += folder[i] == '/';
	for (i = 0; i < levels; i++)
		buf_adds(&up, "../");
	if (buf_check(&up, err) || strv_addf(&dir, err, "%.*s", (int)module, folder) ||
	    strv_addf(&words, err, "%s%s", buf_str(&up), program) ||
	    strv_addf(&words, err, "./%s", rest))
		goto out;
	if (module) {
		buf_adds(out, "(cd ");
		words_quote(dir.v, out);
		buf_adds(out, " && ");
	}
	buf_adds(out, "go test -c -o ");
	words_quote(words.v, out);
	if (module)
		buf_addc(out, ')');
	result = buf_check(out, err);
out:
	strv_release(&dir);
	strv_release(&words);
	buf_release(&up);
	return result;
}

static int add_package(struct go_packages *g, const struct strv *tracked, const char *folder,
		       struct err *err)
{
	struct buf name = BUF_INIT, program = BUF_INIT, build = BUF_INIT;
	struct go_package p = { NULL, NULL, NULL };
	int result = -1;

	if (!g->v && !(g->v = calloc(SURVEY_MOST, sizeof(*g->v))))
		return err_nomem(err);
	if (name_package(g, folder, &name, err))
		goto out;
	buf_addf(&program, "pawl-bench/%s.test", buf_str(&name));
	if (buf_check(&program, err) ||
	    add_command(folder, module_of(tracked, folder), buf_str(&program), &build, err) ||
	    str_set(&p.name, buf_str(&name), err) || str_set(&p.program, buf_str(&program), err) ||
	    str_set(&p.build, buf_str(&build), err))
		goto out;
	g->v[g->n++] = p;
	p = (struct go_package){ NULL, NULL, NULL };
	result = 0;
out:
	free(p.name);
	free(p.program);
	free(p.build);
	buf_release(&name);
	buf_release(&program);
	buf_release(&build);
	return result;
}

/* As go itself leaves folders out; and a name that no file of configuration can hold. */
static bool is_left_out(const char *path)
{
	const char *p;

	for (p = path; p; p = strchr(p, '/'), p += p != NULL)
		if (*p == '_' || *p == '.')
			return true;
	return place_is_foreign(path) || !survey_can_write(path);
}

int go_packages_find(const char *top, const struct strv *tracked, struct go_packages *out,
		     struct err *err)
{
	struct strv folders = STRV_INIT;
	int result = -1;
	size_t i, n;

	for (i = 0; i < tracked->n; i++) {
		const char *path = tracked->v[i];

		out->has_top = out->has_top || !strcmp(path, "go.mod");
		n = strlen(path);
		if (n < 8 || strcmp(path + n - 8, "_test.go") != 0 || is_left_out(path) ||
		    folders.n == SURVEY_MOST || !source_holds(top, path, "\nfunc Benchmark"))
			continue;
		if (strv_addf(&folders, err, "%.*s", (int)place_folder(path), path))
			goto out;
		for (n = 0; strcmp(folders.v[n], folders.v[folders.n - 1]) != 0; n++)
			;
		if (n < folders.n - 1)
			strv_cut(&folders, folders.n - 1);
		else if (add_package(out, tracked, folders.v[n], err))
			goto out;
	}
	result = 0;
out:
	strv_release(&folders);
	return result;
}

static bool is_there(const char *tree, const char *program)
{
	bool is;

	return !file_is_in(tree, program, &is, NULL) && is;
}

int go_packages_build(const struct go_packages *g, const char *between, const char *present,
		      char **out, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;
	size_t i;

	for (i = 0; i < g->n; i++)
		if (!present || is_there(present, g->v[i].program))
			buf_addf(&text, "%s%s", text.len ? between : "", g->v[i].build);
	result = buf_check(&text, err) || str_set(out, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

int go_packages_add(const struct go_packages *g, const char *tree, struct survey *s,
		    struct err *err)
{
	size_t i;

	for (i = 0; i < g->n; i++) {
		struct strv command = STRV_INIT;

		if (!is_there(tree, g->v[i].program))
			continue;
		if (strv_add(&command, g->v[i].program, err) ||
		    survey_add(s, g->v[i].name, &command, "go", "a benchmark function of Go", err))
			return -1;
	}
	return 0;
}
