/*
 * fsck - whether a ledger holds what was posted, and points made again from their documents.
 */
#ifndef PAWL_STORE_FSCK_FSCK_H
#define PAWL_STORE_FSCK_FSCK_H

#include "lib/store/ledger/local.h"

struct ledger_health {
	int64_t n_summaries, n_points; /* looked at */
	int64_t n_bad_documents;       /* their SHA-256 does not fit */
	int64_t n_dropped; /* documents that are not kept any longer: their points are all there is
			    */
	int64_t n_bad_points;	 /* missing, or their checksum does not fit */
	int64_t n_repaired;	 /* of n_bad_points */
	int64_t n_bad_chunks;	 /* pieces of histories that are not what summaries say */
	int64_t n_mended_chunks; /* of n_bad_chunks */
	int64_t n_lost;	       /* summaries without their row, their commit, machine or baseline */
	int64_t n_found_again; /* of n_lost, made again from documents */
	int64_t n_faults;      /* of the file itself, up to 10 */
};

/*
 * Looks at every document and every point, and at the file.  With repair (the ledger was opened for
 * writing) the points of a summary with bad ones are made again, all of them, from its document;
 * and so are rows that it lost; each summary is a transaction of its own, so a server may go on
 * meanwhile.  Histories that do not
 * hold what the summaries do are made again once these are well.  A line about each summary that is
 * not well goes to report.
 *
 * Errors: those of the database; ERR_NOMEM.
 * Cost:   about 50 MB of documents a second.
 */
int ledger_fsck(struct ledger *l, bool repair, struct ledger_health *out, struct buf *report,
		struct err *err);

#endif
