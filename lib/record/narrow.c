#include "lib/record/narrow.h"

#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/record/scan.h"

#include "lib/base/banned.h"

#define HASH "\\u0023"

/* Whether p[0..end) begins with the quoted name; a '#' that is escaped there need not be here. */
static bool is_name(const char *p, const char *end, const char *name)
{
	while (*name && p < end) {
		if (*p == '#' && !strncmp(name, HASH, strlen(HASH)))
			name += strlen(HASH);
		else if (*p == *name)
			name++;
		else
			return false;
		p++;
	}
	return !*name;
}

/* Whether the element at[0..end) is an object of that quoted name. */
static bool has_name(const char *start, const char *end, const char *name)
{
	struct scan s = { start, end };

	return scan_at(&s, '{') && scan_enter_member(&s, "\"name\"") && is_name(s.p, s.end, name);
}

int summary_narrow(const char *json, size_t n, const char *name, struct buf *out, struct err *err)
{
	const char *first, *start = NULL, *stop = NULL;
	struct scan s = { json, json + n };
	struct buf quoted = BUF_INIT;
	size_t before = out->len;
	int result = -1;

	json_quote(&quoted, name, strlen(name));
	if (buf_check(&quoted, err))
		goto out;
	if (!scan_enter_member(&s, "\"benchmarks\""))
		s.p = NULL;
	scan_expect(&s, '[');
	first = s.p;
	while (s.p && !scan_at(&s, ']')) {
		const char *element = s.p;

		scan_skip_value(&s);
		if (s.p && !start && has_name(element, s.p, buf_str(&quoted))) {
			start = element;
			stop = s.p;
		}
		if (!scan_at(&s, ']'))
			scan_expect(&s, ',');
	}
	if (!s.p) {
		err_set(err, ERR_SYNTAX, "the document is no summary");
		goto out;
	}
	if (!start) {
		err_set(err, ERR_ABSENT, "no benchmark '%s'", name);
		goto out;
	}
	buf_add(out, json, (size_t)(first - json));
	buf_add(out, start, (size_t)(stop - start));
	buf_add(out, s.p, (size_t)(s.end - s.p));
	result = buf_check(out, err);
	if (result)
		buf_truncate(out, before);
out:
	buf_release(&quoted);
	return result;
}
