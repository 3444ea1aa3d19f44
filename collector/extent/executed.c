#include "collector/extent/executed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/extent/record.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAGIC "pawl executed 1\n"
#define FILE_MAX ((size_t)16 << 20)
#define NAME_DIGITS 16

/* The functions of a program by address, each address once. */
struct entries {
	uint64_t *v;
	bool *hit;
	size_t n;
};

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int entries_of(const struct parts *p, struct entries *out, struct err *err)
{
	size_t i, n = 0;

	out->v = calloc(p->n + 1, sizeof(*out->v));
	out->hit = calloc(p->n + 1, sizeof(*out->hit));
	if (!out->v || !out->hit)
		return err_nomem(err);
	for (i = 0; i < p->n; i++)
		if (p->v[i].kind == PART_FUNCTION)
			out->v[n++] = p->v[i].address;
	qsort(out->v, n, sizeof(*out->v), by_address);
	for (i = 0; i < n; i++)
		if (!out->n || out->v[i] != out->v[out->n - 1])
			out->v[out->n++] = out->v[i];
	return 0;
}

static void entries_release(struct entries *e)
{
	free(e->v);
	free(e->hit);
}

/* By all that a run is given. */
static char *path_of(const char *folder, const char *inputs, const struct child_spec *spec,
		     struct err *err)
{
	struct digest d = DIGEST_INIT;
	struct buf path = BUF_INIT;
	char hex[DIGEST_HEX], *const *word, *result = NULL;

	if (digest_begin(&d, err))
		return NULL;
	digest_adds(&d, inputs);
	digest_adds(&d, spec->dir);
	for (word = spec->argv; *word; word++)
		digest_adds(&d, *word);
	for (word = spec->env; *word; word++)
		digest_adds(&d, *word);
	if (!digest_end(&d, hex, err)) {
		buf_addf(&path, "%s/executed-%.*s", folder, NAME_DIGITS, hex);
		if (!buf_check(&path, err))
			result = buf_detach(&path);
	}
	buf_release(&path);
	return result;
}

/* What was kept; false: nothing was, or it is of something else. */
static bool load(const char *path, const struct entries *e)
{
	struct buf text = BUF_INIT;
	const char *at;
	char *end;
	bool good = !file_read_whole(path, FILE_MAX, &text, NULL) &&
		    str_starts(buf_str(&text), MAGIC) && text.data[text.len - 1] == '\n';

	for (at = good ? text.data + strlen(MAGIC) : ""; good && *at; at = end + 1) {
		uint64_t address = strtoull(at, &end, 16);
		const uint64_t *found = bsearch(&address, e->v, e->n, sizeof(address), by_address);

		good = found && *end == '\n';
		if (good)
			e->hit[found - e->v] = true;
	}
	if (!good)
		memset(e->hit, 0, e->n * sizeof(*e->hit));
	buf_release(&text);
	return good;
}

/* Where it cannot be kept, it is recorded again the next time. */
static void keep(const char *path, const struct entries *e)
{
	struct buf text = BUF_INIT;
	size_t i;

	buf_adds(&text, MAGIC);
	for (i = 0; i < e->n; i++)
		if (e->hit[i])
			buf_addf(&text, "%" PRIx64 "\n", e->v[i]);
	if (!buf_check(&text, NULL))
		file_write_whole(path, text.data, text.len, 0600, NULL);
	buf_release(&text);
}

/* Once more; it must come out the same. */
static int record_twice(const struct record_request *rq, const struct entries *e, struct err *err)
{
	bool *again = calloc(e->n + 1, sizeof(*again));
	int result = -1;

	if (!again)
		return err_nomem(err);
	if (!record_run(rq, e->hit, err) && !record_run(rq, again, err))
		result = memcmp(again, e->hit, e->n * sizeof(*again))
				 ? err_set(err, ERR_ABSENT, "each run executes other functions")
				 : 0;
	free(again);
	return result;
}

static int find(const char *path, const struct record_request *rq, const struct entries *e,
		struct err *err)
{
	struct err fault = ERR_INIT;

	if (load(path, e))
		return 0;
	if (!record_twice(rq, e, &fault)) {
		keep(path, e);
		return 0;
	}
	if (fault.code == ERR_CHILD || fault.code == ERR_REFUSED || fault.code == ERR_IO)
		fault.code = ERR_ABSENT;
	*err = fault;
	return -1;
}

int executed_find(const char *folder, const char *inputs, const struct child_spec *spec,
		  const struct parts *p, bool *runs, struct err *err)
{
	struct entries e = { NULL, NULL, 0 };
	char *path = path_of(folder, inputs, spec, err);
	const uint64_t *found;
	size_t i;
	int result = -1;

	if (!path || entries_of(p, &e, err))
		goto out;
	result = find(path,
		      &(struct record_request){
			      .spec = spec, .entries = e.v, .n = e.n, .start = p->entry },
		      &e, err);
	for (i = 0; !result && i < p->n; i++) {
		found = bsearch(&p->v[i].address, e.v, e.n, sizeof(*e.v), by_address);
		runs[i] = p->v[i].kind == PART_FUNCTION && found && e.hit[found - e.v];
	}
out:
	entries_release(&e);
	free(path);
	return result;
}
