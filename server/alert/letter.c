#include "server/alert/letter.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/base/base64.h"
#include "lib/base/jsonw.h"
#include "lib/base/when.h"
#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

#define STATUS_TEXT 140 /* bytes of a description, GitHub's limit */
#define WORD_BYTES 45	/* of an encoded word (RFC 2047): 75 letters at most */
#define LINE_LETTERS 76

static const char *event_of(const struct letter *l)
{
	const char *name = alert_state_name(l->message->event);

	return name ? name : "test";
}

int letter_document(const struct letter *l, struct buf *out, struct err *err)
{
	const struct message *m = l->message;
	char text[WHEN_ISO];
	struct jsonw w;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "schema", "pawl.alert/1");
	jsonw_kstring(&w, "id", m->id);
	jsonw_kstring(&w, "event", event_of(l));
	jsonw_kstring(&w, "project", m->project_name);
	jsonw_kstring(&w, "commit", m->commit);
	jsonw_kstring(&w, "made", when_iso(m->made_us, false, text));
	jsonw_kinteger(&w, "n_alerts", l->n);
	jsonw_key(&w, "alerts");
	jsonw_raw(&w, l->json->data, l->json->len);
	jsonw_object_end(&w);
	return buf_check(out, err);
}

/* Appends text as one line, bytes that are no letters as '?', and no part of a letter at the end.
 */
