#include "server/answer/get.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/when.h"
#include "server/answer/auth.h"
#include "server/http/link.h"

#include "lib/base/banned.h"

#define DEFAULT_POINTS 1000
#define F64_TYPE "application/vnd.pawl.f64"

static int tell_status(struct request *r, const char *fault, const char *well, struct err *err)
{
	if (fault) {
		r->reply.status = 503;
		r->reply.retry_after_s = RETRY_AFTER_S;
	}
	buf_addf(&r->reply.body, "{\"status\":\"%s\"}", fault ? fault : well);
	return buf_check(&r->reply.body, err);
}

/* After a trial, r->one.job.err has its outcome. */
static const char *fault_of_store(const struct request *r)
{
	return r->one.job.err.code || writer_refuses(&r->server->writer) ? "cannot write" : NULL;
}

int get_health(struct request *r, struct err *err)
{
	return tell_status(r, fault_of_store(r), "ok", err);
}

int get_ready(struct request *r, struct err *err)
{
	bool ends = atomic_load(&r->server->stopping);

	return tell_status(r, ends ? "stopping" : fault_of_store(r), "ready", err);
}

int get_only(const struct request *r, const char *const *known, struct err *err)
{
	return target_only(&r->url, known, err);
}

const char *get_given(const struct request *r, const char *name)
{
	return target_given(&r->url, name);
}

static int needed(const struct request *r, const char *name, const char **out, struct err *err)
{
	*out = get_given(r, name);
	return *out ? 0 : err_set(err, ERR_SYNTAX, "parameter '%s' is missing", name);
}

int get_limit(const struct request *r, size_t usual, size_t most, size_t *out, struct err *err)
{
	const char *text = get_given(r, "limit");
	uint64_t n = usual;

	if (text && (!number_u64(text, &n) || !n || n > most))
		return err_set(err, ERR_SYNTAX, "parameter 'limit' must be 1 to %zu", most);
	*out = (size_t)n;
	return 0;
}

/* A time, or a day that stands for its first moment. */
static int read_time(const struct request *r, const char *name, int64_t *out_us, struct err *err)
{
	const char *text = get_given(r, name);
	char day[WHEN_ISO];

	if (!text)
		return 0;
	snprintf(day, sizeof(day), "%.10sT00:00:00Z", text);
	if (when_parse(text, out_us) || (strlen(text) == 10 && when_parse(day, out_us)))
		return 0;
	return err_set(err, ERR_SYNTAX,
		       "parameter '%s' must be a time such as 2026-11-20T10:00:00Z", name);
}

int get_commit(const struct request *r, const char *name, const char **out, struct err *err)
{
	const char *text = get_given(r, name);
	size_t n = text ? strlen(text) : 4;

	if (n < 4 || n > 64 || (text && strspn(text, "0123456789abcdef") != n))
		return err_set(err, ERR_SYNTAX, "parameter '%s' must be 4 to 64 of 0-9 and a-f",
			       name);
	*out = text;
	return 0;
}

int get_bool(const struct request *r, const char *name, bool *out, struct err *err)
{
	const char *text = get_given(r, name);

	if (!text || number_bool(text, out))
		return 0;
	return err_set(err, ERR_SYNTAX, "parameter '%s' must be 0 or 1", name);
}

static const char *const none[] = { NULL };

int get_project(struct request *r, struct err *err)
{
	if (get_only(r, none, err))
		return -1;
	if (r->is_known)
		return 0;
	return ledger_project(r->reader, r->arguments[0], &r->reply.body, err);
}

static const char *const form_types[HISTORY_FORMS] = { "application/json", "text/csv", F64_TYPE };

enum history_form get_form(const struct request *r)
{
	return (enum history_form)target_prefers(r->accept, form_types, HISTORY_FORMS);
}

