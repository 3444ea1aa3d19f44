/*
 * parts - what a program is made of, each with a digest that no address is in.
 *
 * A part is a function, or a section of an object: data, or code that is not cut into functions.
 * Its digest is over its bytes, where what the linker filled in is replaced by what it leads to:
 * the name of a function, the name of a section of data and the place in it, the text itself for
 * strings and constants that the linker merges.  No address, no place of a function in its section
 * and no line of a source is in it.  What a digest names it does not hold: a part needs those of
 * its data that it names.
 *
 * What names data of two sections may go from one to the other: entries of a table that the order
 * of the link joins.  All that lies between belongs to it.
 *
 * Nothing is guessed.  Data is a whole section of an object, as code may lead from one name to the
 * next.  Code in which not every byte is of a function with a known end, or that cannot be read
 * instruction by instruction, is one part and is taken to run always.  So are constructors,
 * variables of threads and sections of unusual names.
 */
#ifndef PAWL_COLLECTOR_EXTENT_PARTS_H
#define PAWL_COLLECTOR_EXTENT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/extent/linked.h"
#include "collector/layout/layout.h"
#include "lib/base/err.h"
#include "lib/digest/digest.h"

enum part_kind { PART_FUNCTION, PART_CODE, PART_DATA };

struct part {
	char *key;  /* the same in every program that has it: "main", "tree/a.o:helper" */
	char *name; /* for people: "helper", ".rodata of tree/a.o" */
	enum part_kind kind;
	bool always;	  /* it runs, or is read, by no name */
	bool is_harness;  /* of a library that runs benchmarks: what it does depends on clocks */
	const char *odd;  /* why nothing can be said about it; static; NULL: it has a digest */
	uint64_t address; /* in the program */
	char digest[DIGEST_HEX];
	size_t *needs; /* parts that run, or are read, when this one runs or is read */
	size_t n_needs;
	size_t *between; /* the first and the last of stretches of parts that it may go through */
	size_t n_between;
	size_t input, section; /* where it was read from; its bytes [at, at + size) */
	uint64_t at, size;
};

struct parts {
	struct part *v; /* in the order of the program */
	size_t n;
	size_t n_functions;
	char frame[DIGEST_HEX];	     /* of what the program is without them (linked.h) */
	uint64_t entry;		     /* address at which it starts */
	struct linked_filled filled; /* what the loader fills in */
};

#define PARTS_INIT \
	{ \
		NULL, 0, 0, "", 0, \
		{ \
			0, 0, 0 \
		} \
	}

/*
 * Reads the parts of the program whose link l is.  Errors: ERR_ABSENT they cannot be known, and
 * why; ERR_SYNTAX, ERR_CORRUPT a file is damaged; ERR_IO, ERR_NOMEM.
 * Cost: reads each object once; about 10 ms a MB of code.
 */
int parts_read(const struct layouts *l, struct parts *out, struct err *err);
void parts_release(struct parts *p); /* accepts PARTS_INIT */

/* Marks everything that runs, or is read, when what is marked does.  Errors: ERR_NOMEM. */
int parts_close_over(const struct parts *p, bool *marked, struct err *err);

#endif
