#include "cli/option/hint.h"

#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/config/nearest.h"

#include "lib/base/banned.h"

int hint_nearest_of(struct err *err, const char *text, const char *const *known, const char *before,
		    const char *otherwise)
{
	const char *near = nearest(text, known, strlen(text) < 4 ? 1 : 2);
	const char *meant = near ? near : nearest_begun(text, known);

	if (meant && strcmp(meant, text) != 0) /* it may be known, and have no result */
		return err_hint(err, "did you mean '%s%s'?", before, meant);
	return err_hint(err, "%s", otherwise);
}

int hint_nearest(struct err *err, const char *text, const char *words, const char *before,
		 const char *otherwise)
{
	struct strv list = STRV_INIT;

	if (words_split(words, &list, NULL) || !list.n)
		err_hint(err, "%s", otherwise);
	else
		hint_nearest_of(err, text, (const char *const *)list.v, before, otherwise);
	strv_release(&list);
	return -1;
}
