/*
 * layout_open - where the layouts of a program lie, and what they are made from.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/code/elf.h"
#include "collector/layout/layout.h"
#include "collector/layout/reference.h"
#include "collector/link/arguments.h"
#include "lib/digest/crc.h"

#include "lib/base/banned.h"

#define ID_DIGITS 16

static int find_linker(struct layouts *l, struct err *err)
{
	const char *refusal = arguments_refusal(&l->link.words);

	if (refusal)
		return err_set(err, ERR_ABSENT, "%s", refusal);
	if (relink_linker(&l->link, &l->linker, err))
		return -1;
	return l->linker != LINKER_OTHER ? 0
					 : err_set(err, ERR_ABSENT,
						   "its linker is none of GNU ld, gold, lld and "
						   "mold");
}

/* Where they lie, and what draws them. */
static int place(struct layouts *l, const char *tree, const char *program, const char *code,
		 struct err *err)
{
	struct buf folder = BUF_INIT;
	const char *slash = strrchr(tree, '/');
	char digits[ID_DIGITS + 1];
	int result = -1;

	memcpy(digits, code, ID_DIGITS);
	digits[ID_DIGITS] = '\0';
	/* The same for the program of another commit: what did not change moves alike there. */
	l->seed = crc64(0, path_base(program), strlen(path_base(program)));
	l->top = strndup(tree, slash ? (size_t)(slash - tree) : 0);
	buf_addf(&folder, "%s/" LAYOUT_FOLDER "/%s", l->top ? l->top : "", digits);
	l->folder = buf_detach(&folder);
	result = l->top && l->folder ? 0 : err_nomem(err);
	return result;
}

int layouts_link(const char *tree, const char *program, struct link *out, struct err *err)
{
	struct layouts l = LAYOUTS_INIT;
	struct err fault = ERR_INIT;
	char code[DIGEST_HEX];
	int result = -1;

	if (!elf_code(program, code, &fault) && !place(&l, tree, program, code, &fault) &&
	    !link_of_program(l.top, program, code, out, &fault))
		result = 0;
	if (result && reference_is_lasting(fault.code))
		fault.code = ERR_ABSENT;
	if (result && err)
		*err = fault;
	layouts_close(&l);
	return result;
}

void layouts_close(struct layouts *l)
{
	free(l->top);
	free(l->folder);
	free(l->script);
	free(l->libraries);
	link_release(&l->link);
	map_release(&l->map);
	strv_release(&l->names);
	strv_release(&l->traits);
	*l = (struct layouts)LAYOUTS_INIT;
}

int layouts_open(const char *tree, const char *program, struct layouts *out, struct err *err)
{
	struct layouts l = LAYOUTS_INIT;
	struct err fault = ERR_INIT;
	char code[DIGEST_HEX];
	int result = -1;

	if (elf_code(program, code, &fault) || place(&l, tree, program, code, &fault) ||
	    link_of_program(l.top, program, code, &l.link, &fault) || find_linker(&l, &fault) ||
	    reference_find(&l, code, &fault)) {
		if (reference_is_lasting(fault.code))
			fault.code = ERR_ABSENT;
		if (err)
			*err = fault;
		goto out;
	}
	*out = l;
	l = (struct layouts)LAYOUTS_INIT;
	result = 0;
out:
	layouts_close(&l);
	return result;
}
