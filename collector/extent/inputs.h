/*
 * inputs - the objects of a recorded link: which of their sections are in the program, where, and
 * what their symbols lead to.
 *
 * The linker's map says which sections it took (not what it dropped), the linked program where each
 * global symbol came to lie: of two definitions the one that lies there is meant.
 */
#ifndef PAWL_COLLECTOR_EXTENT_INPUTS_H
#define PAWL_COLLECTOR_EXTENT_INPUTS_H

#include <stdbool.h>

#include "collector/extent/object.h"
#include "collector/layout/layout.h"
#include "collector/link/program.h"

/* A section of an object in the program. */
struct place {
	bool is_in;
	const char *output; /* the section of the program that it is in */
	uint64_t address;   /* in the program */
	ElfW(Rela) * relocations;
	size_t n_relocations;
	size_t first, n;  /* its parts (parts.h) */
	uint64_t *starts; /* where code names it: what tables in it begin with */
	size_t n_starts;
};

/* The first of its relocations at an offset or behind it, or n_relocations. */
size_t place_first(const struct place *p, uint64_t at);

struct input {
	const char *file, *member; /* in the map */
	size_t twin, n_twins;	   /* of so many members of that name; they follow each other */
	char *key;		   /* the same for both sides: "src/a.o" */
	struct object object;
	struct place *places; /* one for each of its sections */
};

struct definition {
	const char *name;
	size_t input, section;
	uint64_t value;
};

/* A symbol of the program. */
struct final {
	const char *name;
	size_t n_name; /* without the version */
	ElfW(Sym) symbol;
	bool is_import;
};

struct inputs {
	struct program program; /* with its symbols */
	struct map map;
	struct input *v;
	size_t n;
	size_t *order; /* of sections in the map: input and section, in turns */
	size_t n_order;
	struct definition *definitions; /* by name */
	size_t n_definitions;
	struct final *finals; /* global ones, by name */
	size_t n_finals;
};

/*
 * Reads what l was linked from.  Errors: ERR_ABSENT it cannot be told what is in the program, and
 * why: another linker than GNU ld, another machine, objects that are gone or were not compiled to
 * machine code yet; ERR_SYNTAX, ERR_CORRUPT they are damaged; ERR_IO, ERR_NOMEM.
 * Cost: reads each object once.
 */
int inputs_open(const struct layouts *l, struct inputs *out, struct err *err);
void inputs_close(struct inputs *in); /* accepts a zeroed one */

/* A step of that: opens the objects that the map names, and finds their sections in the program. */
int inputs_read_objects(const struct layouts *l, struct inputs *in, struct err *err);

enum target_kind {
	TARGET_PLACE,	/* a section of an input */
	TARGET_OUTSIDE, /* another library's, or the linker's own: by name */
	TARGET_NUMBER,	/* a constant */
	TARGET_UNKNOWN
};

struct target {
	enum target_kind kind;
	size_t input, section;
	uint64_t at;	    /* offset in the section; the number */
	bool is_section;    /* named by its section alone: what is added may lead anywhere in it */
	const char *name;   /* outside */
	const char *why;    /* unknown; static */
	uint64_t size;	    /* outside, of what the linker made room for */
	uint64_t alignment; /* likewise */
};

/* What a symbol of an input leads to. */
struct target inputs_resolve(const struct inputs *in, size_t input, size_t symbol);

/* The symbol of that name in the program, or NULL. */
const struct final *inputs_final(const struct inputs *in, const char *name, size_t n);

/* The one definition of that name, or NULL. */
const struct definition *inputs_definition(const struct inputs *in, const char *name);

/*
 * Whether the program has the bytes of the section but where the linker filled something in, with
 * the instruction around it: an object that was made anew since, a system's too, is another one.
 */
bool inputs_is_as_linked(const struct inputs *in, size_t input, size_t at);

/* Whether what the section names of its own object is where the program's section leads to. */
bool inputs_leads_as_linked(const struct inputs *in, size_t input, size_t at);

#endif
