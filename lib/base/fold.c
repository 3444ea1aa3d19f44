#include "lib/base/fold.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

static void keep(struct fold *fold, const char *text, const char *cure)
{
	char *kept = strdup(text), *key = strdup(cure);

	if (fold->n == FOLD_KINDS || !kept || !key) {
		free(kept);
		free(key);
		talk_warn(fold->to, cure, "%s", text);
		return;
	}
	fold->kinds[fold->n].text = kept;
	fold->kinds[fold->n].cure = key;
	fold->kinds[fold->n++].n_more = 0;
}

static void on_warn(void *ctx, const char *text, const char *cure)
{
	struct fold *fold = ctx;
	size_t i;

	if (!cure) {
		talk_warn(fold->to, NULL, "%s", text);
		return;
	}
	for (i = 0; i < fold->n; i++)
		if (!strcmp(fold->kinds[i].cure, cure)) {
			fold->kinds[i].n_more++;
			return;
		}
	keep(fold, text, cure);
}

static void on_note(void *ctx, const char *text)
{
	const struct fold *fold = ctx;

	talk_note(fold->to, "%s", text);
}

static void on_progress(void *ctx, double done, double total, const char *text)
{
	const struct fold *fold = ctx;

	talk_progress(fold->to, done, total, "%s", text);
}

void fold_begin(struct fold *fold, const struct talk *to)
{
	memset(fold, 0, sizeof(*fold));
	fold->to = to;
	fold->talk = (struct talk){ on_warn, on_note, on_progress, fold };
}

void fold_end(struct fold *fold)
{
	size_t i;

	for (i = 0; i < fold->n; i++) {
		if (fold->kinds[i].n_more)
			talk_warn(fold->to, fold->kinds[i].cure, "%s (and %zu more like it)",
				  fold->kinds[i].text, fold->kinds[i].n_more);
		else
			talk_warn(fold->to, fold->kinds[i].cure, "%s", fold->kinds[i].text);
		free(fold->kinds[i].text);
		free(fold->kinds[i].cure);
	}
	fold->n = 0;
}
