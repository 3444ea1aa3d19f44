#include "lib/base/strv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

void strv_release(struct strv *list)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		free(list->v[i]);
	free(list->v);
	*list = (struct strv)STRV_INIT;
}

/* Appends a string that the list takes over; frees it on failure. */
static int add_owned(struct strv *list, char *text, struct err *err)
{
	char **v;
	size_t cap;

	if (!text)
		return err_nomem(err);
	if (list->n + 2 > list->cap) {
		cap = list->cap ? list->cap * 2 : 8;
		v = realloc(list->v, cap * sizeof(*v));
		if (!v) {
			free(text);
			return err_nomem(err);
		}
		list->v = v;
		list->cap = cap;
	}
	list->v[list->n++] = text;
	list->v[list->n] = NULL;
	return 0;
}

int strv_add(struct strv *list, const char *text, struct err *err)
{
	return add_owned(list, strdup(text), err);
}

int strv_addf(struct strv *list, struct err *err, const char *fmt, ...)
{
	struct buf buf = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_addv(&buf, fmt, ap);
	va_end(ap);
	return add_owned(list, buf_detach(&buf), err);
}

int strv_add_all(struct strv *list, char *const *more, struct err *err)
{
	for (; *more; more++)
		if (strv_add(list, *more, err))
			return -1;
	return 0;
}

int strv_take(struct strv *list, struct buf *line, struct err *err)
{
	int rc = buf_check(line, err);

	if (!rc && line->len > 0)
		rc = strv_add(list, buf_str(line), err);
	buf_reset(line);
	return rc;
}

void strv_cut(struct strv *list, size_t n)
{
	while (list->n > n) {
		free(list->v[--list->n]);
		list->v[list->n] = NULL;
	}
}

bool strv_has(const struct strv *list, const char *text)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (!strcmp(list->v[i], text))
			return true;
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct strv *list)
{
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), by_text);
}

void strv_sort_unique(struct strv *list)
{
	size_t i, n = 0;

	strv_sort(list);
	for (i = 0; i < list->n; i++)
		if (n && !strcmp(list->v[n - 1], list->v[i]))
			free(list->v[i]);
		else
			list->v[n++] = list->v[i];
	if (list->n)
		list->v[n] = NULL;
	list->n = n;
}

bool strv_has_sorted(const struct strv *list, const char *text)
{
	return list->n && bsearch(&text, list->v, list->n, sizeof(*list->v), by_text);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies one word to out and returns where it ends, or NULL with the fault. */
static const char *one_word(const char *p, struct buf *out, struct err *err)
{
	char quote = '\0';

	for (; *p && (quote || !is_blank(*p)); p++) {
		if (quote == '\'' ? *p == '\'' : quote == '"' && *p == '"') {
			quote = '\0';
		} else if (!quote && (*p == '\'' || *p == '"')) {
			quote = *p;
		} else if (*p == '\\' && quote != '\'') {
			if (!p[1]) {
				err_set(err, ERR_SYNTAX, "command ends in a backslash");
				return NULL;
			}
			if (quote == '"' && !strchr("\"\\$`", p[1]))
				buf_addc(out, *p);
			buf_addc(out, *++p);
		} else {
			buf_addc(out, *p);
		}
	}
	if (quote) {
		err_set(err, ERR_SYNTAX, "command has an open %s quote",
			quote == '"' ? "double" : "single");
		return NULL;
	}
	return p;
}

const char *strv_value(const struct strv *list, const char *name)
{
	size_t i, n = strlen(name);

	for (i = 0; i < list->n; i++)
		if (!strncmp(list->v[i], name, n) && list->v[i][n] == '=')
			return list->v[i] + n + 1;
	return NULL;
}

int words_split(const char *line, struct strv *list, struct err *err)
{
	struct strv words = STRV_INIT;
	struct buf word = BUF_INIT;
	const char *p = line;
	int result = -1;

	for (;;) {
		while (is_blank(*p))
			p++;
		if (!*p)
			break;
		buf_reset(&word);
		p = one_word(p, &word, err);
		if (!p || buf_check(&word, err) || strv_add(&words, buf_str(&word), err))
			goto out;
	}
	result = words.n ? strv_add_all(list, words.v, err) : 0;
out:
	buf_release(&word);
	strv_release(&words);
	return result;
}

void words_quote(char *const *argv, struct buf *out)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_-+=./:,@%";
	char *const *word;

	for (word = argv; *word; word++) {
		const char *p = *word;
		/* a shell takes a first word with '=' for an assignment */
		bool is_assignment = word == argv && strchr(p, '=');

		if (word != argv)
			buf_addc(out, ' ');
		if (*p && strspn(p, safe) == strlen(p) && !is_assignment) {
			buf_adds(out, p);
			continue;
		}
		buf_addc(out, '\'');
		for (; *p; p++) {
			if (*p == '\'')
				buf_adds(out, "'\\''");
			else
				buf_addc(out, *p);
		}
		buf_addc(out, '\'');
	}
}

char *str_dup(const char *text, struct err *err)
{
	char *copy;

	if (!text)
		return NULL;
	copy = strdup(text);
	if (!copy)
		err_nomem(err);
	return copy;
}

int str_set(char **slot, const char *text, struct err *err)
{
	char *copy = NULL;

	if (text && !(copy = str_dup(text, err)))
		return -1;
	free(*slot);
	*slot = copy;
	return 0;
}

bool str_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool str_starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

bool str_is_named(const char *text, const char *pattern)
{
	size_t n = strlen(pattern);

	if (!n || pattern[n - 1] != '*')
		return !strcmp(pattern, text);
	if (n > 1 && pattern[n - 2] == '\\')
		return !strncmp(pattern, text, n - 2) && !strcmp(text + n - 2, "*");
	return !strncmp(pattern, text, n - 1);
}

void str_add_pattern(const char *text, struct buf *out)
{
	size_t n = strlen(text);
	bool ends_in_star = n && text[n - 1] == '*';

	buf_add(out, text, n - ends_in_star);
	if (ends_in_star)
		buf_adds(out, "\\*");
}

bool str_ends(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && !strcmp(text + n - m, end);
}

bool str_is_one_of(const char *text, const char *const *names, size_t n)
{
	while (n--)
		if (!strcmp(text, names[n]))
			return true;
	return false;
}

bool str_starts_one_of(const char *text, const char *const *names, size_t n)
{
	while (n--)
		if (str_starts(text, names[n]))
			return true;
	return false;
}

const char *str_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return str_starts(path, folder) && path[n] == '/' ? path + n + 1 : NULL;
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}
