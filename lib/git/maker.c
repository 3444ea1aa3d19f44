#include "lib/git/maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

#define START_FIELD 22 /* of /proc/PID/stat, proc(5) */
#define LINE 1024
#define N_WORDS 5

static bool boot_id(char *out, size_t size)
{
	return file_first_line("/proc/sys/kernel/random/boot_id", out, size) && *out;
}

/* "pid:[4026531836]"; "-" where there is no /proc/self/ns. */
static void namespace_of(char *out, size_t size)
{
	ssize_t n = readlink("/proc/self/ns/pid", out, size - 1);

	if (n <= 0)
		snprintf(out, size, "-");
	else
		out[n] = '\0';
}

/* When a process started, in clock ticks since the boot; 0: there is no such process. */
static uint64_t start_of(uint64_t pid)
{
	char path[64], line[LINE], *p;
	uint64_t start = 0;
	int field;

	snprintf(path, sizeof(path), "/proc/%llu/stat", (unsigned long long)pid);
	if (!file_first_line(path, line, sizeof(line)))
		return 0;
	p = strrchr(line, ')'); /* the name before it may hold blanks */
	for (field = 2; p && field < START_FIELD; field++)
		p = strchr(p + 1, ' ');
	if (!p)
		return 0;
	p[1 + strcspn(p + 1, " ")] = '\0';
	return number_u64(p + 1, &start) ? start : 0;
}

int maker_name(struct buf *out, struct err *err)
{
	uint64_t start = start_of((uint64_t)getpid());
	char boot[LINE], space[LINE];

	if (!boot_id(boot, sizeof(boot)) || !start)
		return err_set(err, ERR_IO, "cannot read '/proc': it names running processes");
	namespace_of(space, sizeof(space));
	buf_addf(out, "pawl %s %llu %llu %s", boot, (unsigned long long)getpid(),
		 (unsigned long long)start, space);
	return buf_check(out, err);
}

bool maker_is_gone(const char *text)
{
	char boot[LINE], space[LINE];
	struct strv words = STRV_INIT;
	uint64_t pid, start;
	bool gone = false;

	if (words_split(text, &words, NULL) || words.n != N_WORDS || strcmp(words.v[0], "pawl") ||
	    !number_u64(words.v[2], &pid) || !number_u64(words.v[3], &start) ||
	    !boot_id(boot, sizeof(boot)))
		goto out;
	namespace_of(space, sizeof(space));
	if (strcmp(words.v[1], boot))
		gone = true;
	else if (!strcmp(words.v[4], space))
		gone = start_of(pid) != start;
out:
	strv_release(&words);
	return gone;
}
