#include <stdlib.h>
#include <string.h>

#include "cli/measure/calibration.h"
#include "cli/command.h"
#include "cli/passed_over.h"
#include "cli/range.h"
#include "collector/child/child.h"
#include "collector/machine/machine.h"
#include "collector/plan.h"
#include "collector/unconfigured.h"
#include "collector/why.h"
#include "lib/base/strv.h"
#include "lib/process/output.h"
#include "reporter/why/why.h"

#include "lib/base/banned.h"

#define NAMES_LONGEST 200 /* bytes of a hint */

/*
 * The benchmark in the stored result of the head, when it was compared with just that base: its
 * counters are the first answer.  *out_s is released by the caller in any case.
 */
static const struct bench *stored_counters(const struct context *c, const struct why_profiles *p,
					   struct summary *out_s)
{
	const struct bench *b = NULL;
	struct store *store = NULL;

	summary_init(out_s);
	if (!c->store_path || store_open(c->store_path, STORE_READ, &store, NULL))
		return NULL;
	if (!store_latest(store, c->project, p->head.commit.id, out_s, NULL))
		b = summary_find(out_s, p->name);
	else
		summary_init(out_s);
	passed_over_tell(c->talk, store);
	store_close(store);
	if (b) {
		const char *base = b->baseline_commit ? b->baseline_commit : out_s->baseline.commit;

		if (!base || strcmp(base, p->base.commit.id) != 0)
			b = NULL;
	}
	return b;
}

/* What is known of this machine; nothing where the store cannot tell. */
static void load_known(const struct context *c, struct calibrations *out)
{
	struct store *store = NULL;
	struct summary s;

	summary_init(&s);
	if (!machine_describe(&s.machine, NULL) && !str_set(&s.project, c->project, NULL) &&
	    c->store_path && !store_open(c->store_path, STORE_READ, &store, NULL))
		calibration_load(store, &s, out, NULL);
	store_close(store);
	summary_release(&s);
}

static int write_page(const struct options *o, const char *format, const char *path,
		      const struct why_report *why, struct err *err)
{
	const struct render_options how = terminal_render_options(o);
	struct buf text = BUF_INIT;
	int result = -1;

	if (!why_render(format, why, &how, &text, err))
		result = output_write_named(path, text.data, text.len, 0644, err);
	buf_release(&text);
	return result;
}

static int answer(const struct options *o, const struct context *c, const struct why_profiles *p,
		  struct err *err)
{
	const struct render_options how = terminal_render_options(o);
	struct buf text = BUF_INIT;
	struct summary stored;
	struct calibrations known = CALIBRATIONS_INIT;
	struct why_report why = {
		.benchmark = p->name,
		.per_iteration = p->per_iteration,
		.identical = p->identical,
		.base = { p->base.commit.id, p->base.tree.path, &p->base.profile },
		.head = { p->head.commit.id, p->head.tree.path, &p->head.profile }
	};
	int result = -1;

	load_known(c, &known);
	why.known = calibrations_find(&known, p->name);
	why.counters = stored_counters(c, p, &stored);
	if ((o->html && write_page(o, "html", o->html, &why, err)) ||
	    (o->svg && write_page(o, "svg", o->svg, &why, err)) ||
	    why_render(o->json	   ? "json"
		       : o->format ? o->format
				   : "text",
		       &why, &how, &text, err))
		goto out;
	result = print_answer(o, &text, err);
out:
	calibrations_release(&known);
	summary_release(&stored);
	buf_release(&text);
	return result;
}

/* "'a', 'b'", cut where it gets long. */
static void add_names(const struct config *config, struct buf *out)
{
	size_t i;

	for (i = 0; i < config->n_benchmarks && out->len < NAMES_LONGEST; i++)
		buf_addf(out, "%s'%s'", i ? ", " : "", config->benchmarks[i].name);
	if (i < config->n_benchmarks)
		buf_adds(out, ", ...");
}

static bool may_be_there(const struct config *config, const char *name)
{
	size_t i;

	for (i = 0; i < config->n_benchmarks; i++)
		if (plan_lies_in(name, config->benchmarks[i].name))
			return true;
	return false;
}

/* The benchmark that is asked for, as far as the configuration tells: before anything is built. */
static int choose(const struct options *o, const struct context *c, const char **out,
		  struct err *err)
{
	const struct config *config = &c->config;
	struct buf names = BUF_INIT;
	const char *meant;

	*out = o->benchmark;
	if (!config->n_benchmarks)
		return unconfigured(c->repo, "name a command: 'pawl why -- COMMAND'", err);
	/* One benchmark needs no name. */
	if (!*out && config->n_benchmarks == 1)
		*out = config->benchmarks[0].name;
	if (*out && may_be_there(config, *out))
		return 0;
	add_names(config, &names);
	if (*out) {
		err_set(err, ERR_CONFIG, "there is no benchmark '%s'", *out);
		meant = config_nearest(config, *out);
		if (meant)
			err_hint(err, "did you mean '%s'?", meant);
		err_hint(err, "there is %s; one inside is written SECTION/NAME", buf_str(&names));
	} else {
		err_set(err, ERR_USAGE, "there are %zu benchmarks, and it is not said which",
			config->n_benchmarks);
		err_hint(err, "say --benchmark NAME; there is %s", buf_str(&names));
	}
	buf_release(&names);
	return -1;
}

static int why(const struct options *o, const struct context *c, struct err *err)
{
	struct why_request rq = { .repo = c->repo,
				  .config = &c->config,
				  .state_dir = c->state_dir,
				  .submodules = o->submodules,
				  .talk = c->talk };
	struct why_profiles p;
	struct range range = RANGE_INIT;
	int result = -1;

	if (!c->state_dir)
		return err_set(err, ERR_ABSENT, "there is no folder for the built trees");
	if (choose(o, c, &rq.benchmark, err))
		return -1;
	if (range_parse(c->repo, o->args.n ? o->args.v[0] : "HEAD~1..HEAD", &range, err))
		goto out;
	rq.base = range.from;
	rq.head = range.to ? range.to : "HEAD";
	child_adopt_orphans();
	if (why_collect(&rq, &p, err)) {
		if (!o->args.n && range_tell_first(c->repo, err))
			err_hint(err, "commit again");
		goto out;
	}
	result = answer(o, c, &p, err);
	why_profiles_release(&p);
out:
	range_release(&range);
	return result;
}

int cmd_why(const struct options *o)
{
	struct err err = ERR_INIT;
	struct context c;
	int status;

	if (o->args.n > 1) {
		err_set(&err, ERR_USAGE, "'pawl why' takes one A..B");
		return complain(&err);
	}
	if (context_open(o, &c, &err))
		return complain(&err);
	status = why(o, &c, &err);
	context_close(&c);
	return status < 0 ? complain(&err) : EXIT_OK;
}
