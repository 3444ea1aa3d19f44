/*
 * A linked program that is not what it seems.
 *
 * The seeds are programs of a few lines, linked without a C library by GNU ld and lld with
 * --emit-relocs: one with a constructor, one shared object.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "collector/layout/traits.h"

#include "lib/base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct strv first = STRV_INIT, second = STRV_INIT;
	struct err err = ERR_INIT;
	const char *path = fuzz_file(data, n);

	if (traits_read(path, &first, &err)) {
		must(err.code == ERR_SYNTAX || err.code == ERR_ABSENT);
	} else {
		fuzz_accept();
		must(!traits_read(path, &second, &err) && !traits_compare(&first, &second, &err));
		must(!traits_compare_code(path, path, false, &err) || err.code == ERR_SYNTAX);
		must(!traits_refuse_data_start(path, &err) || err.code == ERR_ABSENT);
	}
	strv_release(&first);
	strv_release(&second);
	return 0;
}
