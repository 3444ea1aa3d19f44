#include "server/alert/send.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/base64.h"
#include "lib/digest/hmac.h"
#include "lib/net/forge.h"
#include "server/alert/secret.h"

#include "lib/base/banned.h"

/* What is about to be sent. */
struct parcel {
	const struct letter *letter;
	const struct send_options *opt;
	int64_t now_us;
	struct buf secret, body, url, user;
	struct strv headers, to;
	struct outward_request rq;
};

static void parcel_release(struct parcel *p)
{
	size_t i;

	for (i = 0; i < p->headers.n; i++)
		explicit_bzero(p->headers.v[i], strlen(p->headers.v[i]));
	strv_release(&p->headers);
	strv_release(&p->to);
	secret_release(&p->secret);
	secret_release(&p->user);
	buf_release(&p->body);
	buf_release(&p->url);
}

static int add_header(struct parcel *p, const char *name, const struct buf *value, struct err *err)
{
	struct buf line = BUF_INIT;
	int result;

	buf_addf(&line, "%s: %s", name, buf_str(value));
	result = buf_check(&line, err) || strv_add(&p->headers, buf_str(&line), err) ? -1 : 0;
	secret_release(&line);
	return result;
}

static int add_text_header(struct parcel *p, const char *name, const char *value, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	buf_adds(&text, value);
	result = buf_check(&text, err) ? -1 : add_header(p, name, &text, err);
	buf_release(&text);
	return result;
}

/* As www.standardwebhooks.com has it: over "ID.TIME.BODY". */
static int add_signature(struct parcel *p, const char *seconds, struct err *err)
{
	const char *id = p->letter->message->id;
	const struct hmac_piece pieces[] = { { id, strlen(id) },
					     { ".", 1 },
					     { seconds, strlen(seconds) },
					     { ".", 1 },
					     { p->body.data, p->body.len } };
	unsigned char mac[HMAC_BYTES];
	struct buf value = BUF_INIT;
	int result = -1;

	hmac_sha256(p->secret.data, p->secret.len, pieces, 5, mac);
	buf_adds(&value, "v1,");
	if (!base64_add((const char *)mac, sizeof(mac), false, &value, err))
		result = add_header(p, "webhook-signature", &value, err);
	buf_release(&value);
	return result;
}

static int make_webhook(struct parcel *p, struct err *err)
{
	char seconds[24];

	snprintf(seconds, sizeof(seconds), "%" PRId64, p->now_us / 1000000);
	p->rq.url = p->letter->message->target.url;
	if (letter_document(p->letter, &p->body, err) ||
	    add_text_header(p, "Content-Type", "application/json", err) ||
	    add_text_header(p, "webhook-id", p->letter->message->id, err) ||
	    add_text_header(p, "webhook-timestamp", seconds, err))
		return -1;
	return p->secret.len ? add_signature(p, seconds, err) : 0;
}

/* "user:password" */
static int set_login(struct parcel *p, struct err *err)
{
	const char *at = p->secret.len ? strchr(p->secret.data, ':') : NULL;

	if (!p->secret.len)
		return 0;
	if (!at)
		return err_set(err, ERR_CONFIG, "the first line of '%s' is not USER:PASSWORD",
			       p->letter->message->target.secret_file);
	buf_add(&p->user, p->secret.data, (size_t)(at - p->secret.data));
	p->rq.user = buf_str(&p->user);
	p->rq.password = at + 1;
	return buf_check(&p->user, err);
}

static int split(const char *list, struct strv *out, struct err *err)
{
	struct buf one = BUF_INIT;
	int result = 0;

	while (!result && *list) {
		size_t n = strcspn(list, ",");

		buf_reset(&one);
		buf_add(&one, list, n);
		result = buf_check(&one, err) || strv_add(out, buf_str(&one), err) ? -1 : 0;
		list += n + (list[n] == ',');
	}
	buf_release(&one);
	return result;
}

static int make_mail(struct parcel *p, struct err *err)
{
	const struct alert_target *t = &p->letter->message->target;

	p->rq.url = t->url;
	p->rq.from = t->sender;
	p->rq.to = &p->to;
	return set_login(p, err) || split(t->recipients, &p->to, err) ||
			       letter_mail(p->letter, t->sender, t->recipients, &p->body, err)
		       ? -1
		       : 0;
}

/* Red while anything at the commit is open, whatever this message is about. */
static const char *word_of(const struct letter *l, const struct forge *forge)
{
	return l->message->event && l->n_open ? forge->failed : "success";
}

