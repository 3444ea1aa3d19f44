#include "cli/passed_over.h"

#include "lib/base/banned.h"

#define NOTED 8 /* in one summary */

void passed_over_tell(const struct talk *talk, const struct store *store)
{
	static struct strv told; /* a page looks into the store a second time */
	const struct strv *lines = store ? store_passed_over(store) : NULL;
	size_t i;

	for (i = 0; lines && i < lines->n; i++)
		if (!strv_has(&told, lines->v[i])) {
			talk_warn(talk, NULL, "%s", lines->v[i]);
			(void)strv_add(&told, lines->v[i], NULL);
		}
}

int passed_over_note(const struct store *store, size_t before, struct summary *s, struct err *err)
{
	const struct strv *lines = store ? store_passed_over(store) : NULL;
	size_t i;

	for (i = before; lines && i < lines->n && i - before < NOTED; i++)
		if (strv_add(&s->environment.warnings, lines->v[i], err))
			return -1;
	return 0;
}

int passed_over_latest(struct store *store, const char *project, const char *commit,
		       struct summary *out, struct err *err)
{
	size_t before = store_passed_over(store)->n;

	if (store_latest(store, project, commit, out, err))
		return -1;
	if (!passed_over_note(store, before, out, err))
		return 0;
	summary_release(out);
	return -1;
}

int passed_over_clean(struct store *store, const char *project, const char *commit,
		      struct summary *out, struct err *err)
{
	size_t before = store_passed_over(store)->n;
	struct history clean = HISTORY_INIT;
	int result = -1;

	if (store_results(store, project, commit, NULL, 1, &clean, err))
		goto out;
	if (!clean.n) {
		result = passed_over_latest(store, project, commit, out, err);
	} else if (!passed_over_note(store, before, &clean.v[0], err)) {
		*out = clean.v[0];
		clean.n = 0;
		result = 0;
	}
out:
	history_release(&clean);
	return result;
}
