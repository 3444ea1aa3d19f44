/*
 * limit - runs a test and ends it, with all that it started, when it has used too much processor
 * time.
 *
 *   limit CPU_SECONDS WALL_SECONDS FILE COMMAND...
 *
 * What counts is the time that the command and all its descendants spent on processors, those that
 * lost their parent too: a busy machine makes a test slower, not more expensive.  The wall time
 * is there for a deadlock alone, which uses no processor time at all.  What is still running when
 * the command ends, or when limit gets SIGTERM, is killed.  FILE receives "CPU WALL", in seconds.
 * Ends with the command's status (128+n for a signal), 124 when a limit was passed.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/number.h"
#include "lib/base/when.h"
#include "lib/process/processes.h"

#include "lib/base/banned.h"

#define LOOK_MS 500

static struct processes all = PROCESSES_INIT;

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Whether a descendant is left: those that lost their parents are ours. */
static bool has_descendants(void)
{
	siginfo_t info;

	return !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
}

/* Of all descendants, dead and alive. */
static double cpu_used(void)
{
	double tick = 1.0 / (double)sysconf(_SC_CLK_TCK), sum;
	struct rusage dead;
	size_t i;

	getrusage(RUSAGE_CHILDREN, &dead);
	sum = seconds(dead.ru_utime) + seconds(dead.ru_stime);
	if (!has_descendants())
		return sum;
	processes_look(&all);
	for (i = 0; i < all.n; i++)
		if (all.v[i].is_ours)
			sum += (double)all.v[i].ticks * tick;
	return sum;
}

/* Until there is none: one that dies may leave others to us. */
static void kill_all(void)
{
	bool is_left = true;
	size_t i;

	while (is_left && has_descendants()) {
		processes_look(&all);
		for (is_left = false, i = 0; i < all.n; i++)
			if (all.v[i].is_ours && !kill(all.v[i].pid, SIGKILL))
				is_left = true;
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (is_left)
			nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	}
}

static void write_figures(const char *path, double wall)
{
	FILE *f = fopen(path, "we");

	if (!f) {
		fprintf(stderr, "limit: cannot open '%s': %s\n", path, strerror(errno));
		return;
	}
	fprintf(f, "%.2f %.2f\n", cpu_used(), wall);
	fclose(f);
}

/* The command's status once it has ended, else -1. */
static int ended(pid_t command)
{
	int status, found = -1;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == command)
			found = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return found;
}

static int watch(pid_t command, const sigset_t *signals, double cpu_most, double wall_most,
		 const char *path)
{
	uint64_t start = when_monotonic_ns();
	double cpu = 0, wall = 0, next = 0, cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
	int status;

	while ((status = ended(command)) < 0) {
		int signal =
			sigtimedwait(signals, NULL, &(struct timespec){ 0, LOOK_MS * 1000000L });

		wall = (double)(when_monotonic_ns() - start) / 1e9;
		if (signal > 0 && signal != SIGCHLD) {
			status = 128 + signal;
			break;
		}
		if (wall < next && wall <= wall_most)
			continue;
		/* To look at all processes takes milliseconds: not before it can have used so much.
		 */
		cpu = cpu_used();
		next = wall + (cpu_most - cpu) / (cores > 0 ? cores : 1);
		if (next < wall + LOOK_MS / 1000.0)
			next = wall + LOOK_MS / 1000.0;
		if (cpu > cpu_most)
			printf("# limit: ended: it used %.0f s of processor time, "
			       "%.0f are allowed (PAWL_TEST_CPU)\n",
			       cpu, cpu_most);
		else if (wall > wall_most)
			printf("# limit: ended after %.0f s, in which it used %.1f s of processor "
			       "time: "
			       "it waits for something that does not come (PAWL_TEST_WALL)\n",
			       wall, cpu);
		else
			continue;
		status = 124;
		break;
	}
	kill_all();
	write_figures(path, (double)(when_monotonic_ns() - start) / 1e9);
	return status;
}

int main(int argc, char **argv)
{
	uint64_t cpu_most, wall_most;
	pid_t command, caller = getppid();
	sigset_t signals;

	if (argc < 5 || !number_u64(argv[1], &cpu_most) || !number_u64(argv[2], &wall_most)) {
		fprintf(stderr, "usage: limit CPU_SECONDS WALL_SECONDS FILE COMMAND...\n");
		return 2;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	setpgid(0, 0); /* Ctrl-C reaches tests/run alone, which ends this one in order */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != caller)
		return 128 + SIGTERM;
	command = fork();
	if (!command) {
		sigemptyset(&signals); /* what nohup or a shell's background job ignores, a test
					  does not */
		sigprocmask(SIG_SETMASK, &signals, NULL);
		signal(SIGHUP, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		signal(SIGPIPE, SIG_DFL);
		setpgid(0, 0); /* a test that signals its group hits nobody else */
		execvp(argv[4], argv + 4);
		fprintf(stderr, "limit: cannot run '%s': %s\n", argv[4], strerror(errno));
		_exit(127);
	}
	if (command < 0) {
		fprintf(stderr, "limit: cannot fork: %s\n", strerror(errno));
		return 125;
	}
	return watch(command, &signals, (double)cpu_most, (double)wall_most, argv[3]);
}
