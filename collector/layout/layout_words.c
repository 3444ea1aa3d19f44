/*
 * layout_words - what each link of a program's layouts has besides the recorded words.
 */
#include "collector/layout/layout.h"

#include "lib/base/banned.h"

int layouts_keep_relocations(const struct layouts *l, struct strv *words, struct err *err)
{
	/* mold 1.10 crashes when it is asked for both */
	return strv_add(words, "--emit-relocs", err) ||
			       (l->linker != LINKER_MOLD && strv_add(words, "-S", err))
		       ? -1
		       : 0;
}