static int make_status(struct parcel *p, struct err *err)
{
	const struct message *m = p->letter->message;
	const struct forge *forge = forge_find(m->target.forge);
	struct forge_place place = { .api = m->target.url,
				     .repository = m->target.repository,
				     .commit = m->commit };
	struct buf token = BUF_INIT;
	int result = -1;

	if (!forge || !m->commit)
		return err_set(err, ERR_CONFIG, "there is no commit to give a status to");
	forge_address(&place, forge->statuses, &p->url);
	p->rq.url = buf_str(&p->url);
	buf_addf(&token, "%s%s", forge->auth_scheme, buf_str(&p->secret));
	if (!buf_check(&p->url, err) && !buf_check(&token, err) &&
	    !letter_status(p->letter, forge->context, word_of(p->letter, forge), &p->body, err) &&
	    !add_text_header(p, "Content-Type", "application/json", err))
		result = add_header(p, forge->auth_header, &token, err);
	secret_release(&token);
	return result;
}

static int make(struct parcel *p, struct err *err)
{
	const struct alert_target *t = &p->letter->message->target;
	static int (*const makers[TARGET_KINDS])(struct parcel * p, struct err * err) = {
		[TARGET_WEBHOOK] = make_webhook,
		[TARGET_MAIL] = make_mail,
		[TARGET_STATUS] = make_status,
	};

	if (t->kind <= 0 || t->kind >= TARGET_KINDS)
		return err_set(err, ERR_CONFIG, "a newer pawld made this target");
	if (t->secret_file && secret_read(t->secret_file, &p->secret, err))
		return -1;
	if (makers[t->kind](p, err))
		return -1;
	p->rq.body = buf_str(&p->body);
	p->rq.n = p->body.len;
	p->rq.headers = &p->headers;
	p->rq.allow_private = t->allow_private;
	p->rq.timeout_ns = p->opt->timeout_ns;
	p->rq.stop = p->opt->stop;
	return 0;
}

static bool is_one_of(int status, const int *list)
{
	for (; *list; list++)
		if (*list == status)
			return true;
	return false;
}

/* Never, however often it is sent. */
static bool is_hopeless(bool is_mail, int status)
{
	static const int http[] = { 400, 405, 410, 413, 414, 415, 431, 0 };
	static const int of_login[] = { 530, 534, 535, 538, 0 };

	if (is_mail)
		return status >= 500 && !is_one_of(status, of_login);
	return is_one_of(status, http);
}

/* The target is not well, or wants a rest, whatever it is sent. */
static bool is_unwell(bool is_mail, int status)
{
	if (!status)
		return true;
	if (is_mail)
		return status < 500;
	return status >= 500 || status == 408 || status == 425 || status == 429;
}

void send_judge(bool is_mail, const struct outward_reply *reply, int64_t made_us, int64_t now_us,
		uint64_t first_ns, struct send_outcome *out)
{
	int64_t age_us = now_us - made_us, pause_us = age_us / 2;

	*out = (struct send_outcome){ .state = MESSAGE_WAITS };
	if (reply->status >= 200 && reply->status < 300) {
		out->state = MESSAGE_DELIVERED;
		return;
	}
	if (reply->status)
		snprintf(out->fault, sizeof(out->fault), "the server answered %d%s%.200s",
			 reply->status, reply->why[0] ? ": " : "", reply->why);
	else
		snprintf(out->fault, sizeof(out->fault), "%.200s", reply->why);
	if (is_hopeless(is_mail, reply->status) || age_us > SEND_MOST_AGE_US) {
		out->state = MESSAGE_FAILED;
		return;
	}
	if (pause_us < (int64_t)(first_ns / 1000))
		pause_us = (int64_t)(first_ns / 1000);
	if (reply->retry_after_s > 0 && pause_us / 1000000 < reply->retry_after_s)
		pause_us = reply->retry_after_s > 3600 ? SEND_MOST_PAUSE_US
						       : reply->retry_after_s * 1000000;
	if (pause_us > SEND_MOST_PAUSE_US)
		pause_us = SEND_MOST_PAUSE_US;
	out->next_us = now_us + pause_us;
	out->rest = is_unwell(is_mail, reply->status);
}

/* A setting that is wrong may be put right: it is tried again as if nobody had answered. */
static int judge_fault(const struct letter *l, const struct send_options *opt, int64_t now_us,
		       struct send_outcome *out, struct err *err, const struct err *fault)
{
	struct outward_reply reply = { .status = 0 };

	if (err_is_fatal(fault)) {
		if (err)
			*err = *fault;
		return -1;
	}
	snprintf(reply.why, sizeof(reply.why), "%.250s", fault->text);
	send_judge(false, &reply, l->message->made_us, now_us, opt->first_ns, out);
	return 0;
}

int send_letter(const struct letter *l, const struct send_options *opt, int64_t now_us,
		struct send_outcome *out, struct err *err)
{
	struct parcel p = { .letter = l, .opt = opt, .now_us = now_us };
	struct outward_reply reply;
	struct err fault = ERR_INIT;
	int result = 0;

	if (make(&p, &fault) || outward_send(&p.rq, &reply, &fault))
		result = judge_fault(l, opt, now_us, out, err, &fault);
	else
		send_judge(l->message->target.kind == TARGET_MAIL, &reply, l->message->made_us,
			   now_us, opt->first_ns, out);
	parcel_release(&p);
	return result;
}
