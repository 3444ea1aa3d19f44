/*
 * codec - the fields of a result, one after the other, written or read by the same lines.
 *
 * A function that goes through the fields of a struct with these calls is both directions at once:
 * what is written first is read first.  The first fault stops everything after it; codec_end()
 * tells it.
 */
#ifndef PAWL_RECORD_PACKED_CODEC_H
#define PAWL_RECORD_PACKED_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/record/packed/shared.h"
#include "lib/record/packed/texts.h"

struct codec {
	struct buf *out;	      /* NULL: reading */
	const unsigned char *p, *end; /* reading */
	struct texts *texts;
	struct shared *shared; /* columns that several benchmarks have */
	uint64_t iterations;   /* of the benchmark at hand: see column.h */
	double last;	       /* the number before */
	bool failed;
	struct err *err;
};

bool codec_reads(const struct codec *c);

/* Records a fault: what was read is no result. */
void codec_broken(struct codec *c, const char *what);

/* 0, or -1 when something failed or, reading, bytes are left over. */
int codec_end(struct codec *c);

void codec_count(struct codec *c, size_t *n, size_t most);
void codec_unsigned(struct codec *c, uint64_t *value);
void codec_signed(struct codec *c, int64_t *value);
void codec_int(struct codec *c, int *value);
void codec_bool(struct codec *c, bool *value);
/* An enum, 0 to below n. */
void codec_word(struct codec *c, int *value, int n);

/* Any double, to the bit, but that there is one NaN only. */
void codec_double(struct codec *c, double *value);
/* The same for several that are near each other. */
void codec_doubles(struct codec *c, double *const *values, size_t n);

/* A text that the struct owns, or NULL. */
void codec_text(struct codec *c, char **text);
/* The same to be copied: what is returned lives as long as c->texts; NULL too where it failed. */
const char *codec_borrow(struct codec *c, const char *text);
/* As codec_borrow() of a text that cannot be NULL; "" where it failed. */
const char *codec_name(struct codec *c, const char *text);
void codec_list(struct codec *c, struct strv *list, size_t most);

/* Samples: finite; x is allocated. */
void codec_column(struct codec *c, double **x, size_t *n, size_t most);

#endif
