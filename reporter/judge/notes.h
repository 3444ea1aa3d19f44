/*
 * judge_notes - what else to know about a benchmark that was judged.
 */
#ifndef PAWL_REPORTER_JUDGE_NOTES_H
#define PAWL_REPORTER_JUDGE_NOTES_H

#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "lib/stats/verdict.h"

/*
 * Notes on the gate metric m of a pair-judged b: something that stays with one side for many pairs
 * (sticks), counts that few pairs move, means that moved differently from the medians, times that
 * fall into two groups, a change that is another one where the machine is slow.
 * Errors: ERR_NOMEM.
 */
int judge_remarks(const struct bench *b, struct metric *m, const struct judgement *judged,
		  struct err *err);

/*
 * What takes a verdict back: a change that identical code showed here as well, and too many pairs
 * that failed and were repeated.  The detectable change rises to that of the calibration.  A
 * verdict from one layout carries a note.
 *
 * Errors: ERR_NOMEM.
 */
int judge_doubts(const struct bench *b, struct metric *m, struct err *err);

/*
 * Where wall time gates (threads, waiting) and could not tell, and CPU time shows a change of the
 * threshold and more: a note with that change and the setting that lets it decide.  It does not
 * decide by itself: threads that no longer run at once take longer for the same CPU time, and work
 * that is spread over threads takes more of it in less time.
 * Errors: ERR_NOMEM.
 */
int judge_hint(const struct bench *b, struct metric *m, struct err *err);

#endif
