/*
 * archive - a project as a file that any pawld reads, and documents that are not kept any longer.
 *
 * Of each summary, in the order in which they came, the file has a line of JSON (whose it is, when
 * it came, whether it is trusted or hidden, its SHA-256 and its length, and the SHA-256 of all of
 * the line before that), and behind it the document, byte for byte as it was posted, and a line
 * feed.  The last line says how many there are, and the SHA-256 of all before it: without it a file
 * that was cut between two summaries would look whole.  Files of the first form have none.
 */
#ifndef PAWL_STORE_ARCHIVE_ARCHIVE_H
#define PAWL_STORE_ARCHIVE_ARCHIVE_H

#include <stdio.h>

#include "lib/store/ledger/local.h"

#define ARCHIVE_FORM "pawl.export/2"
#define ARCHIVE_FIRST_FORM "pawl.export/1"
#define ARCHIVE_HEAD ",\"head\":\"" /* the digest of what stands before it, and "} */

struct archive_count {
	int64_t n;	   /* summaries that were written, or stored */
	int64_t n_same;	   /* that were there already */
	int64_t n_without; /* whose document is not kept any longer: they are left out */
	int64_t n_lost;	   /* whose document is damaged or lost: they are left out */
	int64_t n_refused; /* that could not be stored; report says why */
	bool has_no_end;   /* of a first form, or empty: whether it was cut cannot be seen */
};

/*
 * Writes all summaries of a project, as they are at one moment.
 * Errors: ERR_ABSENT, ERR_IO, those of the database.
 */
int archive_export(struct ledger *l, const char *project, FILE *to, struct archive_count *out,
		   struct err *err);

/*
 * Stores what archive_export() wrote, many in a transaction.  One that is there already with the
 * same bytes is counted and left, but for what is hidden of it: that is hidden here, too, unless
 * somebody here has said otherwise, since an import may have ended before it.  One that cannot be
 * stored is told in report, a line each.  Nobody is told of alerts: it is history.
 * Errors: ERR_SYNTAX, from is no such file, was cut, or lacks a summary (what stood before that is
 *         stored); ERR_IO, those of a write.
 */
int archive_import(struct ledger *l, FILE *from, struct archive_count *out, struct buf *report,
		   struct err *err);

struct retention {
	const char *project; /* NULL: all */
	int64_t before_us;   /* those that came before; INT64_MAX: whenever they came */
	int64_t keep;	     /* but so many of each commit, those measured last; 0: none */
	bool is_trial;	     /* nothing is changed */
};

struct retained {
	int64_t n_kept, n_dropped, dropped_bytes; /* n_kept: documents that stay */
	int64_t n_damaged; /* that would go, but their points cannot be read: they stay */
};

/*
 * Drops documents and keeps the points that were made of them.  Each 256 are a transaction of their
 * own; a server may go on meanwhile.
 * Errors: ERR_ABSENT, those of a write.
 */
int archive_retain(struct ledger *l, const struct retention *r, struct retained *out,
		   struct err *err);

#endif
