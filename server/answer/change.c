#include "server/answer/change.h"

#include "lib/base/jsonw.h"
#include "server/answer/get.h"

#include "lib/base/banned.h"

static int change(struct request *r, bool is_restored, struct err *err)
{
	static const char *const known[] = { "benchmark", "why", "untrusted", NULL };
	struct retraction what = {
		.project = r->arguments[0],
		.id = r->arguments[1],
		.benchmark = get_given(r, "benchmark"),
		.is_restored = is_restored,
		.who = r->has_token ? r->token.id : "-",
		.why = get_given(r, "why"),
	};
	bool changed = false;
	struct jsonw w;

	if (get_only(r, known, err) || get_bool(r, "untrusted", &what.untrusted, err) ||
	    ledger_retract(r->reader, &what, &changed, err))
		return -1;
	jsonw_init(&w, &r->reply.body, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "project", what.project);
	jsonw_kstring(&w, "id", what.id);
	jsonw_kstring(&w, "benchmark", what.benchmark);
	jsonw_kstring(&w, "state", is_restored ? "shown" : "retracted");
	jsonw_kbool(&w, "changed", changed);
	jsonw_object_end(&w);
	return buf_check(&r->reply.body, err);
}

int change_retract(struct request *r, struct err *err)
{
	return change(r, false, err);
}

int change_restore(struct request *r, struct err *err)
{
	return change(r, true, err);
}
