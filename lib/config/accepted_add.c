/* Writing to the file of accepted changes. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/config/accepted.h"
#include "lib/config/values.h"

#include "lib/base/banned.h"

#define FILE_MAX ((size_t)1 << 20)

/* A value that says the same to git, whatever stands in it. */
static void add_value(struct buf *out, const char *key, const char *text)
{
	buf_addf(out, "\t%s = \"", key);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *text);
	}
	buf_adds(out, "\"\n");
}

/* As one line, on the heap. */
static int one_line(const char *text, char **out, struct err *err)
{
	*out = str_dup(text ? text : "", err);
	if (!*out)
		return -1;
	err_clean(*out);
	return 0;
}

static int add_section(struct buf *out, const struct accepted_change *c, struct err *err)
{
	char *because = NULL, *subject = NULL, when[WHEN_ISO], size[ACCEPTED_CHANGE_TEXT];
	int result = -1;

	if (one_line(c->because, &because, err) || one_line(c->subject, &subject, err))
		goto out;
	if (out->len && out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
	buf_addf(out, "[accept \"%s\"]\n", c->commit);
	add_value(out, "benchmark", c->benchmark);
	buf_addf(out, "\tchange = %s\n", accepted_change_print(c->change, size));
	if (c->metric)
		add_value(out, "metric", c->metric);
	add_value(out, "because", because);
	if (*subject)
		add_value(out, "subject", subject);
	if (c->authored_us != INT64_MIN)
		buf_addf(out, "\tauthored = %s\n", when_iso(c->authored_us, false, when));
	result = buf_check(out, err);
out:
	free(because);
	free(subject);
	return result;
}

static int check(const struct accepted_change *c, struct err *err)
{
	if (!name_is_valid(c->benchmark))
		return err_set(err, ERR_USAGE, "'%s' is no name of a benchmark", c->benchmark);
	if (!(c->change >= 0) || (isfinite(c->change) && c->change > ACCEPTED_CHANGE_MAX))
		return err_set(err, ERR_USAGE, "%g is no size of a change", c->change);
	if (!c->because || !c->because[strspn(c->because, " \t\r\n")]) {
		err_set(err, ERR_USAGE, "the reason is empty");
		return err_hint(err, "--because \"why the change is accepted\"");
	}
	if (strlen(c->because) > ACCEPTED_BECAUSE_MAX)
		return err_set(err, ERR_USAGE, "the reason is longer than %d bytes",
			       ACCEPTED_BECAUSE_MAX);
	return 0;
}

static bool is_same_size(double a, double b)
{
	char x[ACCEPTED_CHANGE_TEXT], y[ACCEPTED_CHANGE_TEXT];

	return !strcmp(accepted_change_print(a, x), accepted_change_print(b, y));
}

static bool is_same(const struct accepted_change *a, const struct accepted_change *b)
{
	return !strcmp(a->commit, b->commit) && !strcmp(a->benchmark, b->benchmark) &&
	       !strcmp(a->because, b->because) && str_same(a->subject, b->subject) &&
	       str_same(a->metric, b->metric) && a->authored_us == b->authored_us &&
	       is_same_size(a->change, b->change);
}

/* Whether it says what was there before and one entry more, the right one. */
static bool says_one_more(const struct accepted *now, const struct accepted *before,
			  const struct accepted_change *c)
{
	size_t i;

	if (now->n != before->n + 1)
		return false;
	for (i = 0; i < before->n; i++)
		if (!is_same(&now->v[i], &before->v[i]))
			return false;
	return !strcmp(now->v[i].commit, c->commit) && !strcmp(now->v[i].benchmark, c->benchmark) &&
	       is_same_size(now->v[i].change, c->change);
}

/* Reads what would be written. */
static int prove(const struct buf *text, const char *path, const struct accepted *before,
		 const struct accepted_change *c, struct err *err)
{
	struct accepted now = ACCEPTED_INIT;
	struct buf trial = BUF_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	buf_addf(&trial, "%s.new", path);
	if (buf_check(&trial, err) ||
	    file_write_whole(buf_str(&trial), text->data, text->len, 0644, err))
		goto out;
	if (accepted_read(buf_str(&trial), &now, &fault) && err_is_fatal(&fault)) {
		if (err)
			*err = fault;
		goto out;
	}
	if (fault.code || !says_one_more(&now, before, c)) {
		err_set(err, ERR_CONFIG, "cannot add to '%s': its end is not complete",
			ACCEPTED_FILE);
		err_hint(err, "look at its last lines");
		goto out;
	}
	result = 0;
out:
	if (trial.len)
		unlink(buf_str(&trial));
	accepted_release(&now);
	buf_release(&trial);
	return result;
}

int accepted_add(const char *path, const struct accepted_change *change, struct err *err)
{
	struct accepted before = ACCEPTED_INIT;
	struct buf text = BUF_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	if (check(change, err) || accepted_read(path, &before, err))
		goto out;
	if (file_read_whole(path, FILE_MAX, &text, &fault) && fault.code != ERR_ABSENT) {
		if (err)
			*err = fault;
		goto out;
	}
	if (add_section(&text, change, err) || prove(&text, path, &before, change, err))
		goto out;
	result = file_write_whole(path, text.data, text.len, 0644, err);
out:
	accepted_release(&before);
	buf_release(&text);
	return result;
}
