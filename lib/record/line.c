#include "lib/record/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/names.h"
#include "lib/record/reader.h"

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

static enum line_type type_of(struct reader *r, const struct jtree *root)
{
	enum line_type found = LINE_OTHER;
	char *word = NULL;
	int i;

	reader_string(r, root, "type", NEED, SUMMARY_MAX_NAME, &word);
	for (i = LINE_HELLO; word && i <= LINE_END; i++)
		if (!strcmp(type_words[i], word))
			found = (enum line_type)i;
	free(word);
	return found;
}

static void read_counters(struct reader *r, const struct jtree *root, struct line *line)
{
	const struct jtree *array = reader_array(r, root, "counters", MAY, LINE_MAX_COUNTERS), *o;
	size_t i, outer = reader_enter(r, "counters");

	if (jtree_count(array) &&
	    !(line->counters = calloc(jtree_count(array), sizeof(*line->counters))))
		reader_fault(r, ERR_NOMEM, NULL, "out of memory");
	for (i = 0, o = jtree_first(array); o; i++, o = jtree_after(array, o)) {
		size_t inner = reader_enter_item(r, i);
		struct counter_value *c;
		int state = METRIC_OK;

		if (reader_failed(r) || !line->counters)
			break;
		c = &line->counters[i];
		line->n_counters = i + 1;
		reader_string(r, o, "name", NEED, SUMMARY_MAX_NAME, &c->name);
		reader_word(r, o, "state", NEED, metric_state_words, METRIC_STATE_N, &state);
		c->state = (enum metric_state)state;
		reader_number(r, o, "value", MAY, &c->value);
		reader_string(r, o, "reason", MAY, SUMMARY_MAX_TEXT, &c->reason);
		if (!reader_failed(r) && isnan(c->value) && c->state <= METRIC_SCALED)
			reader_fault(r, ERR_RANGE, "value", "is missing");
		reader_leave(r, inner);
	}
	reader_leave(r, outer);
}

/* A duration or a count that must be there and must not be negative. */
static void need_amount(struct reader *r, const struct jtree *root, const char *key, double *out)
{
	reader_number(r, root, key, NEED, out);
	if (!reader_failed(r) && *out < 0)
		reader_fault(r, ERR_RANGE, key, "is negative");
}

/* And the time they took; no iterations in no time: of a slice or a result that failed whole. */
static void need_iterations(struct reader *r, const struct jtree *root, struct line *line)
{
	bool may_be_0 = line->type == LINE_SLICE || (line->type == LINE_RESULT && line->errors > 0);

	need_amount(r, root, "wall_ns", &line->wall_ns);
	need_amount(r, root, "iterations", &line->iterations);
	may_be_0 = may_be_0 && !(line->wall_ns > 0);
	if (!reader_failed(r) &&
	    (line->iterations < !may_be_0 || line->iterations > LINE_MAX_ITERATIONS ||
	     line->iterations != floor(line->iterations)))
		reader_fault(r, ERR_RANGE, "iterations",
			     may_be_0 ? "must be a whole number from 0 on"
				      : "must be a whole number from 1 on");
}

/* A name goes into one line of a table: not empty, no line breaks and tabs. */
static void need_name(struct reader *r, const struct jtree *root, struct line *line)
{
	reader_string(r, root, "name", NEED, SUMMARY_MAX_NAME, &line->name);
	if (!reader_failed(r) && (!*line->name || strpbrk(line->name, "\n\t")))
		reader_fault(r, ERR_RANGE, "name", "must be one line of text");
}

static void read_stretch(struct reader *r, const struct jtree *root, struct line *line)
{
	need_name(r, root, line);
	reader_number(r, root, "errors", MAY, &line->errors);
	need_iterations(r, root, line);
	reader_number(r, root, "cpu_ns", MAY, &line->cpu_ns);
	reader_number(r, root, "process_cpu_ns", MAY, &line->process_cpu_ns);
	reader_number(r, root, "run_delay_ns", MAY, &line->run_delay_ns);
	reader_number(r, root, "first_ns", MAY, &line->first_ns);
	reader_number(r, root, "voluntary_switches", MAY, &line->voluntary_switches);
	reader_number(r, root, "involuntary_switches", MAY, &line->involuntary_switches);
	reader_number(r, root, "minor_faults", MAY, &line->minor_faults);
	reader_number(r, root, "major_faults", MAY, &line->major_faults);
	reader_number(r, root, "migrations", MAY, &line->migrations);
	reader_number(r, root, "threads", MAY, &line->threads);
}

static void read_fields(struct reader *r, const struct jtree *root, struct line *line)
{
	switch (line->type) {
	case LINE_HELLO:
		reader_number(r, root, "protocol", NEED, &line->protocol);
		reader_string(r, root, "clock", MAY, SUMMARY_MAX_NAME, &line->text);
		break;
	case LINE_BENCHMARK:
		need_name(r, root, line);
		break;
	case LINE_CALIBRATION:
		read_stretch(r, root, line);
		break;
	case LINE_READY:
		reader_number(r, root, "slice", NEED, &line->slice);
		break;
	case LINE_SLICE:
		reader_number(r, root, "slice", NEED, &line->slice);
		need_iterations(r, root, line);
		reader_number(r, root, "cpu_ns", MAY, &line->cpu_ns);
		break;
	case LINE_RESULT:
		read_stretch(r, root, line);
		read_counters(r, root, line);
		break;
	case LINE_ERROR:
		reader_string(r, root, "name", MAY, SUMMARY_MAX_NAME, &line->name);
		reader_string(r, root, "message", NEED, SUMMARY_MAX_TEXT, &line->text);
		break;
	case LINE_OTHER:
	case LINE_NEXT:
	case LINE_END:
		break;
	}
}

int line_parse(const char *json, size_t n, struct line *out, struct err *err)
{
	struct reader reader, *r = &reader;
	struct jtree *root;

	memset(out, 0, sizeof(*out));
	root = jtree_parse(json, n, LINE_MAX_BYTES, LINE_MAX_DEPTH, err);
	if (!root)
		return -1;
	reader_init(r, err);
	if (jtree_kind(root) != JTREE_OBJECT)
		reader_fault(r, ERR_RANGE, NULL, "must be an object");
	out->type = type_of(r, root);
	read_fields(r, root, out);
	jtree_free(root);
	if (!reader_failed(r))
		return 0;
	line_release(out);
	return -1;
}
