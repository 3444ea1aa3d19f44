/*
 * profile_read - the callgrind format.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/profile/profile_local.h"
#include "lib/profile/scan.h"

#include "lib/base/banned.h"

#define MAX_POSITIONS 3 /* instr, bb, line */
#define MAX_LINE 4294967295.0

/* Names by their compressed number: of objects, of files, of functions. */
enum kind { KIND_OBJECT, KIND_FILE, KIND_FUNCTION, KIND_N };

struct ids {
	const char **v;
	size_t n;
};

struct reader {
	struct profile_builder *out;
	struct scan line; /* what is left of it */
	struct ids ids[KIND_N];
	const char *object, *function_file, *file, *name; /* where costs belong now */
	const char *called;				  /* function of the calls= line */
	size_t n_positions, line_position;		  /* the latter: n_positions when absent */
	size_t n_events, event;
	double last[MAX_POSITIONS];
	bool has_events;
	bool after_calls; /* the next cost is the inclusive cost of a call */
	double sum, told; /* of this part; told NaN: it does not say */
};

/* "12", "+3", "-3" or "*"; 64-bit addresses need not stay exact, nobody asks for them. */
static int position(struct reader *r, size_t i, struct err *err)
{
	double most = i == r->line_position ? MAX_LINE : 2e19, value;
	char sign = 0;

	if (*r->line.at == '*') {
		r->line.at++;
		return 0;
	}
	if (*r->line.at == '+' || *r->line.at == '-')
		sign = *r->line.at++;
	if (scan_number(&r->line, most, &value, err))
		return -1;
	if (sign)
		value = r->last[i] + (sign == '+' ? value : -value);
	if (i == r->line_position && (value < 0 || value > most))
		return err_set(err, ERR_RANGE,
			       "line %u of the profile: a source line lies outside its file",
			       r->line.line_number);
	r->last[i] = value;
	return 0;
}

static int positions(struct reader *r, struct err *err)
{
	size_t i;

	for (i = 0; i < r->n_positions; i++) {
		scan_blanks(&r->line);
		if (r->line.at == r->line.end)
			return scan_wrong(&r->line, "a position is missing", err);
		if (position(r, i, err))
			return -1;
		if (r->line.at < r->line.end && *r->line.at != ' ' && *r->line.at != '\t')
			return scan_wrong(&r->line, "a position is no number", err);
	}
	return 0;
}

/* The cost of our event; what is left out at the end of the line is 0. */
static int costs(struct reader *r, double *out, struct err *err)
{
	double value;
	size_t i;

	*out = 0;
	for (i = 0; scan_blanks(&r->line), r->line.at < r->line.end; i++) {
		if (i >= r->n_events)
			return scan_wrong(&r->line, "more costs than events", err);
		if (scan_number(&r->line, PROFILE_MAX_COST, &value, err))
			return -1;
		if (r->line.at < r->line.end && *r->line.at != ' ' && *r->line.at != '\t')
			return scan_wrong(&r->line, "a cost is no number", err);
		if (i == r->event)
			*out = value;
	}
	return 0;
}

static int cost_line(struct reader *r, struct err *err)
{
	struct profile_record record;
	double cost;

	if (!r->has_events)
		return scan_wrong(&r->line, "a cost before the events are named", err);
	if (positions(r, err) || costs(r, &cost, err))
		return -1;
	record = (struct profile_record){ .name = r->name,
					  .object = r->object,
					  .function_file = r->function_file,
					  .file = r->file,
					  .line = r->line_position < r->n_positions
							  ? (unsigned)r->last[r->line_position]
							  : 0,
					  .is_call = r->after_calls,
					  .cost = cost };
	r->after_calls = false;
	if (cost == 0 || (record.is_call && !strcmp(r->called, r->name)))
		return 0;
	if (record.is_call) {
		record.file = r->function_file;
		record.line = 0;
	} else {
		r->sum += cost;
	}
	if (r->sum > PROFILE_MAX_COST)
		return err_set(err, ERR_RANGE, "the costs of the profile are too large");
	return profile_builder_add(r->out, &record, err);
}

