#include "collector/extent/relocation.h"

#include <elf.h>

#include "lib/base/banned.h"

bool relocation_kind(uint32_t type, size_t *out_width, bool *out_near)
{
	static const struct {
		unsigned char type, width;
		bool near;
	} known[] = { { R_X86_64_64, 8, false },       { R_X86_64_PC32, 4, true },
		      { R_X86_64_PLT32, 4, true },     { R_X86_64_GOTPCREL, 4, true },
		      { R_X86_64_GOTPCRELX, 4, true }, { R_X86_64_REX_GOTPCRELX, 4, true },
		      { R_X86_64_32, 4, false },       { R_X86_64_32S, 4, false },
		      { R_X86_64_PC64, 8, true },      { R_X86_64_TLSGD, 4, true },
		      { R_X86_64_TLSLD, 4, true },     { R_X86_64_GOTTPOFF, 4, true },
		      { R_X86_64_DTPOFF32, 4, false }, { R_X86_64_TPOFF32, 4, false },
		      { R_X86_64_GOTPC32, 4, true } };
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].type == type) {
			*out_width = known[i].width;
			*out_near = known[i].near;
			return true;
		}
	return false;
}
