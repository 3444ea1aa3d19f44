#include "collector/survey/survey_list.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

bool survey_can_write(const char *text)
{
	const char *p;

	for (p = text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return false;
	return true;
}

void surveyed_release(struct surveyed *b)
{
	free(b->name);
	free(b->fault);
	free(b->doubt);
	free(b->some);
	free(b->dir);
	strv_release(&b->command);
}

bool survey_runs(const struct survey *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!s->v[i].fault)
			return true;
	return false;
}

void survey_release(struct survey *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		surveyed_release(&s->v[i]);
	free(s->v);
	strv_release(&s->others);
	if (s->tests)
		survey_release(s->tests);
	free(s->tests);
	free(s->build);
	free(s->build_fault);
	free(s->other_build);
	free(s->other_fault);
	*s = (struct survey)SURVEY_INIT;
}

static bool is_named(const struct survey *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->v[i].name, name))
			return true;
	return false;
}

/* The same program of the project; of one that is found in PATH, with the same words. */
static bool is_same(const struct strv *a, const struct strv *b)
{
	size_t i;

	if (strchr(a->v[0], '/') || a->n != b->n)
		return !strcmp(a->v[0], b->v[0]) && strchr(a->v[0], '/');
	for (i = 0; i < a->n; i++)
		if (strcmp(a->v[i], b->v[i]) != 0)
			return false;
	return true;
}

static bool is_known(const struct survey *s, const struct strv *command)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (is_same(&s->v[i].command, command))
			return true;
	return false;
}

/* The name, or with a number behind it where another benchmark has it. */
static char *new_name(const struct survey *s, const char *name, struct err *err)
{
	struct buf text = BUF_INIT;
	char *out;
	int i;

	buf_adds(&text, name);
	for (i = 2; is_named(s, buf_str(&text)); i++) {
		buf_reset(&text);
		buf_addf(&text, "%s-%d", name, i);
	}
	out = buf_detach(&text);
	if (!out)
		err_nomem(err);
	return out;
}

int survey_add(struct survey *s, const char *name, struct strv *command, const char *format,
	       const char *found_by, struct err *err)
{
	struct surveyed *b;
	bool skip = !survey_can_write(name);
	size_t i;

	for (i = 0; i < command->n; i++)
		skip = skip || !survey_can_write(command->v[i]);
	skip = skip || is_known(s, command);
	if (skip) {
		strv_release(command);
		return 0;
	}
	if (s->n == SURVEY_MOST) {
		s->is_cut = true;
		strv_release(command);
		return 0;
	}
	if (!s->v)
		s->v = calloc(SURVEY_MOST, sizeof(*s->v));
	b = s->v ? &s->v[s->n] : NULL;
	if (!b || !(b->name = new_name(s, name, err))) {
		strv_release(command);
		return err_nomem(err);
	}
	b->command = *command;
	*command = (struct strv)STRV_INIT;
	b->format = format;
	b->found_by = found_by;
	s->n++;
	return 0;
}

int survey_add_test(struct survey *s, const char *name, struct strv *command, const char *dir,
		    const char *found_by, struct err *err)
{
	size_t n;

	if (!s->tests && (s->tests = malloc(sizeof(*s->tests))))
		*s->tests = (struct survey)SURVEY_INIT;
	if (!s->tests) {
		strv_release(command);
		return err_nomem(err);
	}
	if (s->tests->n >= SURVEY_TESTS || is_known(s, command)) {
		strv_release(command);
		return 0;
	}
	n = s->tests->n;
	if (survey_add(s->tests, name, command, "command", found_by, err))
		return -1;
	return s->tests->n > n && dir && *dir && survey_can_write(dir)
		       ? str_set(&s->tests->v[n].dir, dir, err)
		       : 0;
}
