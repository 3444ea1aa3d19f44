#include "server/answer/alerts.h"

#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/base/number.h"
#include "lib/store/alerts/alerts.h"
#include "server/answer/get.h"
#include "server/answer/session.h"
#include "server/page/frame.h"

#include "lib/base/banned.h"

int alert_state_read(const char *text, enum alert_state *out, struct err *err)
{
	int i;

	*out = 0;
	if (!text || !*text)
		return 0;
	for (i = ALERT_OPEN; i < ALERT_STATES; i++)
		if (!strcmp(text, alert_state_name(i))) {
			*out = (enum alert_state)i;
			return 0;
		}
	return err_set(err, ERR_SYNTAX,
		       "parameter 'state' must be open, accepted, resolved or gone");
}

/* An owner or a note that is empty is taken away. */
static int change(struct request *r, struct alert_change *c, const char *state, bool *out_changed,
		  struct err *err)
{
	uint64_t id;

	c->project = r->arguments[0];
	c->who = r->has_token ? r->token.id : "-";
	if (!number_u64(r->arguments[1], &id) || id > INT64_MAX)
		return err_set(err, ERR_ABSENT, "no such alert");
	c->alert = (int64_t)id;
	if (alert_state_read(state, &c->state, err))
		return -1;
	return alerts_change(ledger_db(r->reader), c, out_changed, err);
}

int change_alert(struct request *r, struct err *err)
{
	static const char *const known[] = { "state", "owner", "note", NULL };
	struct alert_change c = { .owner = target_parameter(&r->url, "owner"),
				  .note = target_parameter(&r->url, "note") };
	bool changed = false;
	struct jsonw w;

	if (get_only(r, known, err) || change(r, &c, get_given(r, "state"), &changed, err))
		return -1;
	jsonw_init(&w, &r->reply.body, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "project", c.project);
	jsonw_kinteger(&w, "alert", c.alert);
	jsonw_kbool(&w, "changed", changed);
	jsonw_object_end(&w);
	return buf_check(&r->reply.body, err);
}

int change_alert_form(struct request *r, struct err *err)
{
	static const char *const known[] = { "state", "was", "owner", "note", "form", NULL };
	struct target form = { .text = NULL };
	struct alert_change c = { .alert = 0 };
	const char *state, *was;
	bool changed;
	int result = -1;

	if (session_read_form(r, &form, err) || target_only(&form, known, err))
		goto out;
	if (!session_is_own_form(r, target_given(&form, "form"))) {
		reply_error(&r->reply, 403, "refused",
			    "the form is of an earlier log-in: load the page again", NULL);
		goto out;
	}
	c.owner = target_parameter(&form, "owner");
	c.note = target_parameter(&form, "note");
	state = target_given(&form, "state");
	was = target_given(&form, "was");
	/* What nobody chose is not said: a result may have settled it since it was shown. */
	if (change(r, &c, state && was && !strcmp(state, was) ? NULL : state, &changed, err))
		goto out;
	frame_project(r->arguments[0], "alerts", &r->reply.location);
	result = frame_lead(r, err);
out:
	target_release(&form);
	return result;
}