static int id_slot(struct reader *r, enum kind kind, const char ***out, struct err *err)
{
	struct ids *ids = &r->ids[kind];
	double id;

	r->line.at++;
	if (scan_number(&r->line, PROFILE_MAX_ID - 1, &id, err))
		return -1;
	if (r->line.at == r->line.end || *r->line.at != ')')
		return scan_wrong(&r->line, "the number of a name is not closed", err);
	r->line.at++;
	if ((size_t)id >= ids->n) {
		size_t n = 2 * (size_t)id + 64, i;
		const char **grown = realloc(ids->v, n * sizeof(*grown));

		if (!grown)
			return err_nomem(err);
		for (i = ids->n; i < n; i++)
			grown[i] = NULL;
		ids->v = grown;
		ids->n = n;
	}
	*out = &ids->v[(size_t)id];
	return 0;
}

/* "(12) text" sets a number's name, "(12)" takes it, "text" is itself. */
static int name(struct reader *r, enum kind kind, const char **out, struct err *err)
{
	const char **slot = NULL;

	scan_blanks(&r->line);
	if (r->line.at < r->line.end && *r->line.at == '(') {
		const char *digits = r->line.at + 1;

		while (digits < r->line.end && *digits >= '0' && *digits <= '9')
			digits++;
		/* "(below main)" is a name. */
		if (digits > r->line.at + 1 && digits < r->line.end && *digits == ')' &&
		    id_slot(r, kind, &slot, err))
			return -1;
	}
	scan_blanks(&r->line);
	if (r->line.at == r->line.end && slot) {
		*out = *slot;
		return *out ? 0
			    : scan_wrong(&r->line, "a name is used by its number before it is told",
					 err);
	}
	*out = r->line.at == r->line.end
		       ? profile_builder_name(r->out, PROFILE_UNKNOWN, 3, err)
		       : profile_builder_name(r->out, r->line.at,
					      (size_t)(r->line.end - r->line.at), err);
	if (slot)
		*slot = *out;
	return *out ? 0 : -1;
}

/* *out_known false: no such line. */
static int specification(struct reader *r, bool *out_known, struct err *err)
{
	const char *ignored;

	*out_known = true;
	if (scan_take(&r->line, "ob="))
		return name(r, KIND_OBJECT, &r->object, err);
	if (scan_take(&r->line, "fl=") || scan_take(&r->line, "fi=") || scan_take(&r->line, "fe="))
		return name(r, KIND_FILE, &r->file, err);
	if (scan_take(&r->line, "fn=")) {
		/* Also where the last function ended in inlined code of this one's file. */
		r->function_file = r->file;
		return name(r, KIND_FUNCTION, &r->name, err);
	}
	if (scan_take(&r->line, "cob="))
		return name(r, KIND_OBJECT, &ignored, err);
	if (scan_take(&r->line, "cfi=") || scan_take(&r->line, "cfl="))
		return name(r, KIND_FILE, &ignored, err);
	if (scan_take(&r->line, "cfn="))
		return name(r, KIND_FUNCTION, &r->called, err);
	if (scan_take(&r->line, "calls=")) {
		r->after_calls = true;
		return 0;
	}
	if (scan_take(&r->line, "jump=") || scan_take(&r->line, "jcnd="))
		return 0; /* the line behind has a position and no cost */
	*out_known = false;
	return 0;
}

/* What a part says its costs sum up to must be so: else its end is missing. */
static int end_part(struct reader *r, struct err *err)
{
	if (!isnan(r->told) && r->told != r->sum)
		return err_set(err, ERR_SYNTAX,
			       "the profile is cut short: its costs sum up to %.0f, not to the "
			       "%.0f that it tells",
			       r->sum, r->told);
	r->told = (double)NAN;
	r->sum = 0;
	return 0;
}

static int header_events(struct reader *r, struct err *err)
{
	const char *text;
	size_t n;

	r->n_events = r->event = 0;
	while ((n = scan_word(&r->line, &text))) {
		if (r->n_events >= PROFILE_MAX_EVENTS)
			return err_set(err, ERR_LIMIT, "the profile has more than %d events",
				       PROFILE_MAX_EVENTS);
		if (scan_is(text, n, "Ir"))
			r->event = r->n_events;
		r->n_events++;
	}
	r->has_events = true;
	return r->n_events ? 0 : scan_wrong(&r->line, "no event is named", err);
}

