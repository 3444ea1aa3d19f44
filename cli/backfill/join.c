#include "cli/backfill/join.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/backfill/parts.h"
#include "cli/document.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

void backfill_joined_release(struct backfill_joined *j)
{
	str_set(&j->machine, NULL, NULL);
	str_set(&j->pool, NULL, NULL);
}

/* ---- the files ------------------------------------------------------------------------------ */

static bool is_document(const char *name)
{
	size_t n = strlen(name);

	return name[0] != '.' && n > 5 && !strcmp(name + n - 5, ".json");
}

/* Of a folder and, at depth 0, of those in it: each job of a CI leaves one. */
static int list(const char *dir, int depth, struct strv *out, struct err *err)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int result = 0;

	if (!d)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : err_sys(err, ERR_IO, "cannot read '%s'", dir);
	while (!result && (e = readdir(d))) {
		char *path = e->d_name[0] == '.' ? NULL : path_join(dir, e->d_name, err);

		if (!path)
			result = e->d_name[0] == '.' ? 0 : -1;
		else if (is_document(e->d_name))
			result = strv_add(out, path, err);
		else if (!depth)
			result = list(path, 1, out, err);
		free(path);
	}
	closedir(d);
	return result;
}

/* ---- which of them count -------------------------------------------------------------------- */

struct join {
	const struct options *o;
	const struct context *c;
	const struct strv *ids;
	const struct backfill_asked *asked;
	struct kind {
		char *machine, *cpu, *pool;
		size_t n;
	} * kinds;
	size_t n_kinds, n_elsewhere, n_damaged, n_short;
};

static void join_release(struct join *j)
{
	size_t i;

	for (i = 0; i < j->n_kinds; i++) {
		free(j->kinds[i].machine);
		free(j->kinds[i].cpu);
		free(j->kinds[i].pool);
	}
	free(j->kinds);
}

static bool is_of_these(const struct join *j, const char *path, const struct summary *s)
{
	if (!s->commit.id || s->commit.dirty)
		return false;
	if (backfill_has_failed(s))
		return backfill_file_failed(path, j->ids) < j->ids->n;
	return s->baseline.commit && strv_has(j->ids, s->commit.id) &&
	       strv_has(j->ids, s->baseline.commit);
}

/* What was missing there may be here, whenever it came. */
static bool is_whole(const struct join *j, const struct summary *s)
{
	return backfill_is_whole(j->asked, s) && !(s->settings.lacks_parts && j->asked->parts_us);
}

/* Counts what is wrong with it, once. */
static bool read_one(struct join *j, const char *path, bool count, struct summary *out)
{
	struct err fault = ERR_INIT;

	if (document_read(path, out, &fault)) {
		j->n_damaged += count;
		if (count)
			talk_warn(j->c->talk, NULL, "%s", fault.text);
		err_clear(&fault);
		return false;
	}
	if (strcmp(out->project, j->c->project) || !out->machine.id || !is_of_these(j, path, out))
		j->n_elsewhere += count;
	else if (backfill_has_failed(out) || is_whole(j, out))
		return true;
	else
		j->n_short += count;
	summary_release(out);
	return false;
}

