#include "collector/compare/outside.h"

#include <stdlib.h>
#include <string.h>

#include "collector/run/touch.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

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
static int refuse(struct unit *u, bool alone, struct err *err)
{
	struct err why = ERR_INIT;
	struct buf text = BUF_INIT;
	int result;

	err_set(&why, ERR_CONFIG,
		"both sides would run the same program: '%s' lies in neither tree and opens "
		"nothing of them",
		u->head.exe);
	err_hint(&why, "name the program that the build makes, such as build/bench/NAME; to "
		       "measure a program against itself, add --measure-identical");
	if (alone) {
		*err = why;
		return err_in(err, "%s", u->name);
	}
	buf_addf(&text, "%s; %s", why.text, why.hint);
	result = buf_check(&text, err) || str_set(&u->failure, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

int compare_refuse_outside(const struct process_runner *r, struct plan *plan, const char *base_top,
			   const char *head_top, struct err *err)
{
	struct process_runner runner = *r;
	size_t i;

	runner.top = head_top;
	for (i = 0; i < plan->n; i++) {
		struct unit *u = &plan->units[i];
		enum touch touch;

		if (!u->has_base || u->failure || u->format != FORMAT_COMMAND ||
		    u->head.binary_id || u->base.binary_id || strcmp(u->head.exe, u->base.exe) ||
		    may_use(u, base_top) || may_use(u, head_top))
			continue;
		if (touch_tree(&runner, u->config, &u->head, head_top, &touch, err))
			return -1;
		if (touch == TOUCH_NOTHING && refuse(u, plan->n == 1, err))
			return -1;
	}
	return 0;
}
