#include "cli/measure/since_tag.h"

#include <stdlib.h>
#include <string.h>

#include "collector/accept.h"
#include "collector/compare.h"
#include "lib/base/number.h"
#include "lib/git/history/walk.h"
#include "reporter/figures/cells.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

#define BUDGET_NS 300000000000u

static void set_thresholds(struct config *c)
{
	size_t i;

	for (i = 0; c->creep > 0 && i < c->n_benchmarks; i++)
		c->benchmarks[i].threshold = c->creep;
}

/* A document is one summary: of this comparison other readers get the verdicts as talk. */
static int show(const struct options *o, const struct context *c, const struct summary *s,
		const char *tag, struct err *err)
{
	struct options plain = *o;
	size_t i;

	plain.svg = NULL;
	plain.files = (struct strv)STRV_INIT; /* still owned by o */
	if (!o->json && (!o->format || !strcmp(o->format, "text")) && !o->output) {
		talk_note(c->talk, "since the last tag, %s:", tag);
		return print_summary(&plain, NULL, s, err);
	}
	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];
		const struct metric *gate = b->gate ? bench_find_metric(b, b->gate) : NULL;
		const struct delta *d = bench_delta(b);

		struct buf change = BUF_INIT;

		cell_delta(d, gate ? gate->unit : NULL, &change);
		if (d)
			talk_note(c->talk, "since %s: %s %s %s", tag, b->name, buf_str(&change),
				  verdict_name(bench_verdict(b)));
		buf_release(&change);
	}
	return 0;
}

static int compare_tag(const struct options *o, struct context *c, const struct compare_request *rq,
		       const char *tag, struct err *err)
{
	struct accepted accepted = ACCEPTED_INIT;
	struct history none = HISTORY_INIT;
	struct summary s;
	int status = -1;

	set_thresholds(&c->config);
	if (compare(rq, &s, err))
		return err_in(err, "since tag '%s'", tag);
	if (!accepted_load(c->repo, &accepted, err) && !judge(&s, &none, err) &&
	    !apply_accepted(c->repo, &accepted, &s, err) && !show(o, c, &s, tag, err))
		status = judge_exit(&s, o->strict);
	accepted_release(&accepted);
	summary_release(&s);
	return status;
}

int since_tag(const struct options *o, struct context *c, const struct summary *s, struct err *err)
{
	struct compare_request rq = { .repo = c->repo,
				      .config = &c->config,
				      .state_dir = c->state_dir,
				      .head = s->commit.id,
				      .working_tree = s->commit.dirty,
				      .partial = o->command.n > 0,
				      .budget_ns = BUDGET_NS,
				      .known = &c->known,
				      .talk = c->talk };
	struct err fault = ERR_INIT;
	char tag_id[OID_TEXT], *tag = NULL;
	int status;

	if (options_budget(o, &rq.budget_ns, err) || options_wait(o, &rq.wait_ns, err))
		return -1;
	if (walk_last_tag(c->repo, s->commit.id, tag_id, &tag, &fault)) {
		if (fault.code != ERR_ABSENT) {
			*err = fault;
			return -1;
		}
		if (repo_is_shallow(c->repo))
			talk_warn(c->talk, "git fetch --tags --unshallow",
				  "this clone ends early, and there is no tag below %.12s in it to "
				  "compare with",
				  s->commit.id);
		else
			talk_note(c->talk, "there is no tag below %.12s to compare with",
				  s->commit.id);
		return EXIT_OK;
	}
	rq.base = tag_id;
	status = compare_tag(o, c, &rq, tag, err);
	free(tag);
	return status;
}
