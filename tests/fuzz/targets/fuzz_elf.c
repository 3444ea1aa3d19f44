/*
 * An executable that is not what it seems.
 *
 * The seeds are programs of a few lines, linked without a C library and stripped: one
 * static, one shared object with DT_NEEDED and DT_RUNPATH, and the latter without its
 * section table.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "collector/code/elf.h"

#include "lib/base/banned.h"

static int digest_of_elf(const struct elf *elf, char out[DIGEST_HEX], struct err *err)
{
	struct digest d = DIGEST_INIT;
	int result;

	must(!digest_begin(&d, err));
	result = elf_digest(elf, &d, err);
	must(!digest_end(&d, out, err) || result);
	digest_release(&d);
	return result;
}

static void hold_digest(const struct elf *elf)
{
	char first[DIGEST_HEX], second[DIGEST_HEX];
	struct err err = ERR_INIT;

	if (digest_of_elf(elf, first, &err)) {
		must(err.code == ERR_SYNTAX);
		return;
	}
	fuzz_accept();
	must(!digest_of_elf(elf, second, &err) && !strcmp(first, second));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct strv needed = STRV_INIT;
	struct err err = ERR_INIT;
	struct elf elf;
	char *path = NULL;
	bool is_rpath;

	if (elf_open(fuzz_file(data, n), &elf, &err)) {
		must(err.code == ERR_SYNTAX && !elf.data);
		return 0;
	}
	hold_digest(&elf);
	if (elf_needed(&elf, &needed, &path, &is_rpath, &err))
		must(err.code == ERR_SYNTAX);
	else
		must(path || !is_rpath);
	strv_release(&needed);
	free(path);
	elf_close(&elf);
	return 0;
}
