#include <string.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "lib/base/jsonw.h"
#include "lib/process/stop.h"
#include "reporter/text/terminal.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

static const struct {
	const char *name, *ascii, *utf8;
	enum ink ink;
} states[DOCTOR_STATES] = {
	[DOCTOR_OK] = { "ok", "ok", "✓", INK_GREEN },
	[DOCTOR_NOTE] = { "note", "--", "–", INK_YELLOW },
	[DOCTOR_FAULT] = { "fault", "!!", "✗", INK_RED },
};

#define NARROW 50 /* columns: below, what goes on is hardly indented */

/* One finding, wrapped into the terminal; the mark in front of it is not part of what is wrapped.
 */
static void add_finding(const struct finding *f, const struct render_options *how, struct buf *out)
{
	const char *mark = how->utf8 ? states[f->state].utf8 : states[f->state].ascii;
	int taken = text_width(mark) + 1, indent;
	struct buf first = BUF_INIT, rest = BUF_INIT;

	terminal_ink(states[f->state].ink, how->colour, out);
	buf_adds(out, mark);
	terminal_ink(INK_PLAIN, how->colour, out);
	buf_addf(&first, " %-13s ", f->area);
	indent = how->width && how->width < NARROW ? 2 : text_width(buf_str(&first)) + taken - 1;
	buf_addn(&rest, ' ', (size_t)indent);
	text_wrap(f->text, how->width ? how->width - taken + 1 : 0, buf_str(&first), buf_str(&rest),
		  out);
	buf_reset(&first);
	buf_addf(&first, "%s%scure: ", buf_str(&rest), indent > 2 ? " " : "");
	buf_adds(&rest, "   ");
	if (*f->cure)
		text_wrap(f->cure, how->width, buf_str(&first), buf_str(&rest), out);
	out->failed |= first.failed || rest.failed;
	buf_release(&first);
	buf_release(&rest);
}

static void add_text(const struct options *o, const struct diagnosis *d, size_t faults,
		     struct buf *out)
{
	const struct render_options how = terminal_render_options(o);
	size_t i;

	for (i = 0; i < d->n; i++)
		add_finding(&d->v[i], &how, out);
	buf_addf(out, faults ? "\n%zu fault%s\n" : "\nno fault\n", faults, faults > 1 ? "s" : "");
}

static void add_json(const struct diagnosis *d, size_t faults, struct buf *out)
{
	struct jsonw w;
	size_t i;

	jsonw_init(&w, out, 1);
	jsonw_object(&w);
	jsonw_kstring(&w, "schema", "pawl.doctor/1");
	jsonw_kinteger(&w, "faults", (int64_t)faults);
	jsonw_key(&w, "findings");
	jsonw_array(&w);
	for (i = 0; i < d->n; i++) {
		jsonw_object(&w);
		jsonw_kstring(&w, "area", d->v[i].area);
		jsonw_kstring(&w, "state", states[d->v[i].state].name);
		jsonw_kstring(&w, "text", d->v[i].text);
		jsonw_kstring(&w, "cure", *d->v[i].cure ? d->v[i].cure : NULL);
		jsonw_object_end(&w);
	}
	jsonw_array_end(&w);
	jsonw_object_end(&w);
	buf_addc(out, '\n');
}

int cmd_doctor(const struct options *o)
{
	struct err err = ERR_INIT;
	struct diagnosis d;
	struct buf out = BUF_INIT;
	size_t i, faults = 0;
	int result = -1;

	if (o->args.n) {
		err_set(&err, ERR_USAGE, "'pawl doctor' takes no argument");
		return complain(&err);
	}
	doctor_look(o, &d);
	/* What was found until then may be wrong for it: a git was ended, say. */
	if (stop_signal) {
		err_stopped(&err);
		return complain(&err);
	}
	for (i = 0; i < d.n; i++)
		faults += d.v[i].state == DOCTOR_FAULT;
	if (o->json)
		add_json(&d, faults, &out);
	else
		add_text(o, &d, faults, &out);
	if (!buf_check(&out, &err))
		result = print_answer(o, &out, &err);
	buf_release(&out);
	if (result)
		return complain(&err);
	return faults ? EXIT_ENVIRONMENT : EXIT_OK;
}
