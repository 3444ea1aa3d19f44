/*
 * A linker's map that is not what it seems, and the script that is made of it.
 *
 * The seeds are maps of a program of two objects and an archive, shortened by hand.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "collector/layout/script.h"

#include "lib/base/banned.h"

#define SCRIPT \
	"SECTIONS\n{\n  .text :\n  {\n    *(.text.unlikely)\n    *(.text .stub .text.*)\n  }\n" \
	"  .data : { *(.data .data.*) }\n  .bss : { *(.bss) *(COMMON) }\n}\n"

/* Everything of the linker's own script is in the new one, in its order. */
static void hold_script(const struct map *m)
{
	const struct strv words = STRV_INIT;
	const struct script_request rq = {
		.script = SCRIPT, .map = m, .words = &words, .top = "/tree", .seed = 5
	};
	struct buf out = BUF_INIT;
	const char *at, *from = SCRIPT;
	size_t n_moved;

	must(!script_make(&rq, &out, &n_moved, NULL) && n_moved <= m->n);
	for (at = buf_str(&out); *at; at++)
		from += *at == *from && *from;
	must(!*from);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err err = ERR_INIT;
	struct map m = MAP_INIT;
	size_t i;

	if (map_read(fuzz_string(data, n), &m, &err)) {
		must(err.code == ERR_SYNTAX && !m.n);
		return 0;
	}
	if (m.n)
		fuzz_accept();
	for (i = 0; i < m.n; i++) {
		const struct map_unit *u = &m.v[i];

		must(u->size && *u->name && *u->file && u->output &&
		     !strncmp(u->statement, "*(", 2));
	}
	hold_script(&m);
	map_release(&m);
	return 0;
}