static int header_positions(struct reader *r, struct err *err)
{
	const char *text;
	size_t n, i = 0, line = MAX_POSITIONS;

	while ((n = scan_word(&r->line, &text))) {
		if (i >= MAX_POSITIONS)
			return scan_wrong(&r->line, "too many kinds of positions", err);
		if (scan_is(text, n, "line"))
			line = i;
		else if (!scan_is(text, n, "instr") && !scan_is(text, n, "bb"))
			return scan_wrong(&r->line, "an unknown kind of position", err);
		i++;
	}
	if (!i)
		return scan_wrong(&r->line, "no kind of position is named", err);
	r->n_positions = i;
	r->line_position = line < i ? line : i;
	memset(r->last, 0, sizeof(r->last));
	return 0;
}

static int header_total(struct reader *r, struct err *err)
{
	double value;

	if (!r->has_events)
		return 0;
	if (costs(r, &value, err))
		return -1;
	r->told = value;
	return 0;
}

static int header(struct reader *r, struct err *err)
{
	if (scan_take(&r->line, "part:"))
		return end_part(r, err);
	if (scan_take(&r->line, "events:"))
		return end_part(r, err) ? -1 : header_events(r, err);
	if (scan_take(&r->line, "positions:"))
		return header_positions(r, err);
	if (scan_take(&r->line, "summary:") || scan_take(&r->line, "totals:"))
		return header_total(r, err);
	return memchr(r->line.at, ':', (size_t)(r->line.end - r->line.at))
		       ? 0
		       : scan_wrong(&r->line, "not understood", err);
}

static int text_line(struct reader *r, struct err *err)
{
	bool known;

	if (r->line.at == r->line.end || *r->line.at == '#')
		return 0;
	if ((*r->line.at >= '0' && *r->line.at <= '9') || *r->line.at == '+' ||
	    *r->line.at == '-' || *r->line.at == '*')
		return cost_line(r, err);
	if (r->after_calls)
		return scan_wrong(&r->line, "a call without its cost", err);
	if (specification(r, &known, err))
		return -1;
	return known ? 0 : header(r, err);
}

static int read_lines(struct reader *r, const struct profile_text *text, struct err *err)
{
	const char *next, *end = text->data + text->n;

	for (; text->n && (r->line.at < end); r->line.at = next) {
		r->line.line_number++;
		r->line.end = memchr(r->line.at, '\n', (size_t)(end - r->line.at));
		if (!r->line.end)
			r->line.end = end;
		next = r->line.end < end ? r->line.end + 1 : end;
		if (r->line.end > r->line.at && r->line.end[-1] == '\r')
			r->line.end--;
		if (text_line(r, err))
			return -1;
	}
	if (r->after_calls)
		return scan_wrong(&r->line, "a call without its cost", err);
	if (!r->has_events)
		return err_set(err, ERR_SYNTAX, "this is no profile: it names no events");
	return end_part(r, err);
}

static int read_text(struct profile_builder *out, const struct profile_text *text, struct err *err)
{
	struct reader r = {
		.out = out, .line = { .at = text->data }, .n_positions = 1, .told = (double)NAN
	};
	int result = -1, i;

	if (text->n > PROFILE_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "the profile is larger than %u MiB",
			       PROFILE_MAX_BYTES >> 20);
	if (text->n && memchr(text->data, '\0', text->n))
		return err_set(err, ERR_SYNTAX, "the profile holds a NUL byte");
	r.object = r.function_file = r.file = r.name = r.called =
		profile_builder_name(out, PROFILE_UNKNOWN, 3, err);
	if (r.object)
		result = read_lines(&r, text, err);
	for (i = 0; i < KIND_N; i++)
		free(r.ids[i].v);
	return result;
}

int profile_read(const struct profile_text *texts, size_t n, struct profile *out, struct err *err)
{
	struct profile_builder made = PROFILE_BUILDER_INIT;
	size_t i;
	int result = -1;

	for (i = 0; i < n; i++)
		if (read_text(&made, &texts[i], err))
			goto out;
	result = profile_builder_end(&made, out, err);
out:
	profile_builder_release(&made);
	return result;
}

int profile_parse(const char *data, size_t n, struct profile *out, struct err *err)
{
	const struct profile_text text = { data, n };

	return profile_read(&text, 1, out, err);
}
