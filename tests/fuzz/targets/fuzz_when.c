/* Points in time: what was read is written so that it reads as the same. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

/* 0000-01-01T00:00:00Z and the last millisecond of year 9999. */
#define FIRST_US INT64_C(-62167219200000000)
#define LAST_US INT64_C(253402300799999999)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = fuzz_string(data, n);
	int64_t us = 42, again, raw;
	char iso[WHEN_ISO];

	if (when_parse(text, &us)) {
		fuzz_accept();
		when_iso(us, true, iso);
		must(strlen(iso) == strlen("2026-11-20T10:00:00.000Z"));
		must(when_parse(iso, &again));
		if (us >= FIRST_US && us <= LAST_US)
			must(again <= us && us - again < 1000);
		else
			must(again == 0);
	} else {
		must(us == 42);
	}
	free(text);
	if (n >= sizeof(raw)) {
		memcpy(&raw, data, sizeof(raw));
		must(when_parse(when_iso(raw, false, iso), &again));
		if (raw >= FIRST_US && raw <= LAST_US)
			must(again <= raw && raw - again < 1000000);
		else
			must(again == 0);
	}
	return 0;
}
