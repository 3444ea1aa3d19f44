/* One change for the worse, and the form that says what is to become of it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/store/alerts/alerts.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "server/page/alerts.h"
#include "server/page/frame.h"
#include "server/page/page.h"

#include "lib/base/banned.h"

static void add_states(const char *state, struct buf *out)
{
	int i;

	buf_adds(out, "<label>State <select name=\"state\">");
	for (i = ALERT_OPEN; i < ALERT_STATES; i++)
		buf_addf(out, "<option%s>%s</option>",
			 !strcmp(alert_state_name(i), state) ? " selected" : "",
			 alert_state_name(i));
	buf_adds(out, "</select></label>\n");
}

/* It is sent to where it is, with the state that was shown: another one may have come meanwhile. */
static void add_form(const struct request *r, const struct jtree *alert, struct buf *out)
{
	const char *state = jtree_text(jtree_get(alert, "state"));
	const char *owner = jtree_text(jtree_get(alert, "owner"));
	const char *note = jtree_text(jtree_get(alert, "note"));

	buf_adds(out, "<form method=\"post\">\n<input type=\"hidden\" name=\"form\" value=\"");
	html_value(r->form, out);
	buf_adds(out, "\">\n<input type=\"hidden\" name=\"was\" value=\"");
	html_value(state, out);
	buf_adds(out, "\">\n");
	add_states(state, out);
	frame_field("text", "owner", "Owner", owner ? owner : "", 20, out);
	frame_field("text", "note", "Note", note ? note : "", 40, out);
	buf_adds(out, "<button>Save</button>\n</form>\n");
}

static void write_page(struct request *r, const struct jtree *list)
{
	const struct jtree *alert = jtree_first(list);
	struct buf *out = &r->reply.body;
	const char *name = jtree_text(jtree_get(alert, "benchmark"));

	frame_begin_in(r, name ? name : "-", r->arguments[0], "alert");
	add_form(r, alert, out);
	alerts_add_section(r->arguments[0], list, out);
	buf_adds(out,
		 "<p class=\"soft\">Accepted: it is worth its price. Resolved: it is no "
		 "longer there, or never was. Gone: its branch has no results any more; "
		 "with the next one it is open again. Who changes it is kept in the log.</p>\n");
	frame_end(r);
}

int page_alert(struct request *r, struct err *err)
{
	static const char *const none[] = { NULL };
	struct alert_query q = { .project = r->arguments[0], .limit = 1 };
	struct buf json = BUF_INIT;
	struct jtree *root = NULL;
	uint64_t id = 0;
	int result = -1;

	if (target_only(&r->url, none, err))
		return -1;
	if (!number_u64(r->arguments[1], &id) || !id || id > INT64_MAX)
		return err_set(err, ERR_ABSENT, "no such alert");
	q.alert = (int64_t)id;
	if (alerts_list(ledger_db(r->reader), &q, &json, err))
		goto out;
	root = frame_tree(&json, err);
	if (!root)
		goto out;
	if (!jtree_first(jtree_get(root, "alerts"))) {
		err_set(err, ERR_ABSENT, "no such alert");
		goto out;
	}
	write_page(r, jtree_get(root, "alerts"));
	result = buf_check(&r->reply.body, err);
out:
	jtree_free(root);
	buf_release(&json);
	return result;
}
