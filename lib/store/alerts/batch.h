/*
 * batch - the alerts that one transaction opens and closes, and the messages about them.
 *
 * Internal to lib/store/alerts.  Each target gets one message about what happened at a commit,
 * however many benchmarks it was.
 */
#ifndef PAWL_STORE_ALERTS_BATCH_H
#define PAWL_STORE_ALERTS_BATCH_H

#include "lib/base/buf.h"
#include "lib/store/alerts/alerts.h"

/* The batch's branch as it is stored: "" where it names none. */
const char *alert_branch(const struct alert_batch *b);

/* A row of alert, as far as it decides anything. */
struct alert_row {
	int64_t id, series, commit, base, run, t;
	enum alert_kind kind;
	enum alert_state state, was; /* was: before its result was retracted; 0: it is not */
	double ratio, low, high;
	int64_t closed_by;    /* the run that resolved it; 0: none */
	double left;	      /* harm that is left of it */
	double before;	      /* of one without a ratio: what its base's was; NaN: not known */
	double v_low, v_high; /* of its result; NaN: not read */
	bool same_branch;     /* as the batch's */
	bool is_alone;	      /* likewise, of none, where that may be anybody's */
	bool other_branch;    /* both name one, and not the same */
	bool is_void;	      /* its result is hidden, or another one of its commit cleared it */
};

/* What b->freed holds. */
struct alert_freed {
	struct alert_row a;
	bool higher;
};

/*
 * Adds it there: its own commit closed it, or does no more.  Other commits may say the same change,
 * whose alert it was; one that is no verdict's was nobody else's.
 */
int alert_set_free(struct alert_batch *b, const struct alert_row *a, bool higher, struct err *err);

/*
 * What an alert became: its state and why are written, and said to the targets that want to know.
 * branch: of the alert; run: whose result it was, 0: no result's.
 */
int alert_set(struct alert_batch *b, const struct alert_row *a, const char *branch,
	      enum alert_state state, const char *why, int64_t run, struct err *err);

/* One that is resolved while its result is retracted, and will be open once that is shown again. */
bool alert_is_waiting(const struct alert_row *a);

/*
 * The same as alert_set(), also of one that is waiting: that is what it will be, and nobody is
 * told of it now.
 */
int alert_settle(struct alert_batch *b, const struct alert_row *a, const char *branch,
		 enum alert_state state, const char *why, int64_t run, struct err *err);

/* Says to the targets that the alert is in that state now. */
int alert_say(struct alert_batch *b, const struct alert_row *a, const char *branch,
	      enum alert_state state, struct err *err);

/* That it is open on its branch, too, to those that hear of that branch alone. */
int alert_say_branch(struct alert_batch *b, const struct alert_row *a, const char *branch,
		     struct err *err);

/* That it is one of a verdict now, to those that hear of nothing else. */
int alert_say_verdict(struct alert_batch *b, const struct alert_row *a, const char *branch,
		      struct err *err);

/* The row of a new one of a verdict.  closed_by: the run; 0: none. */
int alert_insert(struct alert_batch *b, const struct alert_row *a, const char *branch,
		 const struct alert_point *p, const char *why, int64_t closed_by, struct err *err);

/* It is about that figure from here on, and one of a verdict. */
int alert_write_figure(struct alert_batch *b, const struct alert_row *a,
		       const struct alert_point *p, struct err *err);

/* It is about that result from here on, of the same change; what it was before stays known. */
int alert_hand_to(struct alert_batch *b, int64_t id, const struct alert_point *p, struct err *err);

/* A ratio as harm: above 1 is worse, whichever direction is better. */
double alert_harm(double ratio, bool higher);

/* A number of the project that nothing else has. */
int64_t alert_number(struct alert_batch *b);

#endif
