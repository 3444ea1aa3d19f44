/*
 * relocation - what the linker fills in, by the kinds that compilers of C use.
 *
 * Source: System V ABI, AMD64 supplement 1.0, "Relocation Types".
 */
#ifndef PAWL_COLLECTOR_EXTENT_RELOCATION_H
#define PAWL_COLLECTOR_EXTENT_RELOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many bytes, a distance from there or not; false: the kind is not known. */
bool relocation_kind(uint32_t type, size_t *out_width, bool *out_near);

#endif
