#include "collector/child/oom.h"

#include <stdint.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/number.h"

#include "lib/base/banned.h"

#define VMSTAT_BYTES (1u << 20)

static uint64_t before;
static bool is_known;

/* The count since boot. */
static bool read_count(uint64_t *out)
{
	static const char name[] = "\noom_kill ";
	struct buf text = BUF_INIT;
	bool found = false;
	char *p;

	if (!file_read_whole("/proc/vmstat", VMSTAT_BYTES, &text, NULL) && text.len) {
		p = strstr(text.data, name);
		if (p) {
			p += strlen(name);
			p[strcspn(p, "\n")] = '\0';
			found = number_u64(p, out);
		}
	}
	buf_release(&text);
	return found;
}

void oom_begin(void)
{
	static bool was_called;

	if (was_called)
		return;
	was_called = true;
	is_known = read_count(&before);
}

bool oom_has_killed(void)
{
	uint64_t now;

	return is_known && read_count(&now) && now > before;
}
