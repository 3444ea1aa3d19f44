#include "lib/config/accepted.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/number.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/config/values.h"
#include "lib/git/config/gitconfig.h"

#include "lib/base/banned.h"

#define PREFIX "accept."

static void change_release(struct accepted_change *c)
{
	free(c->commit);
	free(c->benchmark);
	free(c->metric);
	free(c->because);
	free(c->subject);
}

void accepted_release(struct accepted *a)
{
	while (a->n)
		change_release(&a->v[--a->n]);
	free(a->v);
	*a = (struct accepted)ACCEPTED_INIT;
}

static int wrong(int line, const char *cure, struct err *err, const char *what)
{
	err_set(err, ERR_CONFIG, "'%s' line %d: %s", ACCEPTED_FILE, line, what);
	return err_hint(err, "%s", cure);
}

/* ---- sizes ----------------------------------------------------------------------------- */

bool accepted_change_parse(const char *text, double *out)
{
	size_t n = strlen(text);
	char digits[ACCEPTED_CHANGE_TEXT];
	double value;
	bool percent;

	if (!strcmp(text, "any")) {
		*out = (double)INFINITY;
		return true;
	}
	percent = n && text[n - 1] == '%';
	n -= percent;
	while (percent && n && text[n - 1] == ' ')
		n--;
	if (n >= sizeof(digits))
		return false;
	memcpy(digits, text, n);
	digits[n] = '\0';
	if (!number_double(digits, &value))
		return false;
	value /= percent ? 100 : 1;
	if (value < 0 || value > (percent ? ACCEPTED_CHANGE_MAX : 1))
		return false;
	*out = value;
	return true;
}

const char *accepted_change_print(double change, char out[ACCEPTED_CHANGE_TEXT])
{
	if (isfinite(change))
		snprintf(out, ACCEPTED_CHANGE_TEXT, "+%.10g%%", 100 * fabs(change));
	else
		snprintf(out, ACCEPTED_CHANGE_TEXT, "any");
	return out;
}

/* ---- reading --------------------------------------------------------------------------- */

static bool is_id(const char *text, size_t n)
{
	return (n == 40 || n == 64) && strspn(text, "0123456789abcdef") == n;
}

/* Opens an entry. */
static int open_change(struct accepted *a, const char *id, size_t n_id,
		       const struct gitconfig_entry *e, struct err *err)
{
	struct accepted_change c = { .authored_us = INT64_MIN,
				     .change = (double)INFINITY,
				     .line = e->line },
			       *v;

	if (!e->value || !name_is_valid(e->value))
		return wrong(e->line, "write the name as 'pawl report' shows it", err,
			     "expected a benchmark's name");
	v = realloc(a->v, (a->n + 1) * sizeof(*v));
	if (!v)
		return err_nomem(err);
	a->v = v;
	c.commit = strndup(id, n_id);
	if (!c.commit || str_set(&c.benchmark, e->value, err)) {
		change_release(&c);
		return err_nomem(err);
	}
	v[a->n++] = c;
	return 0;
}

/* A key behind `benchmark`. */
static int set_key(struct accepted_change *c, const char *key, const struct gitconfig_entry *e,
		   struct err *err)
{
	const char *value = e->value ? e->value : "";

