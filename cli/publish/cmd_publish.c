/*
 * pawl publish - one comment on a pull request, updated, and a commit status.
 *
 * The document may come from a stranger's change: it is read as data, and what it says is shown as
 * text.  Where it goes is said by the caller, or by the CI's own variables, never by the document.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/document.h"
#include "cli/kept/kept.h"
#include "cli/measure/point_on.h"
#include "cli/publish/place.h"
#include "cli/publish/show.h"
#include "lib/process/input.h"
#include "lib/process/stop.h"
#include "reporter/deliver/transport_curl.h"
#include "reporter/judge/judge.h"
#include "reporter/publish/comment.h"
#include "reporter/publish/publish.h"
#include "reporter/render/render.h"

#include "lib/base/banned.h"

#define BUDGET_NS 60000000000ull
#define TOKEN_MOST 4096
#define UNDELIVERED 1

/* ---- what is published ---------------------------------------------------------------------- */

static int read_last(const struct options *o, struct summary *out, struct err *err)
{
	struct context c;
	int result;

	if (context_open_anywhere(o, &c, err))
		return -1;
	result = kept_find(&c, NULL, NULL, out, err);
	if (result && err->code == ERR_ABSENT)
		err_hint(err, "run 'pawl compare' first, or name its document: --file FILE");
	if (!result && !out->commit.id)
		talk_warn(terminal_talk(o),
			  "run 'pawl compare' with commits, or name a document: --file FILE",
			  "the last comparison is of commands, not of commits");
	context_close(&c);
	return result;
}

static int read_summary(const struct options *o, struct summary *out, struct err *err)
{
	if (!o->file)
		return read_last(o, out, err);
	if (document_read(o->file, out, err))
		return -1;
	if (!o->commit || (out->commit.id && !strcmp(out->commit.id, o->commit)))
		return 0;
	err_set(err, ERR_REFUSED, "'%s' is of commit %s, not of %s", o->file,
		out->commit.id ? out->commit.id : "(none)", o->commit);
	summary_release(out);
	return -1;
}

/* What is written: all of it is made before anything is sent. */
struct texts {
	struct buf comment, line, name;
	struct picture picture;
};

static void texts_release(struct texts *t)
{
	buf_release(&t->comment);
	buf_release(&t->line);
	buf_release(&t->name);
	picture_release(&t->picture);
}

static int check_address(const char *option, const char *given, struct err *err)
{
	if (!given || (given[0] == 'h' && picture_is_address(given)))
		return 0;
	err_set(err, ERR_USAGE, "--%s '%s' is no address", option, given);
	return err_hint(err, "begin with https://, and write blanks and brackets as %%20, %%28");
}

/* --picture: drawn and uploaded where that can be, an address to show, or none. */
static int make_picture(const struct options *o, const struct summary *s, struct texts *t,
			struct err *err)
{
	const char *how = o->picture ? o->picture : "auto";

	if (!strcmp(how, "none"))
		return 0;
	if (!strcmp(how, "auto"))
		return picture_make(s, &t->picture, err);
	if (check_address("picture", how, err))
		return -1;
	picture_lines("", how, &t->comment);
	return buf_check(&t->comment, err);
}

static int make_texts(const struct options *o, const struct summary *s, struct texts *t,
		      struct err *err)
{
	struct publish_words words = { o->label, NULL, o->link };
	struct buf accept = BUF_INIT;
	int result;

	accept_commands(s, &accept);
	if (accept.len)
		words.accept = buf_str(&accept);
	buf_addf(&t->name, "pawl%s%s", o->label ? "/" : "", o->label ? o->label : "");
	result = buf_check(&accept, err) || buf_check(&t->name, err) ||
		 check_address("link", o->link, err) ||
		 publish_comment(s, &words, RENDER_LIMIT_COMMENT - PICTURE_LINES, &t->comment,
				 err) ||
		 publish_line(s, PUBLISH_STATUS_TEXT, &t->line, err) || make_picture(o, s, t, err);
	buf_release(&accept);
	return result ? -1 : 0;
}

/* ---- by whom, and where
 * -------------------------------------------------------------------------- */

/* The first line of a file; a token is in no option. */
static int read_token_file(const char *path, char **out, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = input_read_file(path, TOKEN_MOST, &text, err);

	if (!result) {
		buf_truncate(&text, strcspn(buf_str(&text), "\r\n"));
		result = buf_check(&text, err) || str_set(out, buf_str(&text), err);
	}
	if (text.data)
		explicit_bzero(text.data, text.len);
	buf_release(&text);
	return result ? -1 : 0;
}

static int find_token(const struct options *o, const struct forge *forge, char **out,
		      struct err *err)
{
	const char *token = getenv("PAWL_PUBLISH_TOKEN");
	const char *p;

