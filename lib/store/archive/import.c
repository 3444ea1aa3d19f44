#include "lib/store/archive/archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/digest/digest.h"
#include "lib/json/jtree.h"
#include "lib/squeeze/squeeze.h"
#include "lib/store/archive/brought.h"

#include "lib/base/banned.h"

#define BATCH 64
#define BATCH_BYTES (32 << 20)
/* Of thousands of benchmarks that are hidden one by one, each with a reason. */
#define MOST_HEAD (16u << 20)
#define KEPT_LEVEL 3

/* A summary of the file until its batch is stored. */
struct parcel {
	struct jtree *head;
	struct summary s;
	struct buf document, frame;
	char sha256[DIGEST_HEX];
	struct post post;
};

struct import {
	struct ledger *l;
	FILE *from;
	struct archive_count *count;
	struct buf *report;
	size_t line;	      /* how manyth summary of the file */
	struct digest digest; /* of what came since the file began, or since an end */
	int64_t n_since;      /* summaries of it */
	bool wants_end, is_ended;
	struct parcel *parcels[BATCH];
	size_t n, n_bytes;
	struct strv brought; /* see brought.h */
};

static void parcel_free(struct parcel *p)
{
	if (!p)
		return;
	jtree_free(p->head);
	summary_release(&p->s);
	buf_release(&p->document);
	buf_release(&p->frame);
	err_clear(&p->post.err);
	free(p);
}

static int refuse(const struct import *in, const char *why, struct err *err)
{
	return err_set(err, ERR_SYNTAX, "summary %zu of the file: %s", in->line, why);
}

/* 1: a line without its end; 0: there is none any more. */
static int read_line(struct import *in, struct buf *out, struct err *err)
{
	int c;

	while ((c = getc(in->from)) != EOF && c != '\n' && out->len < MOST_HEAD)
		buf_addc(out, (char)c);
	if (ferror(in->from))
		return err_sys(err, ERR_IO, "cannot read");
	if (c == EOF && !out->len)
		return 0;
	in->line++;
	return c == '\n' ? (buf_check(out, err) ? -1 : 1) : refuse(in, "its line has no end", err);
}

static const char *text_of(const struct parcel *p, const char *key)
{
	return jtree_text(jtree_get(p->head, key));
}

/* What a flipped bit would change is not in the document: when it came, what is hidden of it. */
static bool is_as_written(const struct buf *line)
{
	const size_t n_end = strlen(ARCHIVE_HEAD) + DIGEST_HEX - 1 + strlen("\"}");
	const char *end;
	char digest[DIGEST_HEX];

	if (line->len < n_end)
		return false;
	end = line->data + line->len - n_end;
	return str_starts(end, ARCHIVE_HEAD) &&
	       !digest_of(line->data, line->len - n_end, digest, NULL) &&
	       !memcmp(end + strlen(ARCHIVE_HEAD), digest, DIGEST_HEX - 1);
}

/* The last line: what stood before it is all that was written. */
static int read_end(struct import *in, const struct jtree *end, struct err *err)
{
	const char *wanted = jtree_text(jtree_get(end, "sha256"));
	char digest[DIGEST_HEX];
	int64_t n;

	if (digest_end(&in->digest, digest, err) || digest_begin(&in->digest, err))
		return -1;
	if (!wanted || !jtree_whole(jtree_get(end, "end"), &n) || n != in->n_since ||
	    strcmp(wanted, digest) != 0)
		return err_set(err, ERR_SYNTAX,
			       "the %lld summaries of the file are not all that were exported, in"
			       " their order",
			       (long long)in->n_since);
	in->n_since = 0;
	in->wants_end = false;
	in->is_ended = true;
	in->line--;
	return 0;
}

/* Where the file ends without that line. */
static int end_file(struct import *in, struct err *err)
{
	in->count->has_no_end = !in->is_ended;
	if (!in->wants_end)
		return 0;
	return err_set(err, ERR_SYNTAX,
		       "the file was cut: it ends behind summary %zu, without its last line",
		       in->line);
}

