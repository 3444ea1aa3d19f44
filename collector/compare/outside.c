#include "collector/compare/outside.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/build/trees.h"
#include "collector/code/cache.h"
#include "collector/run/touch.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define OF_A_PATH "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+@%~"

static bool lies_in(const char *path, const char *top)
{
	char *file = realpath(path, NULL), *folder = realpath(top, NULL);
	bool inside = file && folder && (!strcmp(file, folder) || str_below(file, folder));

	free(file);
	free(folder);
	return inside;
}

/* Whether some piece of the word, such as FILE of --input=FILE, is there in the tree. */
static bool names_part(const char *word, const char *top)
{
	struct buf path = BUF_INIT;
	bool found = false;
	size_t n;

	for (; *word && !found; word += n) {
		word += strcspn(word, OF_A_PATH);
		n = strspn(word, OF_A_PATH);
		if (!n)
			break;
		buf_reset(&path);
		buf_addf(&path, "%s%s%.*s", *word == '/' ? "" : top, *word == '/' ? "" : "/",
			 (int)n, word);
		found = !buf_check(&path, NULL) && lies_in(buf_str(&path), top);
	}
	buf_release(&path);
	return found;
}

static bool may_use(const struct unit *u, const char *top)
{
	const struct strv *words = &u->config->command;
	bool uses = lies_in(u->head.exe, top) || lies_in(u->base.exe, top);
	size_t i;

	for (i = 1; i < words->n && !uses; i++)
		uses = names_part(words->v[i], top);
	return uses;
}

/* Alone it is what was asked for; in a suite the others can be compared. */
static int refuse(struct unit *u, bool alone, const struct err *why, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	if (alone) {
		*err = *why;
		return err_in(err, "%s", u->name);
	}
	buf_addf(&text, "%s; %s", why->text, why->hint);
	result = buf_check(&text, err) || str_set(&u->failure, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	u->identical = false;
	return result;
}

static int refuse_program(struct unit *u, bool alone, struct err *err)
{
	struct err why = ERR_INIT;

	err_set(&why, ERR_CONFIG,
		"both sides would run the same program: '%s' lies in neither tree and opens "
		"nothing of them",
		u->head.exe);
	err_hint(&why, "name the program that the build makes, such as build/bench/NAME; to "
		       "measure a program against itself, add --measure-identical");
	return refuse(u, alone, &why, err);
}

static bool is_in_question(const struct unit *u, const char *base_top, const char *head_top)
{
	return u->has_base && !u->failure && !u->unreached && u->format == FORMAT_COMMAND &&
	       !u->head.binary_id && !u->base.binary_id && !strcmp(u->head.exe, u->base.exe) &&
	       !may_use(u, base_top) && !may_use(u, head_top);
}

int compare_refuse_outside(const struct process_runner *r, uint64_t until_ns, struct plan *plan,
			   const char *base_top, const char *head_top, struct err *err)
{
	struct process_runner runner = *r;
	size_t i;

	runner.top = head_top;
	for (i = 0; i < plan->n; i++) {
		struct unit *u = &plan->units[i];
		enum touch touch;

		if (!is_in_question(u, base_top, head_top))
			continue;
		u->unreached = !runner_until(&runner, until_ns);
		if (u->unreached)
			continue;
		if (touch_tree(&runner, u->config, &u->head, head_top, &touch, err))
			return -1;
		u->unreached = touch == TOUCH_UNKNOWN && !runner_until(&runner, until_ns);
		if (touch == TOUCH_NOTHING && refuse_program(u, plan->n == 1, err))
			return -1;
	}
	return 0;
}

/* ---- shared objects that one build writes over the other's ----------------------------------- */

/*
 * Whether it lies in neither tree, and was written since the first of them was built.  Not by its
 * change time: an image or a cache of a CI that is unpacked beside kept trees is as new as that.
 */
static bool is_newer(const char *object, const struct unit *u)
{
	struct timespec base, head;
	struct stat st;

	return !lies_in(object, u->base.dir) && !lies_in(object, u->head.dir) &&
	       !trees_built_at(u->base.dir, &base) && !trees_built_at(u->head.dir, &head) &&
	       !stat(object, &st) &&
	       when_is_before(when_is_before(&head, &base) ? &head : &base, &st.st_mtim);
}

/* What a side loads, as it was built.  What cannot be told has no identity either. */
static void objects_of(const struct side *s, struct bundle *out)
{
	const char *path = s->built ? s->built_library_path : s->library_path;

	memset(out, 0, sizeof(*out));
	if (s->exe && s->dir && bundle_of(s->built ? s->built : s->exe, path, out, NULL))
		memset(out, 0, sizeof(*out));
}

/* The first that both load and that is_newer(); *out NULL: none. */
static int find_newer(const struct unit *u, char **out, struct err *err)
{
	struct bundle base, head;
	size_t i;
	int result = str_set(out, NULL, err);

	objects_of(&u->base, &base);
	objects_of(&u->head, &head);
	for (i = 0; !result && !*out && i < head.objects.n; i++)
		if (strv_has(&base.objects, head.objects.v[i]) && is_newer(head.objects.v[i], u))
			result = str_set(out, head.objects.v[i], err);
	bundle_release(&base);
	bundle_release(&head);
	return result;
}

static int refuse_object(struct unit *u, const char *object, bool alone, struct err *err)
{
	struct err why = ERR_INIT;

	err_set(&why, ERR_CONFIG,
		"both sides would load the same '%s': it lies in neither tree, and was written "
		"after one of them was built",
		object);
	err_hint(&why,
		 "let the build put it below its own tree, such as with --prefix=$PWD/out; if it "
		 "is no part of the project, add --rebuild");
	return refuse(u, alone, &why, err);
}

int compare_refuse_overwritten(struct plan *plan, struct err *err)
{
	const char *last = NULL;
	char *object = NULL;
	int result = 0;
	size_t i;

	for (i = 0; !result && i < plan->n; i++) {
		struct unit *u = &plan->units[i];

		if (u->failure || !u->head.exe || !u->base.exe || !u->base.dir || !u->head.dir ||
		    !strcmp(u->base.dir, u->head.dir))
			continue;
		if (!last || strcmp(last, u->head.exe) != 0)
			result = find_newer(u, &object, err);
		last = u->head.exe;
		if (!result && object)
			result = refuse_object(u, object, plan->n == 1, err);
	}
	free(object);
	return result;
}
