#include "collector/layout/gold.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/layout/pad.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/digest/crc.h"
#include "lib/stats/coin.h"

#include "lib/base/banned.h"

#define START "\nMemory map\n"

/* ---- names ---------------------------------------------------------------------------------- */

static bool starts_with_one_of(const char *name, const char *const *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (str_starts(name, list[i]))
			return true;
	return false;
}

#define IS_OF(name, list) starts_with_one_of(name, list, sizeof(list) / sizeof((list)[0]))

/* A name that stands for itself: the list takes patterns. */
static bool can_order(const char *name)
{
	static const char *const moved[] = { ".text.", ".rodata.", ".bss." };
	static const char *const groups[] = { ".text.unlikely", ".text.exit",	".text.startup",
					      ".text.hot",	".rodata.str",	".rodata.cst",
					      ".text.sorted",	".text.unknown" };

	return IS_OF(name, moved) && !IS_OF(name, groups) && !strpbrk(name, "*?[]\\#");
}

int gold_names(const char *map, struct strv *out, struct err *err)
{
	const char *at = strstr(map, START);
	char name[1024];
	size_t n;

	if (!at)
		return err_set(err, ERR_SYNTAX, "the linker's map is not one of gold");
	for (at += strlen(START); at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
		n = *at == ' ' ? strcspn(at + 1, " \n") : 0;
		if (!n || n >= sizeof(name))
			continue;
		memcpy(name, at + 1, n);
		name[n] = '\0';
		if (can_order(name) && strv_add(out, name, err))
			return -1;
	}
	strv_sort_unique(out);
	return 0;
}

/* ---- the order ------------------------------------------------------------------------------ */

struct ranked {
	const char *name;
	uint64_t rank;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* By its own name, and not by how many there are: both sides have what they share in like places.
 */
static uint64_t draw(uint64_t seed, const char *name, size_t n)
{
	struct coin coin;

	coin_init(&coin, crc64(seed, name, n) ^ seed);
	return (uint64_t)coin_below(&coin, UINT32_MAX) << 32 | coin_below(&coin, UINT32_MAX);
}

static int write_list(const struct gold_request *rq, const char *path, struct err *err)
{
	const struct strv *names = rq->names;
	struct ranked *v = calloc(names->n + 1, sizeof(*v));
	struct buf text = BUF_INIT;
	size_t i;
	int result = -1;

	if (!v)
		return err_nomem(err);
	for (i = 0; i < names->n; i++)
		v[i] = (struct ranked){ names->v[i],
					draw(rq->seed, names->v[i], strlen(names->v[i])) };
	qsort(v, names->n, sizeof(*v), by_rank);
	for (i = 0; i < names->n; i++)
		buf_addf(&text, "%s\n", v[i].name);
	if (!buf_check(&text, err))
		result = file_write_new(path, buf_str(&text), text.len, 0600, err);
	buf_release(&text);
	free(v);
	return result;
}

/* ---- gaps ----------------------------------------------------------------------------------- */

/* An object or archive by itself; what stands behind "-o" and its like means something else. */
static bool is_object(const struct strv *words, size_t i)
{
	const char *word = words->v[i], *dot = strrchr(word, '.'),
		   *before = i ? words->v[i - 1] : "";

	return *word != '-' && dot && (!strcmp(dot, ".o") || !strcmp(dot, ".a")) &&
	       (*before != '-' || strlen(before) > 2);
}

static bool is_project(const struct gold_request *rq, const char *word)
{
	return *word != '/' || str_below(word, rq->top);
}

static void pad_path(const char *beside, unsigned number, struct buf *out)
{
	buf_reset(out);
	buf_addf(out, "%s.%u.o", beside, number);
}

/* Which of them have a gap behind them: all of few, of many any. */
static size_t count_objects(const struct gold_request *rq)
{
	const struct strv *words = &rq->link->words;
	size_t i, n = 0;

	for (i = 0; i < words->n; i++)
		n += is_object(words, i) && is_project(rq, words->v[i]);
	return n;
}

static int add_pad(const struct gold_request *rq, uint64_t seed, unsigned number, struct strv *out,
		   struct err *err)
{
	struct buf path = BUF_INIT;
	int result = -1;

	pad_path(rq->beside, number, &path);
	if (!buf_check(&path, err) && !pad_write(buf_str(&path), seed, rq->kinds | PAD_ONE, err))
		result = strv_add(out, buf_str(&path), err);
	buf_release(&path);
	return result;
}

static int add_words(const struct gold_request *rq, struct strv *out, struct err *err)
{
	const struct strv *words = &rq->link->words;
	size_t i, n_objects = count_objects(rq);
	unsigned n_pads = 0;

	for (i = 0; i < words->n; i++) {
		const char *word = words->v[i], *name;
		uint64_t seed;
		size_t n;

		if (is_object(words, i) && is_project(rq, word) && n_pads < GOLD_PADS) {
			name = link_input_name(word, rq->top, &n);
			seed = draw(rq->seed, name, n);
			if ((n_objects <= GOLD_PADS || seed % n_objects < GOLD_PADS) &&
			    add_pad(rq, seed, n_pads++, out, err))
				return -1;
		}
		if (strv_add(out, word, err))
			return -1;
	}
	return 0;
}

int gold_words(const struct gold_request *rq, struct strv *out, struct err *err)
{
	struct buf list = BUF_INIT;
	int result = -1;

	buf_addf(&list, "%s.list", rq->beside);
	if (!buf_check(&list, err) && !write_list(rq, buf_str(&list), err) &&
	    !add_words(rq, out, err))
		result = strv_addf(out, err, "--section-ordering-file=%s", buf_str(&list));
	buf_release(&list);
	return result;
}

void gold_clean(const char *beside)
{
	struct buf path = BUF_INIT;
	unsigned i;

	for (i = 0; i < GOLD_PADS; i++) {
		pad_path(beside, i, &path);
		unlink(buf_str(&path));
	}
	buf_reset(&path);
	buf_addf(&path, "%s.list", beside);
	unlink(buf_str(&path));
	buf_release(&path);
}
