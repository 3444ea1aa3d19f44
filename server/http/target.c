#include "server/http/target.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/strv.h"
#include "lib/base/utf8.h"

#include "lib/base/banned.h"

void target_release(struct target *url)
{
	free(url->text);
	memset(url, 0, sizeof(*url));
}

const char *target_parameter(const struct target *url, const char *name)
{
	size_t i;

	for (i = 0; i < url->n_parameters; i++)
		if (!strcmp(url->parameters[i].name, name))
			return url->parameters[i].value;
	return NULL;
}

const char *target_given(const struct target *url, const char *name)
{
	const char *value = target_parameter(url, name);

	return value && *value ? value : NULL;
}

int target_only(const struct target *url, const char *const *known, struct err *err)
{
	size_t i, k;

	for (i = 0; i < url->n_parameters; i++) {
		for (k = 0; known[k]; k++)
			if (!strcmp(known[k], url->parameters[i].name))
				break;
		if (!known[k])
			return err_set(err, ERR_SYNTAX, "there is no parameter '%s'",
				       url->parameters[i].name);
	}
	return 0;
}

static int hex_value(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at;

	if (c >= 'A' && c <= 'F')
		c = (char)(c - 'A' + 'a');
	at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

static bool is_text(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n = strlen(text);

	while (n) {
		size_t len = utf8_length(p, n);

		if (!len)
			return false;
		p += len;
		n -= len;
	}
	return true;
}

/* Decodes in place. */
static int decode(char *text, bool plus_is_blank, struct err *err)
{
	char *to = text;
	const char *from;

	for (from = text; *from; from++) {
		int high, low;

		if (*from != '%') {
			*to++ = plus_is_blank && *from == '+' ? ' ' : *from;
			continue;
		}
		high = hex_value(from[1]);
		low = high < 0 ? -1 : hex_value(from[2]);
		if (low < 0)
			return err_set(err, ERR_SYNTAX, "the address has a %% without two digits");
		if (!high && !low)
			return err_set(err, ERR_SYNTAX, "the address has a NUL byte");
		*to++ = (char)(high << 4 | low);
		from += 2;
	}
	*to = '\0';
	return is_text(text) ? 0 : err_set(err, ERR_SYNTAX, "the address is not UTF-8");
}

static int read_path(struct target *url, char *path, struct err *err)
{
	char *p = path + 1;

	if (!*p)
		return 0;
	for (;;) {
		char *slash = strchr(p, '/');

		if (slash)
			*slash = '\0';
		if (decode(p, false, err))
			return -1;
		if (url->n_segments == TARGET_MAX_SEGMENTS) {
			url->n_segments++;
			return 0;
		}
		url->segments[url->n_segments++] = p;
		if (!slash)
			return 0;
		p = slash + 1;
	}
}

static int read_query(struct target *url, char *query, struct err *err)
{
	char *next, *value;

	for (; query && *query; query = next) {
		next = strchr(query, '&');
		if (next)
			*next++ = '\0';
		value = strchr(query, '=');
		if (value)
			*value++ = '\0';
		if (decode(query, true, err) || (value && decode(value, true, err)))
			return -1;
		if (target_parameter(url, query))
			return err_set(err, ERR_SYNTAX, "parameter '%s' appears twice", query);
		if (url->n_parameters == TARGET_MAX_PARAMETERS)
			return err_set(err, ERR_LIMIT, "more than %d parameters",
				       TARGET_MAX_PARAMETERS);
		url->parameters[url->n_parameters].name = query;
		url->parameters[url->n_parameters++].value = value ? value : "";
	}
	return 0;
}

int target_parse(const char *raw, struct target *out, struct err *err)
{
	struct target url = { .text = NULL };
	char *query;

	if (raw[0] != '/')
		return err_set(err, ERR_SYNTAX, "the address does not begin with /");
	url.text = str_dup(raw, err);
	if (!url.text)
		return -1;
	query = strchr(url.text, '?');
	if (query)
		*query++ = '\0';
	if (read_path(&url, url.text, err) || read_query(&url, query, err)) {
		/* A form is read by this, too: a token is not to lie about in memory. */
		explicit_bzero(url.text, strlen(raw));
		target_release(&url);
		return -1;
	}
	*out = url;
	return 0;
}

/* Behind "word" there is "" or ";q=0.5": whether that is more than 0. */
static bool is_wanted(const char *p, const char *end)
{
	const char *q = memchr(p, '=', (size_t)(end - p));

	if (!q)
		return true;
	for (q++; q < end; q++)
		if (*q >= '1' && *q <= '9')
			return true;
	return false;
}

bool target_accepts(const char *list, const char *word)
{
	size_t n = strlen(word), len;
	const char *p = list ? list : "";

	for (; *p; p += len + (p[len] == ',')) {
		const char *at = p + strspn(p, " \t");

		len = strcspn(p, ",");
		if (at + n <= p + len && !strncasecmp(at, word, n) && strchr(" \t;,", at[n]))
			return is_wanted(at + n, p + len);
	}
	return false;
}

/* In thousandths; behind a range there is "" or ";q=0.5", perhaps behind other parameters. */
static int weight_of(const char *p, const char *end)
{
	int weight = 0, unit = 1000;

	for (; p < end; p++)
		if (*p == ';') {
			const char *at = p + 1 + strspn(p + 1, " \t");

			if (at + 1 < end && (*at == 'q' || *at == 'Q') && at[1] == '=') {
				for (at += 2; at < end && unit; at++) {
					if (*at >= '0' && *at <= '9') {
						weight += (*at - '0') * unit;
						unit /= 10;
					} else if (*at != '.') {
						break;
					}
				}
				return weight;
			}
		}
	return 1000;
}

/* How precisely the range p[0..n) names the type: 0 not at all, 1 as any, 2 by its kind, 3 fully.
 */
static int precision(const char *p, size_t n, const char *type)
{
	size_t kind = strcspn(type, "/") + 1;

	if (n == 3 && !strncmp(p, "*/*", 3))
		return 1;
	if (n == kind + 1 && p[kind] == '*' && !strncasecmp(p, type, kind))
		return 2;
	return n == strlen(type) && !strncasecmp(p, type, n) ? 3 : 0;
}

static int wanted(const char *list, const char *type)
{
	int weight = 0, best = 0;
	size_t len;

	for (; *list; list += len + (list[len] == ',')) {
		const char *at = list + strspn(list, " \t");
		int fits;

		len = strcspn(list, ",");
		if (at > list + len)
			continue;
		fits = precision(at, strcspn(at, " \t;,"), type);
		if (fits > best) {
			best = fits;
			weight = weight_of(at, list + len);
		}
	}
	return weight;
}

size_t target_prefers(const char *list, const char *const *types, size_t n)
{
	size_t i, best = n;
	int most = 0;

	if (!list || !list[strspn(list, " \t,")])
		return 0;
	for (i = 0; i < n; i++) {
		int weight = wanted(list, types[i]);

		if (weight > most) {
			most = weight;
			best = i;
		}
	}
	return best;
}
