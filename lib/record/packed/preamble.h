/*
 * preamble - where the parts of a packed result lie: the two directions of its first bytes.
 */
#ifndef PAWL_RECORD_PACKED_PREAMBLE_H
#define PAWL_RECORD_PACKED_PREAMBLE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

struct preamble {
	size_t head, directory;	  /* bytes */
	size_t n_rows;		  /* benchmarks */
	size_t texts, full_texts; /* bytes as they are there, and of the texts themselves */
	size_t n_texts;
	size_t shared; /* bytes */
};

/* Appends the first bytes: behind them come head, directory, texts, shared, and preamble_end(). */
void preamble_write(const struct preamble *f, struct buf *out);

/* Appends the CRC of out from `start` on, where preamble_write() began. */
void preamble_end(struct buf *out, size_t start);

/*
 * Reads and checks the first bytes and the CRC: all parts lie within bytes[0..n).  *out_head is
 * where the head begins, *out_rows where the rows do. Errors: ERR_CORRUPT, ERR_NEWER.
 */
int preamble_read(const unsigned char *bytes, size_t n, struct preamble *out,
		  const unsigned char **out_head, const unsigned char **out_rows, struct err *err);

#endif