static void add_clean(const char *text, size_t most, struct buf *out)
{
	size_t i, n = strlen(text);

	if (n > most) {
		n = most;
		while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;
	}
	for (i = 0; i < n; i++)
		buf_addc(out, (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
}

/* One line: "zlib: 3 benchmarks regressed at 0123456789ab"; printable, at most so many bytes. */
static void add_count(const struct letter *l, int64_t n, enum alert_state state, size_t most,
		      struct buf *out)
{
	static const char *const said[ALERT_STATES] = { [ALERT_OPEN] = "regressed",
							[ALERT_ACCEPTED] = "accepted",
							[ALERT_RESOLVED] = "resolved",
							[ALERT_GONE] = "closed (branch gone)" };
	const struct message *m = l->message;
	struct buf line = BUF_INIT;

	add_clean(m->project_name, most / 2, &line);
	if (!m->event)
		buf_adds(&line, ": a test of pawld alert");
	else
		buf_addf(&line, ": %" PRId64 " benchmark%s %s", n, n == 1 ? "" : "s", said[state]);
	if (m->commit)
		buf_addf(&line, " at %.12s", m->commit);
	add_clean(buf_str(&line), most, out);
	buf_release(&line);
}

static void add_line(const struct letter *l, size_t most, struct buf *out)
{
	add_count(l, l->n, l->message->event, most, out);
}

static void add_text(const struct jtree *row, const char *key, struct buf *out)
{
	const char *text = jtree_text(jtree_get(row, key));

	add_clean(text ? text : "-", 200, out);
}

/* Why it is what it is; a message may be sent when that is no longer what it says. */
static void add_why(const struct jtree *row, enum alert_state event, struct buf *out)
{
	const char *why = jtree_text(jtree_get(row, "why"));
	const char *state = jtree_text(jtree_get(row, "state"));

	if (!why)
		return;
	buf_adds(out, "\n  ");
	if (event == ALERT_OPEN && state && strcmp(state, "open") != 0)
		buf_addf(out, "%s since: ", state);
	add_text(row, "why", out);
}

static void add_creep(const struct jtree *row, struct buf *out)
{
	const char *base = jtree_text(jtree_get(row, "base"));
	struct buf from = BUF_INIT;

	buf_addf(&from, "%.12s", base ? base : "-");
	buf_adds(out, ", by many small steps since ");
	add_clean(buf_str(&from), 12, out);
	buf_adds(out, ": not measured side by side");
	out->failed |= from.failed;
	buf_release(&from);
}

/* An alert as two lines. */
static void add_alert(const struct jtree *row, enum alert_state event, struct buf *out)
{
	struct delta d = { .ratio = jtree_number(jtree_get(row, "ratio")),
			   .low = jtree_number(jtree_get(row, "low")),
			   .high = jtree_number(jtree_get(row, "high")) };
	const char *unit = jtree_text(jtree_get(row, "unit"));
	const char *seen_by = jtree_text(jtree_get(row, "seen_by"));
	struct buf figures = BUF_INIT;

	buf_adds(out, "- ");
	add_text(row, "benchmark", out);
	buf_adds(out, " (");
	add_text(row, "metric", out);
	buf_adds(out, ")");
	if (isfinite(d.ratio)) {
		buf_adds(&figures, ": ");
		cell_delta(&d, unit ? unit : "", &figures);
	}
	if (isfinite(d.low) && isfinite(d.high)) {
		buf_addc(&figures, ' ');
		cell_interval(&d, unit ? unit : "", &figures);
	}
	add_clean(buf_str(&figures), 200, out);
	buf_release(&figures);
	if (seen_by && !strcmp(seen_by, "change-point"))
		buf_adds(out, ", a step in its history: not measured side by side");
	if (seen_by && !strcmp(seen_by, "creep"))
		add_creep(row, out);
	buf_adds(out, "\n  on ");
	add_text(row, "machine", out);
	buf_adds(out, ", branch ");
	add_text(row, "branch", out);
	add_why(row, event, out);
	buf_addc(out, '\n');
}

static void add_words(const struct letter *l, struct buf *out)
{
	const struct jtree *at;
	int64_t n = 0;

	add_line(l, 200, out);
	buf_adds(out, "\n\n");
	if (l->message->commit && jtree_first(l->alerts)) {
		buf_addf(out, "%s  ", l->message->commit);
		add_text(jtree_first(l->alerts), "subject", out);
		buf_adds(out, "\n\n");
	}
	for (at = jtree_first(l->alerts); at; at = jtree_after(l->alerts, at)) {
		add_alert(at, l->message->event, out);
		n++;
	}
	if (l->n > n)
		buf_addf(out, "and %" PRId64 " more\n", l->n - n);
	buf_addf(out, "\npawld, message %s\n", l->message->id);
}

static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

/* A header's text: as it is, or as encoded words. */
static int add_subject(const char *text, struct buf *out, struct err *err)
{
	buf_adds(out, "Subject: ");
	if (is_ascii(text) && !strstr(text, "=?")) {
		buf_adds(out, text);
		return 0;
	}
	while (*text) {
		size_t n = strlen(text);

		if (n > WORD_BYTES) {
			n = WORD_BYTES;
			while (n > 1 && ((unsigned char)text[n] & 0xc0) == 0x80)
				n--;
		}
		buf_adds(out, "=?UTF-8?B?");
		if (base64_add(text, n, false, out, err))
			return -1;
		text += n;
		buf_adds(out, *text ? "?=\r\n " : "?=");
	}
	return 0;
}

/* In base64: no line of it is too long, or begins with a dot. */
static int add_body(const struct letter *l, struct buf *out, struct err *err)
{
	struct buf plain = BUF_INIT, coded = BUF_INIT;
	size_t i;
	int result = -1;

	add_words(l, &plain);
	if (buf_check(&plain, err) || base64_add(plain.data, plain.len, false, &coded, err))
		goto out;
	for (i = 0; i < coded.len; i += LINE_LETTERS) {
		buf_add(out, coded.data + i,
			coded.len - i < LINE_LETTERS ? coded.len - i : LINE_LETTERS);
		buf_adds(out, "\r\n");
	}
	result = 0;
out:
	buf_release(&plain);
	buf_release(&coded);
	return result;
}

int letter_mail(const struct letter *l, const char *from, const char *to, struct buf *out,
		struct err *err)
{
	const char *domain = strchr(from, '@');
	struct buf subject = BUF_INIT;
	char date[WHEN_HEADER];
	int result = -1;

	buf_adds(&subject, "[pawl] ");
	add_line(l, 150, &subject);
	if (buf_check(&subject, err))
		goto out;
	buf_addf(out, "From: %s\r\nTo: %s\r\nDate: %s\r\n", from, to,
		 when_header(l->message->made_us, "+0000", date));
	buf_addf(out, "Message-ID: <%s%s>\r\n", l->message->id, domain ? domain : "@pawld");
	if (add_subject(buf_str(&subject), out, err))
		goto out;
	buf_adds(out, "\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
		      "Content-Transfer-Encoding: base64\r\nAuto-Submitted: auto-generated\r\n"
		      "\r\n");
	result = add_body(l, out, err) || buf_check(out, err) ? -1 : 0;
out:
	buf_release(&subject);
	return result;
}

int letter_status(const struct letter *l, const char *context, const char *state, struct buf *out,
		  struct err *err)
{
	struct buf line = BUF_INIT;
	struct jsonw w;
	int result = -1;

	/* A status is of the commit, not of what happened last. */
	if (l->n_open)
		add_count(l, l->n_open, ALERT_OPEN, STATUS_TEXT, &line);
	else
		add_line(l, STATUS_TEXT, &line);
	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "state", state);
	jsonw_kstring(&w, context, "pawld");
	jsonw_kstring(&w, "description", buf_str(&line));
	jsonw_object_end(&w);
	result = buf_check(&line, err) ? -1 : buf_check(out, err);
	buf_release(&line);
	return result;
}
