#include "lib/config/values.h"

#include <string.h>

#include "lib/base/number.h"
#include "lib/base/utf8.h"
#include "lib/config/config.h"
#include "lib/config/nearest.h"

#include "lib/base/banned.h"

static int one_count(const char *text, int *out)
{
	uint64_t n;

	if (!number_u64(text, &n) || n < RUNS_LEAST || n > RUNS_MOST)
		return -1;
	*out = (int)n;
	return 0;
}

int value_runs(const char *text, int *out_min, int *out_max, struct err *err)
{
	const char *dots = strstr(text, "..");
	char fewest[8];
	size_t n = dots ? (size_t)(dots - text) : 0;
	int min, max;

	if (n >= sizeof(fewest))
		goto wrong;
	memcpy(fewest, text, n);
	fewest[n] = '\0';
	if (one_count(dots ? dots + 2 : text, &max))
		goto wrong;
	min = max;
	if (dots && one_count(fewest, &min))
		goto wrong;
	if (min > max)
		return err_set(err, ERR_CONFIG, "expected the fewest runs first, then the most");
	*out_min = min;
	*out_max = max;
	return 0;
wrong:
	return err_set(err, ERR_CONFIG, "expected FEWEST..MOST or one number, from %d to %d",
		       RUNS_LEAST, RUNS_MOST);
}

int value_layouts(const char *text, int *out, struct err *err)
{
	uint64_t n;

	if (!strcmp(text, "auto") || !strcmp(text, "off")) {
		*out = *text == 'a' ? CONFIG_LAYOUTS_AUTO : CONFIG_LAYOUTS_OFF;
		return 0;
	}
	if (!number_u64(text, &n) || n < LAYOUTS_LEAST || n > CONFIG_LAYOUTS_MOST)
		return err_set(err, ERR_CONFIG, "expected auto, off or a number from %d to %d",
			       LAYOUTS_LEAST, CONFIG_LAYOUTS_MOST);
	*out = (int)n;
	return 0;
}

int value_threshold(const char *text, double *out, struct err *err)
{
	double value;

	if (!number_ratio(text, &value) || value <= 0 || value > 1)
		return err_set(err, ERR_CONFIG, "expected a share above 0 and up to 100%%");
	*out = value;
	return 0;
}

int value_confidence(const char *text, double *out, struct err *err)
{
	double value;

	if (!number_ratio(text, &value) || value <= 0.5 || value >= 1)
		return err_set(err, ERR_CONFIG, "expected a share between 50%% and 100%%");
	*out = value;
	return 0;
}

int value_duration(const char *text, uint64_t low_ns, uint64_t high_ns, uint64_t *out_ns,
		   struct err *err)
{
	char low[NUMBER_TEXT], high[NUMBER_TEXT];
	uint64_t value;

	if (!number_duration_ns(text, &value) || value < low_ns || value > high_ns)
		return err_set(err, ERR_CONFIG, "expected a time from %s to %s",
			       number_print_ns((double)low_ns, low),
			       number_print_ns((double)high_ns, high));
	*out_ns = value;
	return 0;
}

int value_bytes(const char *text, uint64_t *out, struct err *err)
{
	if (!number_bytes(text, out))
		return err_set(err, ERR_CONFIG, "expected a size such as 512M or 2G");
	return 0;
}

int value_number(const char *text, uint64_t *out, struct err *err)
{
	if (!number_u64(text, out))
		return err_set(err, ERR_CONFIG, "expected a whole number from 0 to 2^64 - 1");
	return 0;
}

int value_bool(const char *text, bool *out, struct err *err)
{
	if (!number_bool(text, out))
		return err_set(err, ERR_CONFIG, "expected true or false");
	return 0;
}

int value_text(const char *text, char **slot, struct err *err)
{
	return str_set(slot, *text ? text : NULL, err);
}