static int read_form(struct request *r, enum history_form *out, struct err *err)
{
	static const char *const words[HISTORY_FORMS] = { "json", "csv", "f64" };
	const char *text = get_given(r, "format");
	unsigned i;

	if (!text) {
		*out = get_form(r);
		if (*out != (enum history_form)HISTORY_FORMS)
			return 0;
		reply_error(&r->reply, 406, "form",
			    "a history is given as application/json, text/csv or " F64_TYPE,
			    "Accept");
		return -1;
	}
	for (i = 0; i < HISTORY_FORMS && strcmp(text, words[i]); i++)
		;
	if (i == HISTORY_FORMS)
		return err_set(err, ERR_SYNTAX, "parameter 'format' must be json, csv or f64");
	*out = (enum history_form)i;
	return 0;
}

static int read_px(const struct request *r, size_t *out, struct err *err)
{
	const char *text = get_given(r, "px");
	uint64_t n;

	if (!text)
		return 0;
	if (!number_u64(text, &n) || !n || n > LEDGER_MAX_PX)
		return err_set(err, ERR_SYNTAX, "parameter 'px' must be 1 to %d", LEDGER_MAX_PX);
	if (get_given(r, "limit") || get_given(r, "cursor"))
		return err_set(err, ERR_SYNTAX,
			       "parameter 'px' is of all points: not with 'limit' or 'cursor'");
	*out = (size_t)n;
	return 0;
}

static int read_columns(const struct request *r, enum history_form form, unsigned *out,
			struct err *err)
{
	const char *text = get_given(r, "columns");

	if (!text)
		return 0;
	if (form != HISTORY_JSON)
		return err_set(err, ERR_SYNTAX,
			       "parameter 'columns' is of JSON: the other forms have their own");
	return history_columns(text, out, err);
}

static int give_history(struct request *r, struct history_query *q, struct err *err)
{
	char next[LEDGER_CURSOR] = "";

	q->next = next;
	if (ledger_history(r->reader, q, &r->reply.body, err)) {
		memcpy(r->reply.cursor, next, sizeof(next));
		return -1;
	}
	if (*next)
		link_next(r->target, next, &r->reply.link);
	r->reply.type = q->form == HISTORY_CSV	 ? "text/csv; charset=utf-8; header=present"
			: q->form == HISTORY_F64 ? F64_TYPE
						 : NULL;
	return buf_check(&r->reply.link, err);
}

int get_history(struct request *r, struct err *err)
{
	static const char *const known[] = { "benchmark", "metric", "unit",   "better",	 "machine",
					     "branch",	  "since",  "until",  "limit",	 "cursor",
					     "untrusted", "px",	    "format", "columns", NULL };
	struct history_query q = {
		.project = r->arguments[0],
		.metric = get_given(r, "metric"),
		.unit = target_parameter(&r->url, "unit"), /* "": none */
		.better = get_given(r, "better"),
		.machine = get_given(r, "machine"),
		.branch = get_given(r, "branch"),
		.cursor = get_given(r, "cursor"),
	};

	if (get_only(r, known, err) || needed(r, "benchmark", &q.benchmark, err) ||
	    read_time(r, "since", &q.since_us, err) || read_time(r, "until", &q.until_us, err) ||
	    get_limit(r, DEFAULT_POINTS, LEDGER_MAX_POINTS, &q.limit, err) ||
	    get_bool(r, "untrusted", &q.untrusted, err) || read_px(r, &q.px, err) ||
	    read_form(r, &q.form, err) || read_columns(r, q.form, &q.columns, err))
		return -1;
	if (q.better && strcmp(q.better, "lower") && strcmp(q.better, "higher"))
		return err_set(err, ERR_SYNTAX, "parameter 'better' must be lower or higher");
	if (r->is_known)
		return 0;
	return give_history(r, &q, err);
}

int get_compare(struct request *r, struct err *err)
{
	static const char *const known[] = { "base", "head", "untrusted", NULL };
	const char *base, *head;
	bool untrusted = false;

	if (get_only(r, known, err) || needed(r, "base", &base, err) ||
	    needed(r, "head", &head, err) || get_commit(r, "base", &base, err) ||
	    get_commit(r, "head", &head, err) || get_bool(r, "untrusted", &untrusted, err))
		return -1;
	if (r->is_known)
		return 0;
	return ledger_compare(r->reader, r->arguments[0], base, head, untrusted, &r->reply.body,
			      err);
}