/* Whether it is a line that export writes: of a summary, or the last one. */
static int check_line(struct import *in, const struct parcel *p, const struct buf *line,
		      struct err *err)
{
	const char *form = p->head ? text_of(p, "export") : NULL;
	bool is_first = form && !strcmp(form, ARCHIVE_FIRST_FORM);

	if (!is_first && (!form || strcmp(form, ARCHIVE_FORM) != 0))
		return refuse(in, "that is no line of 'pawld export'", err);
	if (!is_as_written(line))
		return refuse(in, "its line is not the one that was exported", err);
	in->wants_end |= !is_first;
	return 0;
}

static int read_facts(struct import *in, struct parcel *p, int64_t *out_bytes, struct err *err)
{
	if (text_of(p, "sha256") &&
	    jtree_whole(jtree_get(p->head, "received_us"), &p->post.received_us) &&
	    jtree_whole(jtree_get(p->head, "bytes"), out_bytes) && *out_bytes > 0 &&
	    *out_bytes <= SUMMARY_MAX_BYTES)
		return 0;
	return refuse(in, "that is no line of 'pawld export'", err);
}

/* 1: of a summary; 0: there is none any more. */
static int read_head(struct import *in, struct parcel *p, int64_t *out_bytes, struct err *err)
{
	struct buf line = BUF_INIT;
	bool is_end = true;
	int result = 1;

	while (result > 0 && is_end) {
		buf_reset(&line);
		jtree_free(p->head);
		p->head = NULL;
		result = read_line(in, &line, err);
		if (result <= 0)
			break;
		p->head = jtree_parse(buf_str(&line), line.len, 8 * MOST_HEAD, 8, NULL);
		is_end = jtree_get(p->head, "end") != NULL;
		if (check_line(in, p, &line, err) || (is_end && read_end(in, p->head, err)))
			result = -1;
	}
	if (result > 0 && read_facts(in, p, out_bytes, err))
		result = -1;
	if (result > 0) {
		buf_addc(&line, '\n');
		digest_add(&in->digest, buf_str(&line), line.len);
		in->is_ended = false;
		in->n_since++;
	}
	if (!result)
		result = end_file(in, err);
	buf_release(&line);
	return result;
}

static int read_document(struct import *in, struct parcel *p, size_t n, struct err *err)
{
	char *bytes = malloc(n);
	int result = -1;

	if (!bytes)
		return err_nomem(err);
	if (fread(bytes, 1, n, in->from) != n || getc(in->from) != '\n') {
		refuse(in, "the file ends within its document", err);
		goto out;
	}
	buf_add(&p->document, bytes, n);
	digest_add(&in->digest, bytes, n);
	digest_add(&in->digest, "\n", 1);
	if (buf_check(&p->document, err) || digest_of(bytes, n, p->sha256, err))
		goto out;
	result = strcmp(p->sha256, text_of(p, "sha256"))
			 ? refuse(in, "its document is not the one that was exported", err)
			 : 0;
out:
	free(bytes);
	return result;
}

/* 1: *out is the next one; 0: there is none. */
static int read_parcel(struct import *in, struct parcel **out, struct err *err)
{
	struct parcel *p = calloc(1, sizeof(*p));
	struct err fault = ERR_INIT;
	int64_t n = 0;
	int result;

	if (!p)
		return err_nomem(err);
	result = read_head(in, p, &n, err);
	if (result > 0 && read_document(in, p, (size_t)n, err))
		result = -1;
	if (result > 0 && summary_decode(p->document.data, p->document.len, &p->s, &fault))
		result = refuse(in, fault.text, err);
	if (result <= 0) {
		memset(&p->s, 0, sizeof(p->s));
		parcel_free(p);
		return result;
	}
	p->post.summary = &p->s;
	p->post.json = p->document.data;
	p->post.n = p->document.len;
	p->post.sha256 = p->sha256;
	p->post.is_history = true;
	p->post.untrusted = jtree_is_true(jtree_get(p->head, "untrusted"));
	if (squeeze_document(p->document.data, p->document.len, KEPT_LEVEL, &p->frame) &&
	    !p->frame.failed) {
		p->post.frame = p->frame.data;
		p->post.n_frame = p->frame.len;
	}
	*out = p;
	return 1;
}

