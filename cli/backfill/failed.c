#include "cli/backfill/failed.h"

#include <stdlib.h>
#include <string.h>

#include "cli/tries.h"
#include "collector/unit/units.h"
#include "lib/base/buf.h"
#include "lib/base/number.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#define KEPT_MOST 5000 /* the oldest go */
#define WAY_DIGITS 16
#define WHY_MOST 200 /* bytes */
#define IDS_MOST 16  /* of a commit that are remembered; the oldest go */

static void failure_release(struct backfill_failure *one)
{
	free(one->commit);
	free(one->why);
	free(one->way);
	free(one->ids);
}

void backfill_failed_release(struct backfill_failed *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		failure_release(&f->v[i]);
	free(f->v);
	free(f->key);
	free(f->way);
	*f = (struct backfill_failed){ NULL, 0, 0, NULL, NULL };
}

/* Takes what it is given, also when it fails. */
static int add(struct backfill_failed *f, struct backfill_failure one, struct err *err)
{
	if (!one.commit || !one.why || !one.way || !one.ids)
		goto failed;
	if (f->n == f->cap) {
		size_t cap = f->cap ? 2 * f->cap : 16;
		struct backfill_failure *grown = realloc(f->v, cap * sizeof(*grown));

		if (!grown)
			goto failed;
		f->v = grown;
		f->cap = cap;
	}
	f->v[f->n++] = one;
	return 0;
failed:
	failure_release(&one);
	return err_nomem(err);
}

/* ---- as text: a line each ------------------------------------------------------------------- */

/* The next word, which is cut off *at; NULL: there is none. */
static char *next_word(char **at)
{
	char *word = *at, *end = word ? strchr(word, ' ') : NULL;

	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return word;
}

/* A line that is none is passed over. */
static int read_line(char *line, struct backfill_failed *f, struct err *err)
{
	char *at = line, *commit = next_word(&at), *way = next_word(&at), *ids = next_word(&at),
	     *times = next_word(&at);
	uint64_t n;

	if (!times || !number_u64(times, &n) || n > TRIES_MOST)
		return 0;
	return add(f,
		   (struct backfill_failure){ str_dup(commit, err), str_dup(at, err),
					      str_dup(way, err), str_dup(ids, err), (unsigned)n },
		   err);
}

static int read_text(char *text, struct backfill_failed *f, struct err *err)
{
	char *line = text, *end;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (read_line(line, f, err))
			return -1;
	}
	return 0;
}

static int save(struct store *store, const struct backfill_failed *f, struct err *err)
{
	size_t i = f->n > KEPT_MOST ? f->n - KEPT_MOST : 0;
	struct buf text = BUF_INIT;
	int result = -1;

	for (; i < f->n; i++)
		buf_addf(&text, "%s %s %s %u %s\n", f->v[i].commit, f->v[i].way, f->v[i].ids,
			 f->v[i].times, f->v[i].why);
	if (!buf_check(&text, err))
		result = store_set_meta(store, f->key, buf_str(&text), err);
	buf_release(&text);
	return result;
}

/* ---- the way -------------------------------------------------------------------------------- */

static void add_benchmark(struct digest *d, const struct bench_config *b)
{
	char text[NUMBER_TEXT];

	digest_adds(d, b->name);
	digest_add_list(d, &b->command);
	digest_add_list(d, &b->inputs);
	digest_adds(d, b->prepare);
	digest_adds(d, b->cleanup);
	digest_adds(d, b->input);
	digest_adds(d, b->shell);
	digest_adds(d, b->output);
	digest_adds(d, number_print((double)b->format, text));
	digest_adds(d, number_print((double)b->timeout_ns, text));
	digest_adds(d, b->any_status ? "any" : NULL);
	digest_add(d, &b->limits, sizeof(b->limits));
}

static int find_way(const struct config *config, const char *build_key, const struct strv *only,
		    char **out, struct err *err)
{
	struct digest d = DIGEST_INIT;
	char hex[DIGEST_HEX];
	size_t i;

	if (digest_begin(&d, err))
		return -1;
	digest_adds(&d, build_key);
	for (i = 0; i < config->n_benchmarks; i++)
		if (plan_concerns(only, &config->benchmarks[i]))
			add_benchmark(&d, &config->benchmarks[i]);
	digest_add_list(&d, only);
	if (digest_end(&d, hex, err))
		return -1;
	hex[WAY_DIGITS] = '\0';
	return str_set(out, hex, err);
}

