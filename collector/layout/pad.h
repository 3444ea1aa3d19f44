/*
 * pad - an object file of nothing but gaps, for linkers that shuffle sections and leave none.
 *
 * Source: System V ABI, Tool Interface Standard ELF 1.2; SHF_GNU_RETAIN: GNU gABI extensions.
 */
#ifndef PAWL_COLLECTOR_LAYOUT_PAD_H
#define PAWL_COLLECTOR_LAYOUT_PAD_H

#include <stdint.h>

#include "lib/base/err.h"

enum { PAD_CODE = 1, PAD_CONSTANTS = 2, PAD_ZEROED = 4, PAD_ALL = 7, PAD_ONE = 8 };

/*
 * Writes a new object file for this machine: sections of random size, which seed draws, of those
 * kinds, 8 of each, and nothing that another object could tell.  With PAD_ONE it is one of each,
 * which the linker may drop as unused: gold has no word for what is to be kept.
 * Errors: ERR_IO, ERR_FULL, ERR_NOMEM.
 */
int pad_write(const char *path, uint64_t seed, unsigned kinds, struct err *err);

#endif