	if (o->token_file) {
		if (read_token_file(o->token_file, out, err))
			return -1;
	} else {
		if (!token || !*token)
			token = getenv(forge->token_variable);
		if (str_set(out, token, err))
			return -1;
	}
	if (!*out || !**out) {
		err_set(err, ERR_CONFIG, "there is no token to write with");
		return err_hint(err,
				"put it into PAWL_PUBLISH_TOKEN or %s, or into a file: "
				"--token-file FILE",
				forge->token_variable);
	}
	for (p = *out; *p; p++)
		if (*p <= ' ' || *p >= 127)
			return err_set(err, ERR_CONFIG,
				       "the token holds a blank, a line break or another character "
				       "that a header cannot carry");
	return 0;
}

/* How the run ended, as a state of the commit: what could not be decided stops nobody. */
static const char *state_of(const struct forge *forge, const struct summary *s)
{
	switch (judge_exit(s, false)) {
	case EXIT_REGRESSED:
		return forge->failed;
	case EXIT_FAILED:
		return forge->failure;
	default:
		return "success";
	}
}

/* ---- sending
 * ------------------------------------------------------------------------------------------- */

static int show(const struct options *o, const struct publish_request *rq, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = publish_show(rq, o->json, &text, err);

	if (!result)
		result = print_answer(o, &text, err);
	buf_release(&text);
	return result;
}

/* UNDELIVERED with err filled: the server, or the way to it, is what failed. */
static int deliver(const struct options *o, struct publish_request *rq, struct err *err)
{
	static const char *const done[] = { "is written", "is updated", "already says so" };
	const struct transport_curl_options how = { false, 0, 0, &stop_signal };
	struct publish_result result;
	struct transport transport;
	char *token = NULL;
	int status;

	if (find_token(o, rq->exchange.forge, &token, err)) {
		str_set(&token, NULL, NULL);
		return -1;
	}
	status = transport_curl_open(&how, &transport, err);
	if (!status) {
		rq->exchange.transport = &transport;
		rq->exchange.token = token;
		status = publish(rq, &result, err);
		transport_curl_close(&transport);
		if (status &&
		    (err->code == ERR_NET || err->code == ERR_REFUSED || err->code == ERR_ABSENT))
			status = UNDELIVERED;
	}
	if (!status)
		talk_note(rq->talk, "%s %llu: the comment %s", rq->exchange.forge->what,
			  (unsigned long long)result.number, done[result.done]);
	explicit_bzero(token, strlen(token));
	free(token);
	return status;
}

static int publish_with(const struct options *o, const struct forge *forge, const struct summary *s,
			const struct publish_place *place, struct err *err)
{
	struct texts texts = { BUF_INIT, BUF_INIT, BUF_INIT, PICTURE_INIT };
	struct publish_request rq = { .exchange = { .forge = forge },
				      .place = place->at,
				      .author = o->author,
				      .author_else = place->author_else,
				      .label = o->label,
				      .comment = &texts.comment,
				      .picture = &texts.picture,
				      .link = o->link,
				      .state = o->status ? state_of(forge, s) : NULL,
				      .state_line = &texts.line,
				      .budget_ns = BUDGET_NS,
				      .clock = &deliver_clock,
				      .talk = terminal_talk(o) };
	int result = -1;

	if (options_wait(o, &rq.budget_ns, err))
		result = -1;
	else if (o->json && !o->dry_run)
		err_set(err, ERR_USAGE, "--json is for --dry-run: it prints what would be sent");
	else if (!make_texts(o, s, &texts, err)) {
		rq.state_name = buf_str(&texts.name);
		result = o->dry_run ? show(o, &rq, err) : deliver(o, &rq, err);
	}
	texts_release(&texts);
	return result;
}

static const struct forge *find_forge(const struct options *o, struct err *err)
{
	const struct forge *forge = o->to ? forge_find(o->to) : NULL;

	if (!forge) {
		err_set(err, ERR_USAGE,
			o->to ? "--to takes github, gitlab or gitea, not '%s'"
			      : "no place to publish to is named",
			o->to);
		err_hint(err, "for example: pawl publish --to github");
	}
	return forge;
}

static int run(const struct options *o, struct err *err)
{
	const struct forge *forge = find_forge(o, err);
	struct publish_place place = PUBLISH_PLACE_INIT;
	struct summary s;
	int result = -1;

	if (!forge || publish_check_label(o->label, err) || read_summary(o, &s, err))
		return -1;
	if (!publish_place_of(o, forge, &s, &place, err))
		result = publish_with(o, forge, &s, &place, err);
	publish_place_release(&place);
	summary_release(&s);
	return result;
}

int cmd_publish(const struct options *o)
{
	struct err err = ERR_INIT;
	int result, status;

	if (o->args.n)
		result = err_set(&err, ERR_USAGE, "'pawl publish' takes no argument '%s'",
				 o->args.v[0]);
	else
		result = run(o, &err);
	if (!result)
		return EXIT_OK;
	status = complain(&err);
	return result == UNDELIVERED && status < 128 ? EXIT_UNDELIVERED : status;
}
