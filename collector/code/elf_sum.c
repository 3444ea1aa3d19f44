#include "collector/code/elf.h"

#include "lib/base/banned.h"

int elf_sum(const char *path, char out[DIGEST_HEX], struct err *err)
{
	struct digest d;
	struct elf elf;
	bool found;

	if (elf_open(path, &elf, NULL))
		return digest_of_file(path, out, err);
	if (digest_begin(&d, err)) {
		elf_close(&elf);
		return -1;
	}
	found = elf_build_id(&elf, &d);
	elf_close(&elf);
	if (digest_end(&d, out, err))
		return -1;
	return found ? 0 : digest_of_file(path, out, err);
}