bool name_is_valid(const char *name)
{
	size_t n = strlen(name), i, length;

	if (!n || n > NAME_BYTES)
		return false;
	for (i = 0; i < n; i += length) {
		const unsigned char *p = (const unsigned char *)name + i;

		length = utf8_length(p, n - i);
		if (!length || *p < 0x20 || *p == 0x7f)
			return false;
		if (*p == 0xc2 && p[1] < 0xa0) /* U+0080..U+009F */
			return false;
	}
	return true;
}

int value_name(const char *text, char **slot, struct err *err)
{
	if (*text && !name_is_valid(text))
		return err_set(err, ERR_CONFIG, "expected up to %d bytes of printable UTF-8",
			       NAME_BYTES);
	return value_text(text, slot, err);
}

static const char *const our_metrics[] = { "wall",   "cpu",	 "instructions",
					   "cycles", "peak-rss", "page-faults",
					   NULL };

bool value_metric_is_ours(const char *text)
{
	size_t i;

	for (i = 0; our_metrics[i]; i++)
		if (!strcmp(our_metrics[i], text))
			return true;
	return false;
}

int value_metric(const char *text, char **slot, struct err *err)
{
	static const char marks[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_.:/";
	const char *near = nearest(text, our_metrics, 1);

	if (value_metric_is_ours(text))
		return str_set(slot, text, err);
	if (near) {
		err_set(err, ERR_CONFIG, "expected a metric or the name of a counter");
		return err_hint(err, "did you mean '%s'?", near);
	}
	if (!*text || strlen(text) > NAME_BYTES || strspn(text, marks) != strlen(text) ||
	    strchr("0123456789-.:/", *text))
		return err_set(err, ERR_CONFIG,
			       "expected wall, cpu, instructions, cycles, peak-rss, page-faults or "
			       "the name of a counter");
	return str_set(slot, text, err);
}

int value_command(const char *text, struct strv *list, struct err *err)
{
	struct strv words = STRV_INIT;
	struct err fault = ERR_INIT;

	if (words_split(text, &words, &fault)) {
		if (fault.code != ERR_SYNTAX)
			return err_nomem(err);
		return err_set(err, ERR_CONFIG, "%s", fault.text);
	}
	if (!words.n || !*words.v[0]) {
		strv_release(&words);
		return err_set(err, ERR_CONFIG, "expected a program and its arguments");
	}
	strv_release(list);
	*list = words;
	return 0;
}

static bool leaves_the_top(const char *path)
{
	const char *p = path;

	if (*path == '/')
		return true;
	while ((p = strstr(p, ".."))) {
		if ((p == path || p[-1] == '/') && (!p[2] || p[2] == '/'))
			return true;
		p += 2;
	}
	return false;
}

int value_input(const char *text, struct strv *list, struct err *err)
{
	if (!*text) {
		strv_release(list);
		return 0;
	}
	if (leaves_the_top(text))
		return err_set(err, ERR_CONFIG, "expected a path below the top of the work tree");
	return strv_add(list, text, err);
}

static bool is_variable(const char *name)
{
	return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") ==
		       strlen(name) &&
	       *name && !strchr("0123456789", *name);
}

int value_variables(const char *text, struct strv *list, struct err *err)
{
	struct strv names = STRV_INIT;
	size_t i;
	int result = -1;

	if (!*text) {
		strv_release(list);
		return 0;
	}
	if (words_split(text, &names, err)) {
		if (err && err->code == ERR_SYNTAX)
			err_set(err, ERR_CONFIG, "expected names of variables, without quotes");
		goto out;
	}
	for (i = 0; i < names.n; i++) {
		const char *name = names.v[i];

		if (!is_variable(name) || str_starts(name, "PAWL_") || str_starts(name, "GIT_")) {
			err_set(err, ERR_CONFIG,
				"expected names of variables, none of git's or pawl's own");
			goto out;
		}
		if (!strv_has(list, name) && strv_add(list, name, err))
			goto out;
	}
	result = 0;
out:
	strv_release(&names);
	return result;
}
