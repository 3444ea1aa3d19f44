#include "collector/compare_names.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

/* The first name that was asked for and means none of the units, or NULL. */
static const char *find_unknown(const struct plan *plan, const struct strv *only)
{
	size_t i, k;

	for (i = 0; only && i < only->n; i++) {
		for (k = 0; k < plan->n && !plan_means(only->v[i], &plan->units[k]); k++)
			;
		if (k == plan->n)
			return only->v[i];
	}
	return NULL;
}

int compare_check_names(const struct compare_request *rq, const struct plan *plan, struct err *err)
{
	const char *unknown = find_unknown(plan, rq->only), *meant;
	const struct config *config = rq->config;
	struct buf names = BUF_INIT;
	size_t i;

	if (!unknown)
		return 0;
	for (i = 0; i < config->n_benchmarks && names.len < 200; i++)
		buf_addf(&names, "%s'%s'", i ? ", " : "", config->benchmarks[i].name);
	err_set(err, ERR_CONFIG, "no benchmark '%s' in either commit", unknown);
	meant = config_nearest(config, unknown);
	if (meant)
		err_hint(err, "did you mean '%s'?", meant);
	err_hint(err, "name a section, %s, or one inside it as SECTION/NAME", buf_str(&names));
	buf_release(&names);
	return -1;
}

static int make_word_relative(char **word, const char *top, struct err *err)
{
	const char *rest = str_below(*word, top);
	char *real = NULL, *real_top = NULL;
	struct buf text = BUF_INIT;
	int result = 0;

	if (!rest && **word == '/') {
		real = realpath(*word, NULL);
		real_top = realpath(top, NULL);
		rest = real && real_top ? str_below(real, real_top) : NULL;
	}
	if (rest) {
		/* A program without a slash would be looked for in PATH. */
		buf_addf(&text, "%s%s", strchr(rest, '/') ? "" : "./", rest);
		result = buf_check(&text, err) || str_set(word, buf_str(&text), err) ? -1 : 0;
	}
	free(real);
	free(real_top);
	buf_release(&text);
	return result;
}

int compare_make_relative(struct config *config, const char *top, struct err *err)
{
	size_t i, k;

	for (i = 0; top && i < config->n_benchmarks; i++)
		for (k = 0; k < config->benchmarks[i].command.n; k++)
			if (make_word_relative(&config->benchmarks[i].command.v[k], top, err))
				return -1;
	return 0;
}
