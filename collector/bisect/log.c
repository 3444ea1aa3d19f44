#include "collector/bisect/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/base/strv.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#define HEADING "pawl-bisect"
#define VERSION 2
#define BYTES_MAX ((size_t)16 << 20)
#define FIELDS 17
#define FIELDS_V1 13 /* without differences */

static const char *const states[] = { "measured", "identical", "skipped" };

void bisect_evidence_release(struct bisect_evidence *e)
{
	free(e->code);
	free(e->why);
	free(e->unit);
	*e = (struct bisect_evidence)BISECT_EVIDENCE_INIT;
}

void bisect_log_release(struct bisect_log *log)
{
	while (log->n) {
		bisect_evidence_release(&log->v[--log->n]->evidence);
		free(log->v[log->n]);
	}
	free(log->v);
	free(log->question.benchmark);
	free(log->question.good);
	free(log->question.bad);
	free(log->question.build);
	*log = (struct bisect_log)BISECT_LOG_INIT;
}

int bisect_log_ask(struct bisect_log *log, const char *benchmark, const char *good, const char *bad,
		   const char *build, struct err *err)
{
	struct bisect_question *q = &log->question;

	return str_set(&q->benchmark, benchmark, err) || str_set(&q->good, good, err) ||
			       str_set(&q->bad, bad, err) || str_set(&q->build, build, err)
		       ? -1
		       : 0;
}

const struct bisect_evidence *bisect_log_find(const struct bisect_log *log, const char *base,
					      const char *head, int effort)
{
	size_t i;

	for (i = 0; i < log->n; i++)
		if (log->v[i]->effort == effort && !strcmp(log->v[i]->base, base) &&
		    !strcmp(log->v[i]->head, head))
			return &log->v[i]->evidence;
	return NULL;
}

const struct bisect_evidence *bisect_log_add(struct bisect_log *log, const char *base,
					     const char *head, int effort,
					     struct bisect_evidence *evidence, struct err *err)
{
	struct bisect_entry *entry;

	if (log->n == log->cap) {
		size_t cap = log->cap ? log->cap * 2 : 16;
		struct bisect_entry **v = realloc(log->v, cap * sizeof(*v));

		if (!v) {
			err_nomem(err);
			return NULL;
		}
		log->v = v;
		log->cap = cap;
	}
	entry = calloc(1, sizeof(*entry));
	if (!entry) {
		err_nomem(err);
		return NULL;
	}
	snprintf(entry->base, sizeof(entry->base), "%s", base);
	snprintf(entry->head, sizeof(entry->head), "%s", head);
	entry->effort = effort;
	entry->evidence = *evidence;
	*evidence = (struct bisect_evidence)BISECT_EVIDENCE_INIT;
	log->v[log->n++] = entry;
	return &entry->evidence;
}

/* ---- writing --------------------------------------------------------------------------- */

/* Anything as one word: what could end a word or a line is written as %XX, nothing as "-". */
static void add_word(struct buf *out, const char *text)
{
	const char *p;

	buf_addc(out, ' ');
	if (!text || !*text) {
		buf_addc(out, '-');
		return;
	}
	for (p = text; *p; p++)
		if ((unsigned char)*p <= ' ' || *p == '%' || *p == 127 || (p == text && *p == '-'))
			buf_addf(out, "%%%02X", (unsigned char)*p);
		else
			buf_addc(out, *p);
}

static void add_double(struct buf *out, double value)
{
	char text[NUMBER_TEXT];

	buf_addf(out, " %s", isfinite(value) ? number_print(value, text) : "-");
}

static void add_entry(struct buf *out, const struct bisect_entry *entry)
{
	const struct bisect_evidence *e = &entry->evidence;

	buf_addf(out, "compared %s %s %d %s", entry->base, entry->head, entry->effort,
		 states[e->state]);
	add_word(out, verdict_name(e->verdict));
	add_double(out, e->theta);
	add_double(out, e->low);
	add_double(out, e->high);
	add_double(out, e->confidence);
	buf_addf(out, " %llu", (unsigned long long)e->pairs);
	add_word(out, e->code);
	add_word(out, e->why);
	add_double(out, e->difference);
	add_double(out, e->difference_low);
	add_double(out, e->difference_high);
	add_word(out, e->unit);
	buf_addc(out, '\n');
}

int bisect_log_save(const struct bisect_log *log, const char *path, struct err *err)
{
	const struct bisect_question *q = &log->question;
	struct buf text = BUF_INIT;
	char sum[DIGEST_HEX];
	size_t i;
	int result = -1;

	buf_addf(&text, "%s %d\nquestion", HEADING, VERSION);
	add_word(&text, q->benchmark);
	add_word(&text, q->good);
	add_word(&text, q->bad);
	add_word(&text, q->build);
	buf_addc(&text, '\n');
	for (i = 0; i < log->n; i++)
		if (!log->v[i]->evidence.passing)
			add_entry(&text, log->v[i]);
	if (buf_check(&text, err) || digest_of(buf_str(&text), text.len, sum, err))
		goto out;
	buf_addf(&text, "sum %s\n", sum);
	if (!buf_check(&text, err))
		result = file_write_whole(path, text.data, text.len, 0600, err);
out:
	buf_release(&text);
	return result;
}

/* ---- reading --------------------------------------------------------------------------- */

static int damaged(const char *path, struct err *err)
{
	return err_set(err, ERR_CORRUPT, "'%s' is damaged", path);
}