	if (!strcmp(key, "because")) {
		if (!*value || strlen(value) > ACCEPTED_BECAUSE_MAX)
			return wrong(e->line, "say in one line why the change is accepted", err,
				     "expected a reason");
		if (str_set(&c->because, value, err))
			return -1;
		err_clean(c->because);
		return 0;
	}
	if (!strcmp(key, "change")) {
		if (accepted_change_parse(value, &c->change))
			return 0;
		return wrong(e->line, "for example +6.1%, or any", err,
			     "expected how much worse it may get");
	}
	if (!strcmp(key, "metric")) {
		if (!strcmp(value, "cpu") || !strcmp(value, "wall")) /* a time, as without it */
			return str_set(&c->metric, NULL, err);
		if (name_is_valid(value))
			return str_set(&c->metric, value, err);
		return wrong(e->line, "for example peak-rss; leave it out where a time decides",
			     err, "expected a metric's name");
	}
	if (!strcmp(key, "subject")) {
		if (str_set(&c->subject, value, err))
			return -1;
		err_clean(c->subject);
		return 0;
	}
	if (!strcmp(key, "authored")) {
		if (when_parse(value, &c->authored_us))
			return 0;
		return wrong(e->line, "for example 2026-11-20T10:00:00Z", err,
			     "expected a point in time");
	}
	return wrong(e->line, "known are benchmark, change, metric, because, subject and authored",
		     err, "unknown key");
}

static int read_entry(struct accepted *a, const struct gitconfig_entry *e, struct err *err)
{
	const char *id = e->key + strlen(PREFIX), *key = strrchr(e->key, '.');
	size_t n;

	if (!str_starts(e->key, PREFIX) || !key || key < id)
		return wrong(e->line, "a section looks like [accept \"COMMIT ID\"]", err,
			     "expected a section [accept]");
	n = (size_t)(key++ - id);
	if (!is_id(id, n))
		return wrong(e->line, "give all 40 or 64 digits, in lower case", err,
			     "the section does not name a whole commit id");
	if (!strcmp(key, "benchmark"))
		return open_change(a, id, n, e, err);
	if (!a->n || strncmp(a->v[a->n - 1].commit, id, n) != 0 || a->v[a->n - 1].commit[n])
		return wrong(e->line, "put 'benchmark = NAME' above it, in the same section", err,
			     "it is not said for which benchmark");
	return set_key(&a->v[a->n - 1], key, e, err);
}

/* What the entries of a file say; all of them, or a fault. */
static int read_entries(const struct gitconfig *file, struct accepted *out, struct err *err)
{
	struct accepted a = ACCEPTED_INIT;
	size_t i;

	for (i = 0; i < file->n; i++)
		if (read_entry(&a, &file->v[i], err))
			goto out;
	for (i = 0; i < a.n; i++)
		if (!a.v[i].because) {
			wrong(a.v[i].line, "add below it: because = WHY", err,
			      "the change has no reason");
			goto out;
		}
	*out = a;
	return 0;
out:
	accepted_release(&a);
	return -1;
}

/* result: of reading the file; where there is none, nothing is accepted. */
static int take_file(int result, struct gitconfig *file, const struct err *fault,
		     struct accepted *out, struct err *err)
{
	if (!result) {
		result = read_entries(file, out, err);
	} else if (fault->code == ERR_ABSENT) {
		*out = (struct accepted)ACCEPTED_INIT;
		result = 0;
	} else if (err) {
		*err = *fault;
	}
	gitconfig_release(file);
	return result;
}

int accepted_read(const char *path, struct accepted *out, struct err *err)
{
	struct gitconfig file = GITCONFIG_INIT;
	struct err fault = ERR_INIT;

	return take_file(gitconfig_read_file(path, &file, &fault), &file, &fault, out, err);
}

int accepted_load_committed(struct repo *repo, const char *commit, struct accepted *out,
			    struct err *err)
{
	struct gitconfig file = GITCONFIG_INIT;
	struct err fault = ERR_INIT;
	int result = gitconfig_read_committed(repo, commit, ACCEPTED_FILE, &file, &fault);

	return take_file(result, &file, &fault, out, err);
}

int accepted_load(struct repo *repo, struct accepted *out, struct err *err)
{
	struct buf path = BUF_INIT;
	int result = -1;

	if (!repo_top(repo)) {
		*out = (struct accepted)ACCEPTED_INIT;
		return 0;
	}
	buf_addf(&path, "%s/%s", repo_top(repo), ACCEPTED_FILE);
	if (!buf_check(&path, err))
		result = accepted_read(buf_str(&path), out, err);
	buf_release(&path);
	return result;
}
