#include "collector/run/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/run/launch.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

void session_init(struct session *s)
{
	memset(s, 0, sizeof(*s));
	s->child = (struct child)CHILD_INIT;
}

/* The program waits from here on: its deadline stands still. */
static void hold_clock(struct session *s)
{
	uint64_t now = when_monotonic_ns();

	s->left_ns = s->child.deadline_ns > now ? s->child.deadline_ns - now : 0;
}

static void run_clock(struct session *s)
{
	if (s->child.deadline_ns)
		s->child.deadline_ns = when_monotonic_ns() + s->left_ns;
}

int session_start(struct session *s, const struct child_spec *spec, struct err *err)
{
	session_init(s);
	if (child_start(spec, &s->child, err))
		return -1;
	s->started = true;
	hold_clock(s);
	channel_init(&s->channel, &s->child);
	return 0;
}

/* Keeps the first thing that went wrong. */
static void say(struct session *s, const char *text)
{
	if (!s->message)
		s->message = strdup(text);
}

static void take_slice(struct session *s, const struct line *line)
{
	if (s->n_slices >= SESSION_MAX_SLICES) {
		say(s, "wrote more slices than asked for");
		return;
	}
	if (line->slice != s->n_slices) {
		say(s, "wrote its slices in another order than asked for");
		return;
	}
	s->slice_wall_ns[s->n_slices] = line->wall_ns / line->iterations;
	s->slice_cpu_ns[s->n_slices] = line->cpu_ns / line->iterations;
	s->n_slices++;
}

static void take_name(struct session *s, const char *name, struct err *err)
{
	if (s->names.n >= SUMMARY_MAX_BENCHMARKS)
		say(s, "lists too many benchmarks");
	else if (strv_has(&s->names, name))
		say(s, "lists two benchmarks of one name");
	else if (strv_add(&s->names, name, err))
		say(s, "out of memory");
}

static void take_result(struct session *s, struct line *line)
{
	if (s->has_result) {
		say(s, "wrote two results for one run");
		return;
	}
	s->has_result = true;
	s->result = *line;
	memset(line, 0, sizeof(*line));
}

/* Files one line; returns whether the program now waits for its turn. */
static bool take(struct session *s, struct line *line, struct err *err)
{
	bool waits = false;

	switch (line->type) {
	case LINE_HELLO:
		s->has_hello = true;
		if (line->protocol != 1)
			say(s, "speaks another version of the record lines; link this libpawl");
		break;
	case LINE_BENCHMARK:
		take_name(s, line->name, err);
		break;
	case LINE_SLICE:
		take_slice(s, line);
		break;
	case LINE_READY:
		waits = true;
		break;
	case LINE_CALIBRATION:
	case LINE_RESULT:
		take_result(s, line);
		break;
	case LINE_ERROR:
		say(s, line->text);
		break;
	case LINE_NEXT:
		s->idle = waits = true;
		break;
	case LINE_END:
	case LINE_OTHER:
		break;
	}
	line_release(line);
	return waits;
}

static int read_lines(struct session *s, struct err *err)
{
	struct err fault = ERR_INIT;

	while (!s->ended) {
		struct line line;
		bool more;

		if (channel_next(&s->channel, &line, &more, &fault)) {
			s->ended = true;
			s->timed_out = fault.code == ERR_TIMEOUT;
			if (err_is_fatal(&fault)) {
				*err = fault;
				return -1;
			}
			if (!s->timed_out)
				say(s, fault.text);
			return 0;
		}
		if (!more)
			s->ended = true;
		else if (take(s, &line, err))
			return 0;
	}
	return 0;
}

int session_step(struct session *s, struct err *err)
{
	int result;

	run_clock(s);
	result = read_lines(s, err);
	hold_clock(s);
	return result;
}

int session_turn(struct session *s, struct err *err)
{
	if (s->ended || s->idle)
		return 0;
	channel_turn(&s->channel, NULL); /* where nobody takes it, its last records say why */
	return session_step(s, err);
}

/* What it answered is taken. */
static void forget(struct session *s)
{
	line_release(&s->result);
	free(s->message);
	s->message = NULL;
	s->has_result = s->idle = false;
	s->n_slices = 0;
	s->channel.n_bytes = 0;
}

int session_order(struct session *s, const char *name, uint64_t iterations, int slices,
		  uint64_t timeout_ns, struct err *err)
{
	struct buf order = BUF_INIT;
	int result = -1;

	forget(s);
	s->left_ns = timeout_ns;
	buf_addf(&order, "%llu %d %s\n", (unsigned long long)iterations, slices, name);
	if (!buf_check(&order, err)) {
		channel_send(&s->channel, order.data, order.len, NULL); /* as of a turn */
		result = session_step(s, err);
	}
	buf_release(&order);
	return result;
}

int session_dismiss(struct session *s, struct err *err)
{
	static const char end[] = "end\n";

	if (!s->idle || s->ended)
		return 0;
	s->idle = false;
	channel_send(&s->channel, end, strlen(end), NULL);
	return session_step(s, err);
}

void session_give_up(struct session *s, const char *why)
{
	if (s->ended)
		return;
	say(s, why);
	s->ended = true;
}

void session_finish(struct session *s, const struct session *other, uint64_t timeout_ns,
		    struct child_result *out, struct buf *out_explained)
{
	/* After the stream's end the process may still tear down: wait, within its deadline. */
	run_clock(s);
	if (s->ended && !s->timed_out && !s->message)
		s->timed_out = child_poll(&s->child, false) == CHILD_TIMEOUT;
	child_finish(&s->child, other ? &other->child : NULL, s->timed_out, out);
	if (s->message)
		buf_adds(out_explained, s->message);
	else if (s->timed_out || out->signal || out->exit_status)
		child_explain(&s->child, out, timeout_ns, out_explained);
	s->started = false;
}

void session_release(struct session *s)
{
	child_release(&s->child);
	channel_release(&s->channel);
	line_release(&s->result);
	strv_release(&s->names);
	free(s->message);
	session_init(s);
}

/* The median over the slices of the log ratio of their times. */
static double median_log_ratio(const double *head, const double *base, int n)
{
	double d[SESSION_MAX_SLICES];
	int i, j, k = 0;

	for (i = 0; i < n; i++) {
		double value = launch_log_ratio(head[i], base[i]);

		if (!isfinite(value))
			return (double)NAN;
		for (j = k++; j > 0 && d[j - 1] > value; j--)
			d[j] = d[j - 1];
		d[j] = value;
	}
	if (!k)
		return (double)NAN;
	return k % 2 ? d[k / 2] : (d[k / 2 - 1] + d[k / 2]) / 2;
}

void session_ratios(const struct session *head, const struct session *base, struct pair *p)
{
	int n = head->n_slices;

	if (!n || n != base->n_slices) { /* they did not take turns */
		p->log_ratio_wall = launch_log_ratio(p->head.wall_ns, p->base.wall_ns);
		p->log_ratio_cpu = launch_log_ratio(p->head.cpu_ns, p->base.cpu_ns);
		return;
	}
	p->log_ratio_wall = median_log_ratio(head->slice_wall_ns, base->slice_wall_ns, n);
	if (p->head.has_helpers || p->base.has_helpers)
		p->log_ratio_cpu = launch_log_ratio(p->head.process_cpu_ns, p->base.process_cpu_ns);
	else
		p->log_ratio_cpu = median_log_ratio(head->slice_cpu_ns, base->slice_cpu_ns, n);
}
