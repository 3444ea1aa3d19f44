#include "collector/run/child_stat.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

/* schedstat: ns on a processor and ns waiting for one; readable of a zombie too. */
static void take_schedstat(pid_t pid, struct child_result *out)
{
	char path[64], line[128], *end;
	double cpu;

	out->main_cpu_ns = out->run_delay_ns = (double)NAN;
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	if (!file_first_line(path, line, sizeof(line)))
		return;
	cpu = strtod(line, &end);
	if (*end != ' ')
		return;
	out->main_cpu_ns = cpu;
	out->run_delay_ns = strtod(end + 1, &end);
}

/* stat: what the processes it waited for used, user and system (fields 16 and 17). */
static double children_cpu_of(pid_t pid)
{
	char path[64], line[1024], *at;
	unsigned long long user, kernel;
	int field;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (!file_first_line(path, line, sizeof(line)) || !(at = strrchr(line, ')')))
		return (double)NAN;
	for (field = 2; at && field < 16; field++)
		at = strchr(at + 1, ' ');
	if (!at)
		return (double)NAN;
	user = strtoull(at, &at, 10);
	kernel = strtoull(at, NULL, 10);
	return (double)(user + kernel) * 1e9 / (double)sysconf(_SC_CLK_TCK);
}

/* The count of a line "nr_migrations : 0" of /proc/PID/sched; kernels without it have no file. */
static double migrations_of(pid_t pid)
{
	static const char key[] = "\nse.nr_migrations";
	char path[64], text[1024];
	double count = (double)NAN;
	const char *at;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/sched", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1); /* it stands in the first lines */
	file_close(&fd);
	text[n > 0 ? n : 0] = '\0';
	at = strstr(text, key);
	at = at ? strchr(at, ':') : NULL;
	if (at)
		count = strtod(at + 1, NULL);
	return count;
}

void child_stat(pid_t pid, struct child_result *out)
{
	take_schedstat(pid, out);
	out->children_cpu_ns = children_cpu_of(pid);
	out->migrations = migrations_of(pid);
}