/* Cuts a line at its blanks; the number of words, at most max. */
static size_t cut(char *line, char **words, size_t max)
{
	size_t n = 0;

	while (*line && n < max) {
		words[n++] = line;
		line += strcspn(line, " ");
		if (*line)
			*line++ = '\0';
	}
	return *line ? max + 1 : n;
}

/*
 * What add_word() wrote, on the heap; "-" is NULL.  False when memory ran out or it is odd, such as
 * empty.
 */
static bool take_word(const char *word, char **out)
{
	char *text, *to;

	free(*out);
	*out = NULL;
	if (!strcmp(word, "-"))
		return true;
	if (!*word)
		return false;
	text = to = strdup(word);
	if (!text)
		return false;
	for (; *word; word++) {
		unsigned c = (unsigned char)*word;

		if (c == '%') {
			if (sscanf(word, "%%%2X", &c) != 1 || !c || strlen(word) < 3) {
				free(text);
				return false;
			}
			word += 2;
		}
		*to++ = (char)c;
	}
	*to = '\0';
	*out = text;
	return true;
}

static bool take_double(const char *word, double *out)
{
	*out = (double)NAN;
	return !strcmp(word, "-") || number_double(word, out);
}

static bool take_state(const char *word, enum bisect_state *out)
{
	int i;

	for (i = 0; i < (int)(sizeof(states) / sizeof(states[0])); i++)
		if (!strcmp(word, states[i])) {
			*out = (enum bisect_state)i;
			return true;
		}
	return false;
}

static bool take_id(const char *word)
{
	size_t n = strspn(word, "0123456789abcdef");

	return (n == 40 || n == 64) && !word[n];
}

static bool take_difference(struct bisect_evidence *e, char **w, size_t n)
{
	return n == FIELDS_V1 ||
	       (take_double(w[13], &e->difference) && take_double(w[14], &e->difference_low) &&
		take_double(w[15], &e->difference_high) && take_word(w[16], &e->unit));
}

static bool take_entry(struct bisect_log *log, char **w, size_t n)
{
	struct bisect_evidence e = BISECT_EVIDENCE_INIT;
	char *verdict = NULL;
	uint64_t effort;
	bool ok = (n == FIELDS || n == FIELDS_V1) && take_id(w[1]) && take_id(w[2]) &&
		  number_u64(w[3], &effort) && effort < BISECT_EFFORTS &&
		  take_state(w[4], &e.state) && take_word(w[5], &verdict) &&
		  take_double(w[6], &e.theta) && take_double(w[7], &e.low) &&
		  take_double(w[8], &e.high) && take_double(w[9], &e.confidence) &&
		  number_u64(w[10], &e.pairs) && take_word(w[11], &e.code) &&
		  take_word(w[12], &e.why) && take_difference(&e, w, n);

	if (ok) {
		e.verdict = verdict_parse(verdict ? verdict : "");
		if (e.verdict == VERDICT_N)
			e.verdict = VERDICT_NONE;
		ok = bisect_log_add(log, w[1], w[2], (int)effort, &e, NULL) != NULL;
	}
	free(verdict);
	bisect_evidence_release(&e);
	return ok;
}

static bool take_line(struct bisect_log *log, char *line)
{
	struct bisect_question *q = &log->question;
	char *w[FIELDS];
	size_t n = cut(line, w, FIELDS);

	if (n == 5 && !strcmp(w[0], "question"))
		return take_word(w[1], &q->benchmark) && take_word(w[2], &q->good) &&
		       take_word(w[3], &q->bad) && take_word(w[4], &q->build) && q->benchmark &&
		       q->good && q->bad;
	return n && !strcmp(w[0], "compared") && take_entry(log, w, n);
}

/* Whether the last line is the digest of the ones above, which it is cut from. */
static bool is_whole(struct buf *text)
{
	static const size_t n = sizeof("sum ") - 1 + DIGEST_HEX; /* with its line end */
	char sum[DIGEST_HEX];
	char *last;

	if (text->len < n || strlen(text->data) != text->len)
		return false;
	last = text->data + text->len - n;
	if (last > text->data && last[-1] != '\n')
		return false;
	if (strncmp(last, "sum ", 4) || digest_of(text->data, text->len - n, sum, NULL) ||
	    strncmp(last + 4, sum, DIGEST_HEX - 1) || last[n - 1] != '\n')
		return false;
	buf_truncate(text, text->len - n);
	return true;
}

int bisect_log_load(const char *path, struct bisect_log *out, struct err *err)
{
	struct bisect_log log = BISECT_LOG_INIT;
	struct buf text = BUF_INIT;
	char *line, *next;
	int version, result = -1;

	*out = log;
	if (file_read_whole(path, BYTES_MAX, &text, err))
		goto out;
	if (sscanf(buf_str(&text), HEADING " %d\n", &version) == 1 && version > VERSION) {
		err_set(err, ERR_NEWER, "'%s' was written by a newer pawl", path);
		goto out;
	}
	if (!is_whole(&text) || sscanf(buf_str(&text), HEADING " %d\n", &version) != 1) {
		damaged(path, err);
		goto out;
	}
	for (line = strchr(text.data, '\n') + 1; *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!next || !take_line(&log, line)) {
			damaged(path, err);
			goto out;
		}
	}
	if (!log.question.benchmark) {
		damaged(path, err);
		goto out;
	}
	*out = log;
	log = (struct bisect_log)BISECT_LOG_INIT;
	result = 0;
out:
	bisect_log_release(&log);
	buf_release(&text);
	return result;
}
