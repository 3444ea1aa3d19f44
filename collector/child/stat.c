#include "collector/child/stat.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

/* "CPU DELAY SLICES" of a thread, the first two in ns; readable of a zombie too. */
static void read_schedstat(pid_t pid, double *out_cpu_ns, double *out_delay_ns)
{
	char path[64], line[128], *end;
	unsigned long long cpu;

	*out_cpu_ns = *out_delay_ns = (double)NAN;
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	if (!file_first_line(path, line, sizeof(line)))
		return;
	cpu = strtoull(line, &end, 10);
	if (*end != ' ')
		return;
	*out_cpu_ns = (double)cpu;
	*out_delay_ns = (double)strtoull(end + 1, &end, 10);
}

double child_stat_delay(pid_t pid)
{
	double cpu, delay;

	read_schedstat(pid, &cpu, &delay);
	return delay;
}

/* Opened once: it is read a few times in every run. */
struct own_wait child_stat_own_wait(void)
{
	struct own_wait out = { (double)NAN, 0 };
	static int fd = -2; /* -1: there is none */
	char text[128], *end;
	ssize_t n;

	if (fd == -2)
		fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : pread(fd, text, sizeof(text) - 1, 0);
	if (n <= 0)
		return out;
	text[n] = '\0';
	strtoull(text, &end, 10);
	out.ns = (double)strtoull(end, &end, 10);
	out.turns = strtoull(end, NULL, 10);
	return out;
}

bool child_stat_only_woke(const struct own_wait *then, const struct own_wait *now)
{
	return now->turns <= then->turns + 1;
}

/* The threads of the process together, those that are over too; none of its children. */
static double threads_cpu_of(pid_t pid)
{
	struct timespec t;

	if (clock_gettime(child_stat_clock_of(pid), &t))
		return (double)NAN;
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
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

/*
 * Whether it never left its processor from its exec on, but to end; which is counted or not, as
 * soon as we look.  Then it is one thread, without helpers, and waited for no processor either.
 */
static bool has_stayed(const struct child *c)
{
	struct rusage now;
	siginfo_t info;

	if (c->pinned < 0 || !c->begun.at_ns || !isfinite(c->waited.ns) ||
	    isfinite(c->watched_delay_ns))
		return false;
	/* libc's has no place for what it used. */
	if (syscall(SYS_waitid, P_PID, c->pid, &info, WEXITED | WNOWAIT | WNOHANG, &now))
		return false;
	return (uint64_t)now.ru_nivcsw == c->begun.involuntary &&
	       (uint64_t)now.ru_nvcsw <= c->begun.voluntary + 1;
}

/* Before its exec it or we worked, or it waited. */
static double delay_before(const struct child *c)
{
	double all = (double)(c->begun.at_ns - c->start_ns);

	return fmax(0, all - c->begun.own_ns - c->begun.ours_ns);
}

void child_stat(const struct child *c, struct child_result *out)
{
	/* The clock first: it brings up to date what the other one tells of who is on its way out.
	 */
	out->threads_cpu_ns = threads_cpu_of(c->pid);
	if (has_stayed(c)) { /* to look into /proc takes a sixth of what a short run costs us */
		out->main_cpu_ns = out->threads_cpu_ns;
		out->main_delay_ns = delay_before(c);
	} else {
		read_schedstat(c->pid, &out->main_cpu_ns, &out->main_delay_ns);
	}
	out->run_delay_ns = out->main_delay_ns;
	out->watched = isfinite(c->watched_delay_ns);
	if (out->watched)
		out->run_delay_ns = c->watched_delay_ns;
	out->migrations = c->pinned >= 0 ? 0 : migrations_of(c->pid);
}
