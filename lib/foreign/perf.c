/*
 * perf - the lines of `perf stat -j`: one benchmark, named after the file, a metric an event.
 *
 * With -I each interval is a sample; with -A or --per-socket each place is a metric of its own.  An
 * event is work done: whatever its name, less of it is better.
 *
 * Source: tools/perf/Documentation/perf-stat.txt ("JSON FORMAT"); read 6.1's output.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/timeunit.h"
#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

bool perf_recognise(const struct foreign_doc *doc)
{
	const struct jtree *first;
	unsigned line;

	if (!doc_n_records(doc))
		return false;
	first = doc_record(doc, 0, &line);
	return jtree_get(first, "counter-value") && jtree_get(first, "event");
}

/* The part behind the last slash, without its extension. */
static void name_of_file(const char *path, struct buf *out)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');

	buf_add(out, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
	if (!strcmp(buf_str(out), "-")) {
		buf_reset(out);
		buf_adds(out, "perf");
	}
}

static void name_of_event(const struct jtree *record, struct buf *out)
{
	static const char *const places[] = { "socket", "die", "core", "node", "cpu", "thread" };
	const char *event = jtree_text(jtree_get(record, "event"));
	size_t i;

	if (!strcmp(event, "task-clock"))
		event = "cpu";
	if (!strcmp(event, "duration_time"))
		event = "wall";
	buf_adds(out, event);
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (jtree_text(jtree_get(record, places[i])))
			buf_addf(out, "@%s", jtree_text(jtree_get(record, places[i])));
}

/* What perf could not count is told so; an interval without a count is only left out. */
static int set_state(struct metric *m, const char *value, const char *where, struct err *err)
{
	if (m->n && value[0] == '<')
		return 0;
	if (!strcmp(value, "<not supported>"))
		m->state = METRIC_ABSENT;
	else if (!strcmp(value, "<not counted>"))
		m->state = METRIC_STARVED;
	else
		return err_set(err, ERR_RANGE, "%s: counter-value '%.40s' is not a number", where,
			       value);
	return str_set(&m->reason, value, err);
}

static int add_value(struct bench *b, const char *name, const struct jtree *record,
		     const char *where, struct err *err)
{
	const char *text = jtree_text(jtree_get(record, "counter-value"));
	const char *unit = jtree_text(jtree_get(record, "unit"));
	double value = jtree_number(jtree_get(record, "counter-value"));
	double scale = time_unit_ns(unit ? unit : ""), running;
	struct metric *m;

	unit = scale > 0 ? "ns" : unit && *unit ? unit : "1";
	if (text && !number_double(text, &value)) {
		m = sink_metric(b, name, unit, BETTER_LOWER, where, err);
		return m ? set_state(m, text, where, err) : -1;
	}
	if (scale > 0 ? sink_time(b, name, value, scale, where, err)
		      : sink_sample(b, name, unit, BETTER_LOWER, value, where, err))
		return -1;
	m = bench_find_metric(b, name);
	running = jtree_number(jtree_get(record, "pcnt-running"));
	if (!m || m->state == METRIC_SCALED)
		return 0;
	m->state = running < 100 ? METRIC_SCALED : METRIC_OK;
	return str_set(&m->reason, NULL, err);
}

static int read_record(struct bench *b, const struct jtree *record, unsigned line, struct err *err)
{
	static const char *const known[] = { "counter-value", "unit", "event", NULL };
	struct jtree_field field = { NULL, NULL, NULL };
	struct buf name = BUF_INIT, key = BUF_INIT;
	char where[SINK_WHERE];
	int result = -1;
	size_t i;

	snprintf(where, sizeof(where), "line %u", line);
	if (!jtree_text(jtree_get(record, "event"))) { /* a metric without an event of its own */
		result = sink_rest(&b->facts, record, NULL, err);
		goto out;
	}
	name_of_event(record, &name);
	if (buf_check(&name, err) || add_value(b, buf_str(&name), record, where, err))
		goto out;
	while (jtree_next(record, &field)) {
		for (i = 0; known[i] && strcmp(known[i], field.key); i++)
			;
		if (known[i] || jtree_get(record, "interval"))
			continue;
		buf_reset(&key);
		buf_addf(&key, "%s %s", buf_str(&name), field.key);
		if (buf_check(&key, err) ||
		    sink_fact_json(&b->facts, buf_str(&key), field.value, err))
			goto out;
	}
	result = 0;
out:
	buf_release(&name);
	buf_release(&key);
	return result;
}

/* The first event that was counted; of none, the first. */
static int decide(struct foreign_sink *to, struct bench *b, struct err *err)
{
	size_t i;

	for (i = 0; i < b->n_metrics && !b->metrics[i].n; i++)
		;
	if (!b->n_metrics)
		return 0;
	return sink_gate(to, b, b->metrics[i < b->n_metrics ? i : 0].name, err);
}

int perf_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	struct buf name = BUF_INIT;
	struct bench *b = NULL;
	unsigned line;
	size_t i;

	if (doc_need_lines(doc, err))
		return -1;
	name_of_file(doc->name, &name);
	if (!buf_check(&name, err))
		b = sink_new_bench(to, buf_str(&name), "line 1", err);
	buf_release(&name);
	if (!b)
		return -1;
	for (i = 0; i < doc_n_records(doc); i++) {
		const struct jtree *record = doc_record(doc, i, &line);

		if (read_record(b, record, line, err))
			return -1;
	}
	return decide(to, b, err);
}