/* What was hidden is hidden. */
static int hide(struct import *in, const struct parcel *p, struct err *err)
{
	const struct jtree *list = jtree_get(p->head, "retracted"), *at;

	for (at = jtree_first(list); at; at = jtree_after(list, at)) {
		const struct retraction r = { .project = p->s.project,
					      .id = p->s.id,
					      .benchmark = jtree_text(jtree_get(at, "benchmark")),
					      .untrusted = p->post.untrusted,
					      .is_history = true,
					      .who = "pawld import",
					      .why = jtree_text(jtree_get(at, "why")) };
		int decided = brought_is_decided(&in->l->db, &r, err);
		bool changed;

		if (decided < 0 || (!decided && ledger_retract(in->l, &r, &changed, err)))
			return -1;
	}
	return 0;
}

static int count_one(struct import *in, const struct parcel *p, struct err *err)
{
	switch (p->post.result) {
	case POST_CREATED:
		in->count->n++;
		return hide(in, p, err);
	case POST_SAME:
		in->count->n_same++;
		return hide(in, p, err);
	case POST_CONFLICT:
		buf_addf(in->report, "summary %s: another one has its id\n", p->s.id);
		break;
	case POST_FAILED:
		buf_addf(in->report, "summary %s: %s\n", p->s.id, p->post.err.text);
		break;
	}
	in->count->n_refused++;
	return 0;
}

/* What came this way is no news to the watch, and no day on which results came. */
static int note_watched(struct import *in, const struct parcel *p, struct err *err)
{
	return db_run(&in->l->db, err,
		      "UPDATE project SET watched=next_id-1, counted=next_id-1 WHERE name=?1"
		      " AND watched<next_id-1",
		      "t", p->s.project);
}

static int store_batch(struct import *in, struct err *err)
{
	struct post *posts[BATCH];
	size_t i;
	int result;

	for (i = 0; i < in->n; i++)
		posts[i] = &in->parcels[i]->post;
	result = in->n ? ledger_post(in->l, posts, in->n, err) : 0;
	for (i = 0; !result && i < in->n; i++)
		result = count_one(in, in->parcels[i], err) ||
					 (posts[i]->result == POST_CREATED &&
					  (brought_add(&in->brought, in->parcels[i]->s.project,
						       in->parcels[i]->s.id, err) ||
					   note_watched(in, in->parcels[i], err)))
				 ? -1
				 : 0;
	for (i = 0; i < in->n; i++)
		parcel_free(in->parcels[i]);
	in->n = in->n_bytes = 0;
	return result;
}

static int fold_all(struct ledger *l, struct err *err)
{
	bool more = true;

	while (more)
		if (ledger_fold(l, &more, err))
			return -1;
	return 0;
}

int archive_import(struct ledger *l, FILE *from, struct archive_count *out, struct buf *report,
		   struct err *err)
{
	struct import in = {
		.l = l, .from = from, .count = out, .report = report, .digest = DIGEST_INIT
	};
	struct err fault = ERR_INIT;
	struct parcel *p = NULL;
	int step, result = 0;

	*out = (struct archive_count){ .n = 0 };
	if (digest_begin(&in.digest, err))
		return -1;
	while (!result && (step = read_parcel(&in, &p, &fault)) > 0) {
		in.parcels[in.n++] = p;
		in.n_bytes += p->document.len;
		if (in.n == BATCH || in.n_bytes > BATCH_BYTES)
			result = store_batch(&in, err);
	}
	digest_release(&in.digest);
	/* What stood before a fault is whole. */
	if (store_batch(&in, result ? NULL : err))
		result = -1;
	if (brought_log(&l->db, &in.brought, result ? NULL : err))
		result = -1;
	strv_release(&in.brought);
	if (result || fold_all(l, err))
		return -1;
	if (fault.code)
		*err = fault;
	return fault.code ? -1 : buf_check(report, err);
}
