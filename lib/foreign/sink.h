/*
 * sink - where the parsers put what they read: checked, named, within a summary's limits.
 *
 * Internal to lib/foreign.  `where` is the place in the input for messages: "line 7",
 * "benchmarks[3].real_time".
 */
#ifndef PAWL_FOREIGN_SINK_H
#define PAWL_FOREIGN_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/foreign/doc.h"
#include "lib/json/jtree.h"
#include "lib/record/summary.h"

#define SINK_WHERE 160

struct foreign_sink {
	const struct foreign_doc *doc;
	struct summary *out;
	const char *format;
	size_t first;		/* benchmark of this input */
	struct facts *file;	/* the input's own */
	size_t *index, n_slots; /* of all benchmarks by name: position + 1, open addressing */
};

int sink_open(struct foreign_sink *s, const struct foreign_doc *doc, struct summary *out,
	      const char *format, struct err *err);
void sink_release(struct foreign_sink *s);

/*
 * The benchmark of that name, made when it is new: for formats in which a name that comes again is
 * a repetition.  Control characters become blanks, bytes that are no UTF-8 \xff; a name beyond the
 * limit is cut, made unique by a digest, and stands whole among the facts.
 *
 * Errors: ERR_RANGE an empty name, ERR_CONFLICT another input has it, ERR_LIMIT, ERR_STOPPED,
 *         ERR_NOMEM.  NULL.
 */
struct bench *sink_bench(struct foreign_sink *s, const char *name, const char *where,
			 struct err *err);
/* As sink_bench(), and a name that is there already is ERR_CONFLICT. */
struct bench *sink_new_bench(struct foreign_sink *s, const char *name, const char *where,
			     struct err *err);

/* The benchmark of that name which this input has told already; *out is NULL: none. */
int sink_find(const struct foreign_sink *s, const char *name, struct bench **out, struct err *err);

/* A metric of the benchmark, made when it is new.  Errors: ERR_RANGE no name, ERR_LIMIT. */
struct metric *sink_metric(struct bench *b, const char *name, const char *unit, enum better better,
			   const char *where, struct err *err);

/* A value that is not finite leaves the metric without samples, absent.  Errors: ERR_LIMIT too many
 * samples. */
int sink_sample(struct bench *b, const char *metric, const char *unit, enum better better,
		double value, const char *where, struct err *err);

/* Marks a metric that was not counted, made when it is new.  Errors: those of sink_metric(). */
int sink_absent(struct bench *b, const char *metric, const char *unit, enum better better,
		const char *reason, const char *where, struct err *err);

/* A time in units of scale ns, which must be finite and not below 0; the metric's unit is ns. */
int sink_time(struct bench *b, const char *metric, double value, double scale, const char *where,
	      struct err *err);

/* One figure of a metric without samples; field: &m->mean ...; one that is not finite as above, of
 * times ERR_RANGE. */
int sink_figure(struct metric *m, double *field, double value, const char *where, struct err *err);
/* Marks a metric described, with NaN for all that was not given; needs a mean. */
void sink_described(struct metric *m);

/* A number of every run that is no metric. */
int sink_track(struct bench *b, const char *name, double value, struct err *err);

/* Decides the benchmark by that metric. */
int sink_gate(struct foreign_sink *s, struct bench *b, const char *metric, struct err *err);

/*
 * Keeps a text under a name.  The same again is kept once; another one under the same name goes to
 * "NAME#2" and on; one beyond the limit of a text goes on under "NAME+2" and on.
 * Errors: ERR_LIMIT, ERR_NOMEM.
 */
int sink_fact(struct facts *facts, const char *name, const char *value, struct err *err);
int sink_fact_n(struct facts *facts, const char *name, const char *value, size_t n,
		struct err *err);
int sink_fact_json(struct facts *facts, const char *name, const struct jtree *value,
		   struct err *err);
/* All fields of an object but those of a NULL-terminated list. */
int sink_rest(struct facts *facts, const struct jtree *object, const char *const *known,
	      struct err *err);

/* When the input says it was measured, us. */
void sink_when(struct foreign_sink *s, int64_t us);

/* A needed number or text of an object; the fault names where.key.  Errors: ERR_RANGE. */
int sink_need_number(const struct jtree *object, const char *key, const char *where, double *out,
		     struct err *err);
const char *sink_need_text(const struct jtree *object, const char *key, const char *where,
			   struct err *err);

/* An array of an object; *out NULL: there is none, or null.  Errors: ERR_RANGE. */
int sink_array(const struct jtree *object, const char *key, const char *where,
	       const struct jtree **out, struct err *err);

/* Reads one entry of an array that tells of the benchmarks. */
typedef int sink_reader(struct foreign_sink *s, const struct jtree *entry, const char *where,
			struct err *err);
/* Hands over all of document.key.  Errors: ERR_RANGE no array of objects; those of the reader. */
int sink_each(struct foreign_sink *s, const struct jtree *document, const char *key,
	      sink_reader *read, struct err *err);

#endif
