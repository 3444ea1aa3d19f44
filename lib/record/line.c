#include "lib/record/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/names.h"
#include "lib/record/reader/reader.h"

#include "lib/base/banned.h"

#define LINE_MAX_DEPTH 8
#define LINE_MAX_ITERATIONS 9007199254740992.0 /* 2^53: all whole numbers below are exact */

static const char *const type_words[] = {
	[LINE_OTHER] = "",
	[LINE_HELLO] = "hello",
	[LINE_BENCHMARK] = "benchmark",
	[LINE_CALIBRATION] = "calibration",
	[LINE_READY] = "ready",
	[LINE_SLICE] = "slice",
	[LINE_RESULT] = "result",
	[LINE_NEXT] = "next",
	[LINE_ERROR] = "error",
	[LINE_END] = "end",
};

void line_release(struct line *line)
{
	size_t i;

	for (i = 0; i < line->n_counters; i++) {
		free(line->counters[i].name);
		free(line->counters[i].reason);
	}
	free(line->counters);
	free(line->name);
	free(line->text);
	memset(line, 0, sizeof(*line));
}

/* What has to be there of a line, by its type. */
struct found {
	bool type, name, wall, iterations, slice, protocol, message;
};

/* Before anything else: by it the other members are read. */
static enum line_type type_of(struct reader *r)
{
	enum line_type found = LINE_OTHER;
	char *word = reader_later_text(r, "type");
	int i;

	for (i = LINE_HELLO; word && i <= LINE_END; i++)
		if (!strcmp(type_words[i], word))
			found = (enum line_type)i;
	free(word);
	return found;
}

static void read_counter(struct reader *r, struct counter_value *c)
{
	bool name = false, has_state = false;
	int state = METRIC_OK;

	if (!reader_object(r)) {
		reader_fault_here(r, ERR_RANGE, "must be an object");
		return;
	}
	c->value = (double)NAN;
	while (reader_next(r)) {
		if (reader_at(r, "name"))
			name = reader_string(r, SUMMARY_MAX_NAME, &c->name);
		else if (reader_at(r, "state"))
			has_state = reader_word(r, metric_state_words, METRIC_STATE_N, &state);
		else if (reader_at(r, "value"))
			reader_number(r, &c->value);
		else if (reader_at(r, "reason"))
			reader_string(r, SUMMARY_MAX_TEXT, &c->reason);
	}
	c->state = (enum metric_state)state;
	reader_need(r, name, "name");
	reader_need(r, has_state, "state");
	reader_need(r, !isnan(c->value) || c->state > METRIC_SCALED, "value");
	reader_leave(r);
}

static void read_counters(struct reader *r, struct line *line)
{
	if (!reader_array(r, LINE_MAX_COUNTERS))
		return;
	while (reader_item(r)) {
		struct counter_value *more =
			realloc(line->counters, (line->n_counters + 1) * sizeof(*more));

		if (!more) {
			reader_fault(r, ERR_NOMEM, NULL, "out of memory");
			break;
		}
		line->counters = more;
		more[line->n_counters] = (struct counter_value){ .name = NULL };
		read_counter(r, &more[line->n_counters++]);
	}
	reader_leave(r);
}

/* A duration or a count, which must not be negative. */
static bool read_amount(struct reader *r, double *out)
{
	bool is_there = reader_number(r, out);

	if (is_there && *out < 0)
		reader_fault_here(r, ERR_RANGE, "is negative");
	return is_there;
}

/* And the time they took; no iterations in no time: of a slice or a result that failed whole. */
static void need_iterations(struct reader *r, const struct found *f, const struct line *line)
{
	bool may_be_0 = line->type == LINE_SLICE || (line->type == LINE_RESULT && line->errors > 0);

	reader_need(r, f->wall, "wall_ns");
	reader_need(r, f->iterations, "iterations");
	may_be_0 = may_be_0 && !(line->wall_ns > 0);
	if (line->iterations < !may_be_0 || line->iterations > LINE_MAX_ITERATIONS ||
	    line->iterations != floor(line->iterations))
		reader_fault(r, ERR_RANGE, "iterations",
			     may_be_0 ? "must be a whole number from 0 on"
				      : "must be a whole number from 1 on");
}

/* A name goes into one line of a table: not empty, no line breaks and tabs. */
static void need_name(struct reader *r, const struct found *f, const struct line *line)
{
	reader_need(r, f->name, "name");
	if (!reader_failed(r) && (!*line->name || strpbrk(line->name, "\n\t")))
		reader_fault(r, ERR_RANGE, "name", "must be one line of text");
}

