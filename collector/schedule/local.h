/*
 * local - what the files of schedule share.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_LOCAL_H
#define PAWL_COLLECTOR_SCHEDULE_LOCAL_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/schedule/schedule.h"
#include "collector/unit/unit.h"
#include "lib/stats/coin.h"

#define N_ANCHORS 2
#define ANCHORS_SERVE_NS 500000000u /* one reading, at most */
#define ANCHORS_SHARE 20	    /* it serves so many times as long as it took */
#define ANCHORS_READINGS 10	    /* of a session, at least: its rounds over so many */
#define VOID_ALWAYS_ALLOWED 3

/* What is run, and how far it has come. */
struct rounds {
	struct unit *units;
	size_t n, n_run; /* of them; those that are run */
	size_t n_judged; /* together: those, and those of other comparisons */
	const struct schedule *s;
	const struct runner *runner;
	struct coin coin;
	bool rings_told;	   /* of one that may repeat its work until an alarm rings */
	size_t *order;		   /* of the units and the anchors in one round */
	double done_ns;		   /* measured so far, for the progress line */
	double anchors[N_ANCHORS]; /* the last times of the anchors; NaN */
	uint64_t shown_ns;	   /* when the progress line was; 0: not yet */
	uint64_t anchors_at_ns, anchors_took_ns;
	size_t anchors_served; /* rounds since they were read, with that one; 0: not read yet */
};

/* When it is by the schedule's clock. */
uint64_t schedule_now_ns(const struct schedule *s);

/* Whether it is judged by what it measures: it is part of the family even when it fails. */
bool schedule_is_run(const struct unit *u);

/* Whether it is still to be run. */
bool schedule_is_open(const struct unit *u);

/* And may be: it was calibrated. */
bool schedule_is_ready(const struct unit *u);

/* Makes it so, which may end it.  Errors: those of the runner; ERR_NOMEM. */
int schedule_ready(struct rounds *r, struct unit *u, struct err *err);

/* Whether the deadline has passed. */
bool schedule_is_late(const struct rounds *r);

/*
 * Runs pairs until no unit is open or the deadline has passed.  One of each unit first; then,
 * without a deadline, round after round, and with one, always the unit that is decided soonest, up
 * to its next decision point.  Errors: those of schedule_pair().
 */
int schedule_rounds(struct rounds *r, struct err *err);

/* Puts r->order into another random order. */
void schedule_draw_order(struct rounds *r);

/*
 * Runs one pair and files it; keep false: it is in no figure, only its failures count
 * and what it says of the gate.
 * Errors: those of the runner; ERR_NOMEM.
 */
int schedule_pair(struct rounds *r, struct unit *u, bool keep, struct err *err);

/* Runs one pair and drops it, whatever it shows: only its failures count.  Errors: likewise. */
int schedule_discard(struct rounds *r, struct unit *u, struct err *err);

/*
 * Runs one pair, and files nothing of it; keep: it is of those whose time tells how long the rest
 * takes.  pair_release() it.  Errors: those of the runner.
 */
int schedule_measure(struct rounds *r, struct unit *u, bool keep, struct pair *out,
		     struct err *err);

/* Whether the pair may be in no figure: a run failed, or was disturbed for good. */
bool schedule_is_void(const struct unit *u, const struct pair *p);

/* The unit is over: side is "the head" or "the base", told in a comparison.  Errors: ERR_NOMEM. */
int schedule_fail_side(struct unit *u, const char *side, const char *why, struct err *err);

/* The base cannot be run: the head goes on alone, anew.  Errors: ERR_NOMEM. */
int schedule_give_up_base(struct unit *u, const char *why, struct err *err);

/* The most pairs that the unit can come to, and how many it will need if it goes on as it began. */
size_t schedule_most(const struct unit *u, const struct schedule *s);
size_t schedule_expected(const struct unit *u, const struct schedule *s);

/* The number of pairs at which it is judged next; without a base, at which it ends. */
size_t schedule_next_point(const struct unit *u, const struct schedule *s);

/*
 * How many pairs the unit will have when it closes, by what all pairs so far look like, over
 * what may be true.  For people, with the progress line.
 * Nothing that is seen between two decision points may choose what is run.
 */
double schedule_forecast(const struct unit *u, const struct schedule *s, size_t n_run);

/* Takes what one more pair took in all into u->pair_ns; keep: of schedule_pair(). */
void schedule_took(struct unit *u, double ns, bool keep);

/*
 * How many independent pairs are worth as much as n pairs of the unit will be: where layouts are
 * used again, more pairs narrow down the layouts at hand and nothing else.
 */
size_t schedule_worth(const struct unit *u, const struct schedule *s, size_t n);

/*
 * Whether not even the last point could decide, if the estimate moved 1.5 standard errors more; by
 * n pairs.  last: what its pairs are worth.
 */
bool schedule_gives_up(const struct judgement *j, size_t n, size_t last);

/*
 * The pairs so far as the report will show them, judged as it will judge them.  out->n 0: there is
 * nothing to judge.  out_layouts: what layouts did to them, or NULL.  Errors: ERR_NOMEM.
 */
int schedule_judge(const struct unit *u, size_t n_run, struct judgement *out,
		   struct layout_spread *out_layouts);

/*
 * Drops the pairs in whose processes other benchmarks ran before, where all together differ from no
 * change, or they from the others: it may be by what is left there, which is no change of this one.
 * From here on it runs alone.  Whether it did so; one pair stays in any case.
 */
bool schedule_own(struct unit *u);

/* Closes the unit when it has pairs enough.  n_run: how many units are judged together. */
void schedule_close(struct unit *u, const struct schedule *s, size_t n_run);

/* Shows which pair of which unit comes next.  done_ns, left_ns: of all units. */
void schedule_show(const struct unit *u, const struct schedule *s, double done_ns, double left_ns);

#endif
