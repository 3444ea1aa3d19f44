/*
 * flat - a link of link-time optimisation, written anew with what the optimiser left.
 *
 * The optimiser takes most of the time of such a link, and does the same each time.  It runs once
 * and leaves its objects; these stand in the place of what was optimised, and no plugin is asked.
 * It is used only where the same program comes of it, to the byte.
 */
#ifndef PAWL_COLLECTOR_LAYOUT_FLAT_H
#define PAWL_COLLECTOR_LAYOUT_FLAT_H

#include <stdbool.h>

#include "collector/link/link.h"
#include "collector/link/relink.h"
#include "lib/base/err.h"

/* Whether an object of the link is optimised when it is linked: gcc's, with code or without, or
 * LLVM's.  Members of archives are not looked at. */
bool flat_is_needed(const struct link *l);

/*
 * Runs the link once, and makes the one of what the optimiser left: files whose names begin with
 * stem, an absolute path.  code: of the program (elf_code()), which must come of it again.
 * Errors: ERR_ABSENT it left none, that linker is not asked for any, or another program comes of
 *         them; those of relink_run(); ERR_IO, ERR_NOMEM.
 */
int flat_make(const struct link *l, enum linker linker, const char *stem, const char *code,
	      struct link *out, struct err *err);

#endif
