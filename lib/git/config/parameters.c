/* Configuration that git hands down in the environment: `git -c KEY=VALUE pawl ...`. */
#include "lib/git/config/layers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"

#include "lib/base/banned.h"

#define PARAMETERS_MAX 10000
#define ORIGIN "command"

/* Section and last part to lower case, as git writes keys. */
static void fold_case(char *key)
{
	char *first = strchr(key, '.'), *last = strrchr(key, '.');
	char *p;

	for (p = key; *p; p++)
		if (p < first || p > last)
			*p = (char)tolower((unsigned char)*p);
}

static int add(const char *key, const char *value, gitconfig_wanted *wanted, struct gitconfig *out,
	       struct err *err)
{
	char *folded = str_dup(key, err);
	int result = 0;

	if (!folded)
		return -1;
	if (strchr(folded, '.')) {
		fold_case(folded);
		if (wanted(folded))
			result = gitconfig_add(out, folded, value, ORIGIN, 0, err);
	}
	free(folded);
	return result;
}

/* "'key'='value'" or "'key=value'" or "'key'", each quoted for a shell. */
static int from_list(const char *list, gitconfig_wanted *wanted, struct gitconfig *out,
		     struct err *err)
{
	struct strv words = STRV_INIT;
	size_t i;
	int result = -1;

	if (words_split(list, &words, err)) {
		err_in(err, "GIT_CONFIG_PARAMETERS");
		if (err && err->code == ERR_SYNTAX)
			err->code = ERR_CONFIG;
		goto out;
	}
	for (i = 0; i < words.n; i++) {
		char *value = strchr(words.v[i], '=');

		if (value)
			*value++ = '\0';
		if (add(words.v[i], value, wanted, out, err))
			goto out;
	}
	result = 0;
out:
	strv_release(&words);
	return result;
}

static int from_count(const char *count, gitconfig_wanted *wanted, struct gitconfig *out,
		      struct err *err)
{
	char name[40];
	uint64_t n, i;

	if (!number_u64(count, &n) || n > PARAMETERS_MAX)
		return err_set(err, ERR_CONFIG, "GIT_CONFIG_COUNT: bad value '%s'", count);
	for (i = 0; i < n; i++) {
		const char *key, *value;

		snprintf(name, sizeof(name), "GIT_CONFIG_KEY_%llu", (unsigned long long)i);
		key = getenv(name);
		if (!key)
			return err_set(err, ERR_CONFIG, "%s is not set", name);
		snprintf(name, sizeof(name), "GIT_CONFIG_VALUE_%llu", (unsigned long long)i);
		value = getenv(name);
		if (!value)
			return err_set(err, ERR_CONFIG, "%s is not set", name);
		if (add(key, value, wanted, out, err))
			return -1;
	}
	return 0;
}

int gitconfig_parameters(gitconfig_wanted *wanted, struct gitconfig *out, struct err *err)
{
	const char *count = getenv("GIT_CONFIG_COUNT");
	const char *list = getenv("GIT_CONFIG_PARAMETERS");

	if (count && *count && from_count(count, wanted, out, err))
		return -1;
	if (list && from_list(list, wanted, out, err))
		return -1;
	return 0;
}
