/*
 * x86 - where instructions of x86-64 begin and end, and which of their bytes are addresses.
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and
 * appendix A.  What is not known here is refused; nothing is guessed.
 */
#ifndef PAWL_COLLECTOR_EXTENT_X86_H
#define PAWL_COLLECTOR_EXTENT_X86_H

#include <stdbool.h>
#include <stddef.h>

struct x86 {
	size_t length;		  /* bytes of the whole instruction */
	size_t shift_at, shift_n; /* its displacement: where it begins, how many bytes; 0: none */
	size_t value_at, value_n; /* its immediate likewise */
	bool is_jump;		  /* the immediate is a distance to go */
	bool is_near;		  /* the displacement is a distance from the next instruction */
	bool is_nothing;	  /* it is there to fill a gap */
};

/* Reads one instruction of at most n bytes; false: it is cut off, or not known. */
bool x86_read(const unsigned char *bytes, size_t n, struct x86 *out);

#endif