int backfill_failed_load(struct store *store, const char *project, const char *machine,
			 const struct config *config, const char *build_key,
			 const struct strv *only, struct backfill_failed *out, struct err *err)
{
	struct buf key = BUF_INIT;
	char *text = NULL;
	int result = -1;

	backfill_failed_release(out);
	buf_addf(&key, "failed:%s:%s", machine, project);
	if (buf_check(&key, err) || str_set(&out->key, buf_str(&key), err) ||
	    find_way(config, build_key, only, &out->way, err))
		goto out;
	if (store_get_meta(store, out->key, &text, err)) {
		if (err->code != ERR_CORRUPT)
			goto out;
		err_clear(err);
	}
	result = text ? read_text(text, out, err) : 0;
out:
	free(text);
	buf_release(&key);
	return result;
}

/* ---- what a result says --------------------------------------------------------------------- */

int backfill_failed_line(const char *why, char **out, struct err *err)
{
	static const char *const ends[] = { "; the whole output", "; stderr ended in",
					    "; stdout ended in" };
	const char *colon = strstr(why, ": "), *end;
	struct buf line = BUF_INIT;
	size_t n, i;
	int result;

	if (colon && (str_starts(why, "the head") || str_starts(why, "the base")))
		why = colon + 2;
	n = strcspn(why, "\n");
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if ((end = strstr(why, ends[i])) && (size_t)(end - why) < n)
			n = (size_t)(end - why);
	buf_add(&line, why, n < WHY_MOST ? n : WHY_MOST);
	for (i = 0; i < line.len; i++)
		if ((unsigned char)line.data[i] < ' ')
			line.data[i] = ' ';
	result = buf_check(&line, err) || str_set(out, buf_str(&line), err) ? -1 : 0;
	buf_release(&line);
	return result;
}

static struct backfill_failure *find(const struct backfill_failed *f, const char *commit)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (!strcmp(f->v[i].commit, commit) && !strcmp(f->v[i].way, f->way))
			return &f->v[i];
	return NULL;
}

static bool has_id(const char *ids, const char *id)
{
	size_t n = strlen(id);
	const char *at;

	for (at = ids; (at = strstr(at, id)); at += n)
		if ((at == ids || at[-1] == ',') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

/* However it was built and run then. */
static bool is_counted(const struct backfill_failed *f, const char *commit, const char *id)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (!strcmp(f->v[i].commit, commit) && has_id(f->v[i].ids, id))
			return true;
	return false;
}

static int add_id(struct backfill_failure *one, const char *id, struct err *err)
{
	const char *at = one->ids, *p;
	struct buf ids = BUF_INIT;
	size_t n = 1;
	int result;

	for (p = at; (p = strchr(p, ',')); p++)
		n++;
	for (; n >= IDS_MOST; n--)
		at = strchr(at, ',') + 1;
	buf_addf(&ids, "%s,%s", at, id);
	result = buf_check(&ids, err) || str_set(&one->ids, buf_str(&ids), err) ? -1 : 0;
	buf_release(&ids);
	return result;
}

int backfill_failed_note(struct store *store, const char *commit, const struct summary *s,
			 struct backfill_failed *f, struct err *err)
{
	const char *why = s->benchmarks[0].detail ? s->benchmarks[0].detail : "it failed";
	unsigned tries = tries_of(why);
	struct backfill_failure *one = find(f, commit);
	char *line = NULL;

	if (!f->key || !tries || s->settings.lacks_parts || is_counted(f, commit, s->id))
		return 0;
	if (backfill_failed_line(why, &line, err))
		return -1;
	if (!one) {
		if (add(f,
			(struct backfill_failure){ str_dup(commit, err), line, str_dup(f->way, err),
						   str_dup(s->id, err), tries },
			err))
			return -1;
		return save(store, f, err);
	}
	free(one->why);
	one->why = line;
	one->times = one->times + tries > TRIES_MOST ? TRIES_MOST : one->times + tries;
	return add_id(one, s->id, err) ? -1 : save(store, f, err);
}

int backfill_failed_forget(struct store *store, const char *commit, struct backfill_failed *f,
			   struct err *err)
{
	struct backfill_failure *one = find(f, commit);

	if (!one)
		return 0;
	/* Also where it is 0 for this call alone. */
	one->times = 0;
	return save(store, f, err);
}

void backfill_failed_reset(const struct strv *commits, struct backfill_failed *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (strv_has(commits, f->v[i].commit))
			f->v[i].times = 0;
}

const char *backfill_failed_why(const struct backfill_failed *f, const char *commit)
{
	const struct backfill_failure *one = find(f, commit);

	return one && one->times >= TRIES_MOST ? one->why : NULL;
}