/* What is recorded beside the time of a stretch. */
static void read_count(struct reader *r, struct line *line)
{
	const struct {
		const char *key;
		double *out;
	} counts[] = { { "errors", &line->errors },
		       { "process_cpu_ns", &line->process_cpu_ns },
		       { "run_delay_ns", &line->run_delay_ns },
		       { "first_ns", &line->first_ns },
		       { "voluntary_switches", &line->voluntary_switches },
		       { "involuntary_switches", &line->involuntary_switches },
		       { "minor_faults", &line->minor_faults },
		       { "major_faults", &line->major_faults },
		       { "migrations", &line->migrations },
		       { "threads", &line->threads } };
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (reader_at(r, counts[i].key))
			reader_number(r, counts[i].out);
}

static bool is_stretch(const struct line *line)
{
	return line->type == LINE_CALIBRATION || line->type == LINE_RESULT;
}

static void read_field(struct reader *r, struct line *line, struct found *f)
{
	bool is_named =
		is_stretch(line) || line->type == LINE_BENCHMARK || line->type == LINE_ERROR;
	bool is_timed = is_stretch(line) || line->type == LINE_SLICE;
	bool is_sliced = line->type == LINE_SLICE || line->type == LINE_READY;

	if (reader_at(r, "type"))
		f->type = reader_text(r, SUMMARY_MAX_NAME) != NULL;
	else if (is_named && reader_at(r, "name"))
		f->name = reader_string(r, SUMMARY_MAX_NAME, &line->name);
	else if (is_timed && reader_at(r, "wall_ns"))
		f->wall = read_amount(r, &line->wall_ns);
	else if (is_timed && reader_at(r, "iterations"))
		f->iterations = read_amount(r, &line->iterations);
	else if (is_timed && reader_at(r, "cpu_ns"))
		reader_number(r, &line->cpu_ns);
	else if (is_sliced && reader_at(r, "slice"))
		f->slice = reader_number(r, &line->slice);
	else if (line->type == LINE_HELLO && reader_at(r, "protocol"))
		f->protocol = reader_number(r, &line->protocol);
	else if (line->type == LINE_HELLO && reader_at(r, "clock"))
		reader_string(r, SUMMARY_MAX_NAME, &line->text);
	else if (line->type == LINE_ERROR && reader_at(r, "message"))
		f->message = reader_string(r, SUMMARY_MAX_TEXT, &line->text);
	else if (line->type == LINE_RESULT && reader_at(r, "counters"))
		read_counters(r, line);
	else if (is_stretch(line))
		read_count(r, line);
}

static void need_fields(struct reader *r, const struct found *f, const struct line *line)
{
	reader_need(r, f->type, "type");
	if (is_stretch(line) || line->type == LINE_BENCHMARK)
		need_name(r, f, line);
	if (line->type == LINE_SLICE || line->type == LINE_READY)
		reader_need(r, f->slice, "slice");
	if (is_stretch(line) || line->type == LINE_SLICE)
		need_iterations(r, f, line);
	if (line->type == LINE_HELLO)
		reader_need(r, f->protocol, "protocol");
	if (line->type == LINE_ERROR)
		reader_need(r, f->message, "message");
}

/* What is not told of a stretch is NaN. */
static void forget_counts(struct line *line)
{
	line->cpu_ns = (double)NAN;
	if (!is_stretch(line))
		return;
	line->errors = line->process_cpu_ns = line->run_delay_ns = line->first_ns = (double)NAN;
	line->voluntary_switches = line->involuntary_switches = line->minor_faults =
		line->major_faults = line->migrations = line->threads = (double)NAN;
}

int line_parse(const char *json, size_t n, struct line *out, struct err *err)
{
	struct found f = { .type = false };
	struct reader reader, *r = &reader;

	memset(out, 0, sizeof(*out));
	if (n > LINE_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "document of %zu bytes, at most %u are accepted", n,
			       LINE_MAX_BYTES);
	reader_open(r, json, n, SIZE_MAX, LINE_MAX_DEPTH, err);
	if (!reader_object(r))
		reader_fault(r, ERR_RANGE, NULL, "must be an object");
	out->type = type_of(r);
	if (is_stretch(out) || out->type == LINE_SLICE)
		forget_counts(out);
	while (reader_next(r))
		read_field(r, out, &f);
	need_fields(r, &f, out);
	if (!reader_close(r))
		return 0;
	line_release(out);
	return -1;
}
