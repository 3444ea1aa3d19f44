/*
 * point - one figure of one run in a series, and a checksum of it.
 */
#ifndef PAWL_STORE_POINTS_POINT_H
#define PAWL_STORE_POINTS_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/buf.h"

/* Bits of flags. */
enum {
	POINT_DIRTY = 1,      /* measured with uncommitted changes */
	POINT_GATE = 2,	      /* its verdict is the benchmark's */
	POINT_SUSPECT = 4,    /* only a stored baseline says so */
	POINT_EXACT = 8,      /* the base is a parent of the commit */
	POINT_TAKEN_BACK = 16 /* a later run of its commit says otherwise; never stored */
};

/* A figure that is not finite stands for none. */
struct ledger_point {
	int64_t project, series, t, run, n, flags, verdict;
	int64_t base; /* 0: none */
	double v, low, high, ratio, ratio_low, ratio_high;
};

/* 32 bits, over all of it. */
int64_t point_sum(const struct ledger_point *p);

/* The whole CRC-64 of which point_sum() is a part. */
uint64_t point_crc(const struct ledger_point *p);

/* Whether a history shows it as a change of its series. */
bool point_is_change(const struct ledger_point *p);

/* Whether it is listed among what moved where its run is trusted: a change, of a clean tree. */
bool point_is_listed(const struct ledger_point *p);

/* What a history shows of it: only a change has a base and an interval of its ratio. */
struct ledger_point point_shown(const struct ledger_point *p);

/* In the order of a history: by place, run and series. */
int point_order(const struct ledger_point *a, const struct ledger_point *b);

/*
 * Flags, verdict, n and figures as few bytes, those that are near each other fewer.  near: the v of
 * a point before, or 0; it must be the same for both.
 */
void point_pack(struct buf *out, const struct ledger_point *p, double near);

/* Where it ends, or NULL for what is none; the rest of *p stays. */
const unsigned char *point_unpack(const unsigned char *at, const unsigned char *end, double near,
				  struct ledger_point *p);

#endif