static int count_kind(struct join *j, const struct machine *m, struct err *err)
{
	struct kind *grown;
	size_t i;

	for (i = 0; i < j->n_kinds; i++)
		if (!strcmp(j->kinds[i].machine, m->id)) {
			j->kinds[i].n++;
			return 0;
		}
	grown = realloc(j->kinds, (j->n_kinds + 1) * sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	j->kinds = grown;
	grown = &j->kinds[j->n_kinds++];
	*grown = (struct kind){ NULL, NULL, NULL, 1 };
	return str_set(&grown->machine, m->id, err) || str_set(&grown->cpu, m->cpu, err) ||
			       str_set(&grown->pool, facts_find(&m->more, "pool"), err)
		       ? -1
		       : 0;
}

static int look(struct join *j, const struct strv *files, struct err *err)
{
	struct summary s;
	size_t i;
	int result = 0;

	for (i = 0; i < files->n && !result; i++) {
		if (!read_one(j, files->v[i], true, &s))
			continue;
		result = count_kind(j, &s.machine, err);
		summary_release(&s);
	}
	return result;
}

static const struct kind *most_frequent(const struct join *j)
{
	const struct kind *best = NULL;
	size_t i;

	for (i = 0; i < j->n_kinds; i++)
		if (!best || j->kinds[i].n > best->n)
			best = &j->kinds[i];
	return best;
}

static void warn(const struct join *j, const struct kind *best)
{
	const struct talk *talk = j->c->talk;
	size_t i;

	if (j->n_damaged)
		talk_warn(talk, "what they held is missing below", "%zu file%s cannot be read",
			  j->n_damaged, j->n_damaged == 1 ? "" : "s");
	if (j->n_elsewhere)
		talk_warn(talk, NULL,
			  "%zu file%s left out: of another project, or of commits that "
			  "are not among these",
			  j->n_elsewhere, j->n_elsewhere == 1 ? " is" : "s are");
	if (j->n_short)
		talk_warn(talk, NULL,
			  "%zu file%s left out: without some benchmarks that are "
			  "configured now, or built or run in another way, or without all of "
			  "their parts",
			  j->n_short, j->n_short == 1 ? " is" : "s are");
	for (i = 0; i < j->n_kinds; i++)
		if (&j->kinds[i] != best)
			talk_warn(talk,
				  "let all parts run on machines of one kind, and of one "
				  "PAWL_POOL",
				  "%zu result%s of another machine left out: %s is %s, most are of "
				  "%s (%s)",
				  j->kinds[i].n, j->kinds[i].n == 1 ? " is" : "s are",
				  j->kinds[i].machine, j->kinds[i].cpu, best->machine, best->cpu);
}

/* ---- taking them ---------------------------------------------------------------------------- */

/* *out_kept: whether it is in the store.  Another result of the same id is no reason to lose the
 * rest. */
static int store(const struct join *j, struct store *store, const struct summary *s, bool *out_kept,
		 struct err *err)
{
	int result = store_add(store, s, false, NULL, err);

	*out_kept = !result;
	if (!result || err->code != ERR_CONFLICT)
		return result;
	talk_warn(j->c->talk, NULL, "a result of %.10s is left out: %s", s->commit.id, err->text);
	err_clear(err);
	return 0;
}

static int take_failure(const struct join *j, struct store *to, const struct summary *s,
			const char *commit, struct backfill_known *known, struct err *err)
{
	bool is_known = backfill_known_failure(known, commit) != NULL, kept;

	if (backfill_failed_note(to, commit, s, &known->failed, err))
		return -1;
	if (is_known)
		return 0;
	if (!backfill_known_failure(known, commit)) {
		talk_warn(j->c->talk, NULL, "%.10s failed there, and is to be measured again: %s",
			  commit, s->benchmarks[0].detail ? s->benchmarks[0].detail : "no reason");
		return 0;
	}
	/* A base that failed is no result of the head. */
	return !strcmp(commit, s->commit.id) && store(j, to, s, &kept, err) ? -1 : 0;
}

static int take(const struct join *j, struct store *to, const struct summary *s,
		struct backfill_known *known, struct backfill_joined *out, struct err *err)
{
	bool kept;

	if (backfill_known_gap(known, s->baseline.commit, s->commit.id) != GAP_UNKNOWN)
		return 0;
	if (store(j, to, s, &kept, err))
		return -1;
	if (!kept)
		return 0;
	out->n_taken++;
	return backfill_failed_forget(to, s->baseline.commit, &known->failed, err) ||
			       backfill_failed_forget(to, s->commit.id, &known->failed, err) ||
			       backfill_known_add(known, s->commit.id, s->baseline.commit,
						  backfill_found(s), err)
		       ? -1
		       : 0;
}

static int take_all(struct join *j, struct store *store, const struct strv *files,
		    struct backfill_known *known, struct backfill_joined *out, struct err *err)
{
	struct summary s;
	size_t i;
	int result = 0;

	for (i = 0; i < files->n && !result; i++) {
		if (!read_one(j, files->v[i], false, &s))
			continue;
		if (strcmp(s.machine.id, out->machine) != 0)
			;
		else if (backfill_has_failed(&s))
			result = take_failure(j, store, &s,
					      j->ids->v[backfill_file_failed(files->v[i], j->ids)],
					      known, err);
		else
			result = take(j, store, &s, known, out, err);
		summary_release(&s);
	}
	return result;
}

int backfill_join(const struct options *o, const struct context *c, struct store *store,
		  const char *dir, const struct strv *ids, const struct backfill_asked *asked,
		  struct backfill_known *known, struct backfill_joined *out, struct err *err)
{
	struct join j = { .o = o, .c = c, .ids = ids, .asked = asked };
	struct strv files = STRV_INIT;
	const struct kind *best;
	int result = -1;

	*out = (struct backfill_joined){ NULL, NULL, 0, 0 };
	if (list(dir, 0, &files, err))
		goto out;
	strv_sort(&files);
	out->n_files = files.n;
	if (look(&j, &files, err))
		goto out;
	best = most_frequent(&j);
	warn(&j, best);
	result = 0;
	if (best &&
	    (str_set(&out->machine, best->machine, err) || str_set(&out->pool, best->pool, err) ||
	     backfill_known_load(store, c->project, best->machine, ids, asked, known, err) ||
	     take_all(&j, store, &files, known, out, err)))
		result = -1;
out:
	join_release(&j);
	strv_release(&files);
	return result;
}
