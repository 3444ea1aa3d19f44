/* A server's answer to a posted summary. */
#include "tests/fuzz/fuzz.h"

#include "lib/record/ack.h"

#include "lib/base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err err = ERR_INIT;
	struct ack ack;

	if (ack_decode((const char *)data, n, &ack, &err)) {
		must(err.code != ERR_NONE && fuzz_is_line(err.text));
		return 0;
	}
	fuzz_accept();
	must(!ack.id[0] || ulid_is_valid(ack.id));
	must(fuzz_is_plain(ack.code, true));
	must(fuzz_is_plain(ack.message, true));
	must(fuzz_is_plain(ack.where, true));
	return 0;
}
