/*
 * link - one link of a build, as it was recorded: KEY/links/TIME-PID of a built tree.
 *
 * A record is a list of texts, each with its NUL: what it is, the linker, the working folder, the
 * output, then the counts and the words of the command line and of the environment.  Beside it
 * TIME-PID.d holds copies of inputs that the compiler driver deletes; the words name the copies.
 */
#ifndef PAWL_COLLECTOR_LINK_LINK_H
#define PAWL_COLLECTOR_LINK_LINK_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"

#define LAYOUT_LINKS "links"	/* the folder of the records, beside the built tree */
#define LAYOUT_FOLDER "layouts" /* and of what layout.h makes of them */

struct link {
	char *linker;	   /* the file that was run */
	char *folder;	   /* working folder, absolute */
	char *output;	   /* as given: relative to the folder */
	struct strv words; /* without the linker's name; response files are expanded */
	struct strv env;   /* what a linker and its plugins read */
};

#define LINK_INIT \
	{ \
		NULL, NULL, NULL, STRV_INIT, STRV_INIT \
	}

void link_release(struct link *l);

/* Appends the record.  Errors: ERR_NOMEM. */
int link_encode(const struct link *l, struct buf *out, struct err *err);

/* Reads one.  Errors: ERR_CORRUPT it is cut off or something else; ERR_NOMEM. */
int link_decode(const struct buf *record, struct link *out, struct err *err);

/*
 * The newest of the records in a folder that fits: place is the real path of its output, which may
 * lie there no more.  Records that cannot be read are passed over.
 * Errors: ERR_ABSENT there are none, or none fits; ERR_NOMEM.
 */
typedef bool link_fits(void *ctx, const struct link *l, const char *place);
int link_find(const char *records, link_fits *fits, void *ctx, struct link *out, struct err *err);

/*
 * The record of a program: of the link that made it there, or else of one whose output has that
 * code (elf_code()).  top: the folder around the built tree. Errors: ERR_ABSENT it was not
 * recorded; ERR_NOMEM.
 */
int link_of_program(const char *top, const char *program, const char *code, struct link *out,
		    struct err *err);

/*
 * What an input is called on both sides of a comparison: below top, the folder around the built
 * tree; of a copy that the recorder kept ("3-ccXUcd.o") the number alone is not drawn by chance, of
 * what the optimiser left (flat.h) the folder is.
 * *n: its bytes; it ends there and not with a NUL.
 */
const char *link_input_name(const char *file, const char *top, size_t *n);

#endif
