#include "server/others/others.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/base/number.h"
#include "lib/base/when.h"
#include "server/answer/post.h"
#include "server/answer/routes.h"
#include "server/others/form.h"
#include "server/others/readers.h"

#include "lib/base/banned.h"

#define MOST_TREE (48u << 20)
#define MOST_DEPTH 16

static int refuse(struct request *r, unsigned status, const char *code, const char *why)
{
	reply_error(&r->reply, status, code, why, NULL);
	return -1;
}

int others_check_head(struct request *r)
{
	r->is_form = request_has_type(r, "application/x-www-form-urlencoded");
	if (!r->is_form && !request_has_type(r, "application/json"))
		return refuse(r, 415, "type",
			      "the body must be application/x-www-form-urlencoded or "
			      "application/json");
	if (request_is_longer(r, SUMMARY_MAX_BYTES))
		return refuse(r, 413, "limit", "the body is too large");
	return 0;
}

/* ---- what it says ----------------------------------------------------------------------- */

/* "db_NAME" of the path: the project; "db_default" is that of the token. */
static const char *project_of(const struct request *r)
{
	size_t i;

	for (i = 0; i < ROUTE_ARGUMENTS && r->arguments[i]; i++) {
		const char *name = r->arguments[i];

		if (strncmp(name, "db_", 3) != 0 || !name[3])
			continue;
		return strcmp(name, "db_default") != 0 || !r->token.project ? name + 3
									    : r->token.project;
	}
	return NULL;
}

/* The document within the form, in *out. */
static int take_document(struct request *r, struct buf *out, struct err *err)
{
	const char *field = r->route->kind == ROUTE_LNT ? "input_data" : "json";

	if (form_field(r->body.data, r->body.len, field, out))
		return buf_check(out, err);
	return err_set(err, ERR_RANGE, "the form has no field '%s'", field);
}

/* Codespeed's form of a single result: its fields, as an object. */
static int take_fields(struct request *r, struct buf *out, struct err *err)
{
	static const char *const names[] = { "commitid",    "branch",	    "project",
					     "executable",  "benchmark",    "environment",
					     "units",	    "lessisbetter", "revision_date",
					     "result_date", "result_value", "std_dev",
					     "min",	    "max",	    NULL };
	struct buf value = BUF_INIT;
	struct jsonw w;
	double number;
	size_t i;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	for (i = 0; names[i]; i++) {
		buf_reset(&value);
		if (!form_field(r->body.data, r->body.len, names[i], &value) || !value.len)
			continue;
		if (i >= 10 && number_double(buf_str(&value), &number))
			jsonw_knumber(&w, names[i], number);
		else
			jsonw_kstring(&w, names[i], buf_str(&value));
	}
	jsonw_object_end(&w);
	buf_release(&value);
	return buf_check(out, err);
}

static int read_results(struct request *r, const struct jtree *root, struct told_list *out,
			struct err *err)
{
	const char *project;

	if (r->route->kind != ROUTE_LNT)
		return codespeed_read(root, out, err);
	project = project_of(r);
	if (!project)
		return err_set(err, ERR_ABSENT, "the path names no project: db_PROJECT");
	return lnt_read(root, project, out, err);
}

/* Writes all documents one behind the other into r->plain, and what is to be stored of them. */
static int make_items(struct request *r, const struct told_list *list, struct err *err)
{
	size_t *ends = calloc(list->n + 1, sizeof(*ends)), i;
	int64_t now_us = when_now_us();
	int result = -1;

	r->batch = calloc(1, sizeof(*r->batch) + list->n * sizeof(r->batch->items[0]));
	if (!ends || !r->batch) {
		err_nomem(err);
		goto out;
	}
	for (i = 0; i < list->n; i++) {
		if (told_write(&list->v[i], now_us, &r->plain, err))
			goto out;
		ends[i + 1] = r->plain.len;
	}
	result = 0;
	for (i = 0; i < list->n; i++) {
		struct item *item = &r->batch->items[r->batch->n++];

		if (post_item(item, r, r->plain.data + ends[i], ends[i + 1] - ends[i]))
			result = 1;
		else
			item_keep(item, NULL);
	}
out:
	free(ends);
	return result;
}

/* NULL with *err. */
static struct jtree *read_tree(struct request *r, struct err *err)
{
	bool is_single =
		r->route->kind == ROUTE_CODESPEED && !strcmp(r->route->pattern, "/result/add/");
	struct jtree *root = NULL;
	struct buf text = BUF_INIT;

	if (!r->is_form)
		return jtree_parse_within(buf_str(&r->body), r->body.len, MOST_TREE, MOST_DEPTH,
					  err);
	if (!(is_single ? take_fields : take_document)(r, &text, err))
		root = jtree_parse_within(buf_str(&text), text.len, MOST_TREE, MOST_DEPTH, err);
	buf_release(&text);
	return root;
}

int others_read(struct request *r)
{
	struct told_list list = { .n = 0 };
	struct err err = ERR_INIT;
	struct jtree *root = read_tree(r, &err);
	int result = root ? read_results(r, root, &list, &err) : -1;

	if (!result)
		result = make_items(r, &list, &err);
	if (result < 0)
		reply_fault(&r->reply, &err);
	else if (result)
		others_reply(r); /* one of them is wrong: none is stored */
	told_list_release(&list);
	jtree_free(root);
	return result ? -1 : 0;
}

/* ---- what it is answered ---------------------------------------------------------------- */

static void accept_lnt(struct request *r)
{
	const struct item *item = &r->batch->items[0];
	struct jsonw w;

	jsonw_init(&w, &r->reply.body, 0);
	jsonw_object(&w);
	jsonw_kbool(&w, "success", true);
	jsonw_kstring(&w, "error", NULL);
	jsonw_kstring(&w, "run_id", item->summary.id);
	jsonw_key(&w, "test_results");
	jsonw_array(&w);
	jsonw_array_end(&w);
	jsonw_object_end(&w);
	r->reply.status = 200;
}

void others_reply(struct request *r)
{
	size_t i;

	for (i = 0; i < r->batch->n; i++) {
		struct item *item = &r->batch->items[i];

		/* The id is that of the content: only the time of receipt differs. */
		if (!item->reply.status && !item->job.err.code &&
		    item->job.post.result == POST_CONFLICT)
			item->job.post.result = POST_SAME;
		if (!item->reply.status && item->has_summary)
			item_answer(item);
		if (item->reply.status < 400)
			continue;
		r->reply = item->reply;
		item->reply = (struct reply){ .status = 0 };
		return;
	}
	if (r->route->kind == ROUTE_LNT) {
		accept_lnt(r);
		return;
	}
	r->reply.status = 202;
	r->reply.type = "text/plain; charset=utf-8";
	buf_adds(&r->reply.body, "All result data saved successfully\n");
}