int get_summary(struct request *r, struct err *err)
{
	static const char *const known[] = { "untrusted", NULL };
	bool untrusted = false;

	if (get_only(r, known, err) || get_bool(r, "untrusted", &untrusted, err))
		return -1;
	if (r->is_known)
		return 0;
	return ledger_summary(r->reader, r->arguments[0], r->arguments[1], untrusted,
			      &r->reply.body, err);
}

static void write_writer(struct writer *w, struct buf *out)
{
	static const char *const results[] = { "created", "same", "conflict", "failed" };
	size_t i;

	buf_adds(out, "# TYPE pawld_summaries counter\n# HELP pawld_summaries Summaries taken.\n");
	for (i = 0; i < 4; i++)
		buf_addf(out, "pawld_summaries_total{result=\"%s\"} %llu\n", results[i],
			 (unsigned long long)atomic_load(&w->n_results[i]));
	metrics_write_one(out, "transactions", "Transactions that stored them.", true,
			  atomic_load(&w->n_batches));
	metrics_write_one(out, "queue", "Summaries that wait to be stored.", false,
			  writer_waiting(w));
	metrics_write_one(out, "refusing", "1 while nothing can be stored.", false,
			  writer_refuses(w));
}

static int write_outbox(struct request *r, struct buf *out, struct err *err)
{
	struct courier *c = &r->server->courier;
	int64_t waiting = 0, oldest_us = 0, now_us = when_now_us();

	if (outbox_count(ledger_db(r->reader), &waiting, &oldest_us, err))
		return -1;
	metrics_write_one(out, "messages_waiting", "Messages about alerts that wait to be sent.",
			  false, (unsigned long long)waiting);
	metrics_write_one(out, "message_age_seconds", "Age of the oldest of them; 0: none waits.",
			  false,
			  oldest_us && oldest_us < now_us
				  ? (unsigned long long)((now_us - oldest_us) / 1000000)
				  : 0);
	metrics_write_one(out, "message_tries", "Tries to send a message.", true,
			  atomic_load(&c->n_tries));
	metrics_write_one(out, "messages_delivered", "Messages that were delivered.", true,
			  atomic_load(&c->n_delivered));
	metrics_write_one(out, "messages_failed", "Messages that were given up.", true,
			  atomic_load(&c->n_failed));
	return 0;
}

int get_metrics(struct request *r, struct err *err)
{
	struct server *s = r->server;
	struct buf *out = &r->reply.body;

	if (get_only(r, none, err))
		return -1;
	if (r->has_token && r->token.project) {
		reply_error(&r->reply, 403, "refused",
			    "figures are of all projects, and so must the token be", NULL);
		return -1;
	}
	metrics_write(&s->metrics, out);
	write_writer(&s->writer, out);
	if (write_outbox(r, out, err))
		return -1;
	metrics_write_one(out, "requests_limited",
			  "Requests refused because their token made too many.", true,
			  atomic_load(&s->rate.n_refused));
	metrics_write_one(out, "body_bytes", "Bytes of bodies that are worked on.", false,
			  atomic_load(&s->body_bytes));
	metrics_write_one(out, "in_flight", "Requests that are worked on.", false,
			  (unsigned long long)atomic_load(&s->n_requests));
	metrics_write_one(out, "start_time_seconds", "When it was started, in seconds since 1970.",
			  false, (unsigned long long)(s->started_us / 1000000));
	buf_adds(out, "# EOF\n");
	r->reply.type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	/* Whoever does not ask for it may read the form of before alone, as promtool does. */
	if (r->accept && strstr(r->accept, "application/openmetrics-text"))
		return buf_check(out, err);
	r->reply.type = "text/plain; version=0.0.4; charset=utf-8";
	return metrics_make_plain(out, err);
}
