#include "lib/record/packed/fields.h"

#include "lib/base/banned.h"

#define MOST_LINES 4096 /* warnings, parents */

FIELDS_ARE_ALL(summary, 528); /* without sides: what has them is never stored */
FIELDS_ARE_ALL(commit_tag, 80);
FIELDS_ARE_ALL(machine, 72);
FIELDS_ARE_ALL(environment, 48);
FIELDS_ARE_ALL(settings, 152);
FIELDS_ARE_ALL(shard, 32);
FIELDS_ARE_ALL(baseline, 24);
FIELDS_ARE_ALL(imported_file, 48);
FIELDS_ARE_ALL(accepted_item, 32);
FIELDS_ARE_ALL(unbuilt, 16);

void fields_of_facts(struct codec *c, struct facts *facts)
{
	size_t n = facts->n, i;

	codec_count(c, &n, SUMMARY_MAX_FACTS);
	for (i = 0; i < n && !c->failed; i++) {
		const struct fact none = { NULL, NULL }, *f = codec_reads(c) ? &none : &facts->v[i];
		const char *name = codec_name(c, f->name);
		const char *value = codec_borrow(c, f->value);

		if (codec_reads(c) && !c->failed && facts_add(facts, name, value, c->err))
			c->failed = true;
	}
}

static void fields_of_commit(struct codec *c, struct commit_tag *t)
{
	codec_text(c, &t->id);
	codec_list(c, &t->parents, MOST_LINES);
	codec_text(c, &t->tree);
	codec_text(c, &t->branch);
	codec_text(c, &t->subject);
	codec_signed(c, &t->author_time_us);
	codec_signed(c, &t->commit_time_us);
	codec_bool(c, &t->dirty);
	codec_bool(c, &t->truncated);
}

static void fields_of_machine(struct codec *c, struct machine *m)
{
	codec_text(c, &m->id);
	codec_text(c, &m->cpu);
	codec_int(c, &m->cores);
	codec_text(c, &m->os);
	codec_text(c, &m->kernel);
	codec_text(c, &m->governor);
	fields_of_facts(c, &m->more);
}

static void fields_of_settings(struct codec *c, struct settings *s)
{
	codec_int(c, &s->runs_min);
	codec_int(c, &s->runs_max);
	codec_unsigned(c, &s->min_time_ns);
	codec_text(c, &s->clock);
	codec_double(c, &s->confidence);
	codec_double(c, &s->threshold);
	codec_text(c, &s->order);
	codec_unsigned(c, &s->seed);
	codec_bool(c, &s->partial);
	codec_unsigned(c, &s->budget_ns);
	codec_bool(c, &s->measured_identical);
	codec_int(c, &s->shard.index);
	codec_int(c, &s->shard.count);
	codec_int(c, &s->shard.n_all);
	codec_text(c, &s->shard.group);
	codec_text(c, &s->shard.split);
}

static void fields_of_imported(struct codec *c, struct summary *s)
{
	size_t n = s->imported.n, i;

	codec_count(c, &n, SUMMARY_MAX_IMPORTED);
	for (i = 0; i < n && !c->failed; i++) {
		struct imported_file *f = codec_reads(c) ? NULL : &s->imported.v[i];
		const char *name = codec_name(c, f ? f->name : NULL);

		if (!f && !c->failed)
			f = summary_add_imported(s, name, c->err);
		if (!f) {
			c->failed = true;
			return;
		}
		codec_text(c, &f->format);
		codec_text(c, &f->sha256);
		fields_of_facts(c, &f->facts);
	}
}

static bool has_asked(const struct summary *s)
{
	return s->settings.asked.n > 0 || s->settings.lacks_parts;
}

/* Of what was added last. */
static bool has_last(const struct summary *s)
{
	return s->unbuilt.base || s->unbuilt.head || s->settings.build_key || has_asked(s);
}

/* Whether what came later is there: a result that it says nothing of ends before it. */
static bool has_more(const struct codec *c, bool says_something)
{
	return codec_reads(c) ? !c->failed && c->p != c->end : says_something;
}

static void fields_of_accepted(struct codec *c, struct summary *s)
{
	size_t n = s->n_accepted, i;

	if (!has_more(c, n || has_last(s)))
		return;
	codec_count(c, &n, SUMMARY_MAX_ACCEPTED);
	for (i = 0; i < n && !c->failed; i++) {
		const struct accepted_item *item = codec_reads(c) ? NULL : &s->accepted[i];
		const char *commit = codec_name(c, item ? item->commit : NULL);
		const char *benchmark = codec_name(c, item ? item->benchmark : NULL);
		const char *because = codec_borrow(c, item ? item->because : NULL);
		double change = item ? item->change : 0;

		codec_double(c, &change);
		if (!item && !c->failed &&
		    summary_add_accepted(s, commit, benchmark, because, change, c->err))
			c->failed = true;
	}
}

static void fields_of_last(struct codec *c, struct summary *s)
{
	if (!has_more(c, has_last(s)))
		return;
	codec_text(c, &s->unbuilt.base);
	codec_text(c, &s->unbuilt.head);
	if (has_more(c, s->settings.build_key || has_asked(s)))
		codec_text(c, &s->settings.build_key);
	if (has_more(c, has_asked(s)))
		codec_list(c, &s->settings.asked, SUMMARY_MAX_BENCHMARKS);
	if (has_more(c, s->settings.lacks_parts))
		codec_bool(c, &s->settings.lacks_parts);
}

void fields_of_head(struct codec *c, struct summary *s)
{
	codec_text(c, &s->id);
	codec_text(c, &s->project);
	fields_of_commit(c, &s->commit);
	fields_of_machine(c, &s->machine);
	codec_double(c, &s->environment.load);
	codec_double(c, &s->environment.pressure);
	codec_double(c, &s->environment.steal);
	codec_list(c, &s->environment.warnings, MOST_LINES);
	fields_of_settings(c, &s->settings);
	codec_text(c, &s->baseline.commit);
	codec_text(c, &s->baseline.how);
	codec_text(c, &s->baseline.why);
	fields_of_imported(c, s);
	codec_signed(c, &s->started_us);
	codec_signed(c, &s->finished_us);
	codec_text(c, &s->pawl);
	fields_of_accepted(c, s);
	fields_of_last(c, s);
}
