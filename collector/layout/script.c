#include "collector/layout/script.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/link/link.h"
#include "lib/base/strv.h"
#include "lib/digest/digest.h"
#include "lib/stats/coin.h"

#include "lib/base/banned.h"

#define RULER "\n=================================================="
#define GAP_STEP 16
#define GAP_STEPS 16   /* gaps of 0 to 240 bytes */
#define WIDE_ONE_IN 16 /* and every so many up to a page */
#define WIDE_STEPS 256
#define GAPS_FULL 256 /* of more sections fewer get a gap: a program must not swell */

char *script_of_verbose(const char *printed, struct err *err)
{
	const char *start = strstr(printed, RULER), *end;
	char *script;

	start = start ? strchr(start + 1, '\n') : NULL;
	end = start ? strstr(start, RULER) : NULL;
	if (!end) {
		err_set(err, ERR_SYNTAX, "the linker does not show its script");
		return NULL;
	}
	script = strndup(start + 1, (size_t)(end - start));
	if (!script)
		err_nomem(err);
	return script;
}

/* What link-time optimisation made and deleted has another name each time. */
static const char *passing_pattern(const struct map_unit *u, char *out, size_t size)
{
	const char *name = path_base(u->file), *dot = strchr(name, '.');
	struct stat st;

	if (u->member || *u->file != '/' || !stat(u->file, &st))
		return NULL;
	if (strstr(name, ".ltrans") && dot)
		snprintf(out, size, "*%s", dot);
	else if (str_starts(name, "lto-llvm-"))
		snprintf(out, size, "*lto-llvm-*.o");
	else
		return NULL;
	return out;
}

/* Whether a name means itself in a script; a ':' parts an archive from its member. */
static bool is_plain(const char *name)
{
	const char *c;

	for (c = name; c && *c; c++)
		if ((unsigned char)*c <= ' ' || strchr("*?[]\"\\:", *c))
			return false;
	return true;
}

/* "*(...)" of merged sections stays: equal strings of two objects are one, wherever they are. */
static bool is_merged(const struct map_unit *u)
{
	return str_starts(u->name, ".rodata.str") || str_starts(u->name, ".rodata.cst");
}

static bool is_project(const struct script_request *rq, const struct map_unit *u)
{
	char pattern[256];

	return *u->file != '/' || str_below(u->file, rq->top) ||
	       passing_pattern(u, pattern, sizeof(pattern));
}

static bool can_name(const struct map_unit *u)
{
	return is_plain(u->file) && is_plain(u->member) && is_plain(u->name) && !is_merged(u);
}

/*
 * A plain name that is none of the link's files would be taken for one more of them, and linked in:
 * only what stands on the command line is named plainly.  What does not is a member of a thin
 * archive, whose map has the member alone, or was named by a script.
 */
static void name_unit(const struct script_request *rq, const struct map_unit *u, struct buf *out)
{
	char pattern[256];
	const char *passing = passing_pattern(u, pattern, sizeof(pattern));
	int n = (int)strlen(u->file) - 1;

	if (u->member)
		buf_addf(out, "    \"%s:%s\"", u->file, u->member);
	else if (passing)
		buf_addf(out, "    \"%s\"", passing);
	else if (strv_has(rq->words, u->file))
		buf_addf(out, "    \"%s\"", u->file);
	else
		buf_addf(out, "    \"%.*s[%s]\"(\"%s\") \"*:%s\"", n, u->file, u->file + n, u->name,
			 u->file);
	buf_addf(out, "(\"%s\")\n", u->name);
}

static uint32_t draw_gap(struct coin *coin, size_t n)
{
	if (n > GAPS_FULL && coin_below(coin, (uint32_t)(n / GAPS_FULL) + 1))
		return 0;
	return GAP_STEP * coin_below(coin, coin_below(coin, WIDE_ONE_IN) ? GAP_STEPS : WIDE_STEPS);
}

/* A unit that moves. */
struct moving {
	size_t at;
	uint64_t rank, seed; /* its place among the others; what its gap is drawn by */
};

static uint64_t half(const char *hex)
{
	char digits[17];

	memcpy(digits, hex, 16);
	digits[16] = '\0';
	return strtoull(digits, NULL, 16);
}

/* What a unit's file is called on both sides. */
static void add_file(const struct script_request *rq, const struct map_unit *u, struct digest *d)
{
	char pattern[256];
	const char *file = passing_pattern(u, pattern, sizeof(pattern)), *name;
	size_t n;

	name = link_input_name(file ? file : u->file, rq->top, &n);
	digest_add(d, name, n);
	digest_add(d, "", 1);
}

/*
 * Draws for a unit by its own name, and not by how many there are: a commit that adds one leaves
 * the order of the others, so that both sides of a pair have what they have in common in like
 * places.
 */
static int draw(const struct script_request *rq, const struct map_unit *u, struct moving *out,
		struct err *err)
{
	struct digest d = DIGEST_INIT;
	char hex[DIGEST_HEX];

	if (digest_begin(&d, err))
		return -1;
	digest_add(&d, &rq->seed, sizeof(rq->seed));
	add_file(rq, u, &d);
	digest_adds(&d, u->member);
	digest_adds(&d, u->name);
	if (digest_end(&d, hex, err))
		return -1;
	out->rank = half(hex);
	out->seed = half(hex + 16);
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct moving *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* The units from first on that one statement took: those of the project in random order. */
static int shuffle_group(const struct script_request *rq, const struct map_unit *first, size_t n,
			 struct buf *out, size_t *moved, struct err *err)
{
	struct moving *own = calloc(n, sizeof(*own));
	size_t i, n_own = 0, n_lead = n;
	struct coin coin;
	uint32_t gap;
	int result = -1;

	if (!own)
		return err_nomem(err);
	for (i = 0; i < n; i++) {
		if (!is_project(rq, &first[i]) || !can_name(&first[i]))
			continue;
		n_lead = n_own ? n_lead : i;
		own[n_own].at = i;
		if (draw(rq, &first[i], &own[n_own++], err))
			goto out;
	}
	for (i = 0; n_own && i < n_lead; i++)
		if (can_name(&first[i]))
			name_unit(rq, &first[i], out);
	qsort(own, n_own, sizeof(*own), by_rank);
	for (i = 0; i < n_own; i++) {
		coin_init(&coin, own[i].seed);
		gap = draw_gap(&coin, n_own);
		if (gap)
			buf_addf(out, "    . = . + %u;\n", gap);
		name_unit(rq, &first[own[i].at], out);
	}
	*moved += n_own;
	result = buf_check(out, err);
out:
	free(own);
	return result;
}

/* Where the statement stands in the script, if it stands there once; else NULL. */
static const char *find_once(const char *script, const char *statement)
{
	const char *at = strstr(script, statement);

	return at && !strstr(at + 1, statement) ? at : NULL;
}

int script_make(const struct script_request *rq, struct buf *out, size_t *out_moved,
		struct err *err)
{
	const struct map *m = rq->map;
	const char *done = rq->script, *at;
	size_t i, n;

	*out_moved = 0;
	for (i = 0; i < m->n; i += n) {
		for (n = 1; i + n < m->n && m->v[i + n].statement == m->v[i].statement; n++)
			;
		at = find_once(rq->script, m->v[i].statement);
		if (!at || at < done)
			continue;
		buf_add(out, done, (size_t)(at - done));
		buf_adds(out, "\n");
		done = at;
		if (shuffle_group(rq, &m->v[i], n, out, out_moved, err))
			return -1;
		buf_adds(out, "    ");
	}
	buf_adds(out, done);
	return buf_check(out, err);
}
