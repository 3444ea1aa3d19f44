/*
 * fixture - a program that behaves well or badly as asked, for the tests of the collector.
 *
 *   fixture exit N            ends with status N
 *   fixture signal N          ends by signal N
 *   fixture print N [E]       writes N bytes of fixture_byte() to stdout, and E to stderr
 *   fixture say TEXT...       writes each TEXT as a line to stderr, then ends with status 3
 *   fixture say-out TEXT...   the same to stdout
 *   fixture flood             writes to stdout for ever
 *   fixture stretch N         makes the file that stdout is N bytes long, and writes nothing
 *   fixture hang              ignores SIGTERM and waits for ever
 *   fixture stop              stops itself as ^Z would
 *   fixture daemons N         leaves N processes behind, each in a session of its own
 *   fixture children N        leaves N processes behind in its own group
 *   fixture crowd N           leaves one process with N more threads behind
 *   fixture zombie            leaves one process behind that is over already
 *   fixture show              writes its environment, folder, processors and descriptors
 *   fixture helper N MS       starts N processes one after the other that do that
 *   fixture burn MS [CODE]    computes for MS milliseconds of its CPU time
 *   fixture records LINE...   writes each LINE to descriptor 3; in place of a line:
 *                             @wait reads one byte, @repeat N LINE writes LINE N times,
 *                             @part TEXT writes it without a line end, @long N writes N bytes
 *                             without a line end, @file PATH writes a file, @close closes the
 *                             descriptor, @hang waits for ever, @abort and @exit N end
 *                             the program
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/base/number.h"
#include "tests/helpers/fixture.h"

#include "lib/base/banned.h"

static uint64_t number(const char *text)
{
	uint64_t value;

	if (text && number_u64(text, &value))
		return value;
	fprintf(stderr, "fixture: not a number: %s\n", text ? text : "nothing");
	exit(99);
}

/* All bytes, or the end of the program: whoever reads may have had enough. */
static void put(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			exit(98);
		bytes += done;
		n -= (size_t)done;
	}
}

/* In one write, so that a reader that reads once has the whole line. */
static void put_line(int fd, const char *text)
{
	struct buf line = BUF_INIT;

	buf_addf(&line, "%s\n", text);
	put(fd, buf_str(&line), line.len);
	buf_release(&line);
}

static void print(int fd, uint64_t n)
{
	static char chunk[65536];
	uint64_t done = 0;
	size_t i, size;

	while (done < n) {
		size = n - done < sizeof(chunk) ? (size_t)(n - done) : sizeof(chunk);
		for (i = 0; i < size; i++)
			chunk[i] = fixture_byte(done + i);
		put(fd, chunk, size);
		done += size;
	}
}

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

static int end_by(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
	return 97;
}

/* Each process says that it is there before the parent goes on. */
static int leave_behind(uint64_t n, bool own_session)
{
	int ready[2];
	uint64_t i;
	char byte;

	if (pipe(ready))
		return 97;
	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 97;
		if (pid == 0) {
			if (own_session) {
				if (setsid() < 0 || fork() != 0)
					_exit(0);
			}
			dprintf(1, "%d\n", (int)getpid());
			put(ready[1], "x", 1);
			wait_for_ever();
		}
		if (own_session)
			waitpid(pid, NULL, 0);
		if (read(ready[0], &byte, 1) != 1)
			return 97;
	}
	return 0;
}

static void *wait_in_thread(void *told)
{
	close(*(int *)told);
	wait_for_ever();
	return NULL;
}

/* When it ends all of them are there: each closes a pipe's end of its own. */
static int leave_crowd(uint64_t n)
{
	uint64_t i;
	int ends[2];
	char byte;

	if (pipe(ends))
		return 97;
	if (fork()) {
		close(ends[1]);
		return read(ends[0], &byte, 1) ? 97 : 0;
	}
	for (i = 0; i < n; i++) {
		pthread_t thread;
		int *told = malloc(sizeof(*told));

		if (!told || (*told = dup(ends[1])) < 0 ||
		    pthread_create(&thread, NULL, wait_in_thread, told))
			_exit(97);
	}
	close(ends[1]);
	wait_for_ever();
	return 0;
}

static int leave_zombie(void)
{
	siginfo_t info;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) ? 97 : 0;
}

static void show_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && number(e->d_name) != (uint64_t)dirfd(d))
			printf("fd %s\n", e->d_name);
	if (d)
		closedir(d);
}

static int show(void)
{
	char *dir = getcwd(NULL, 0), **entry;
	cpu_set_t set;
	int i;

	for (entry = environ; *entry; entry++)
		printf("env %s\n", *entry);
	printf("dir %s\n", dir ? dir : "?");
	free(dir);
	if (!sched_getaffinity(0, sizeof(set), &set))
		for (i = 0; i < CPU_SETSIZE; i++)
			if (CPU_ISSET((size_t)i, &set))
				printf("cpu %d\n", i);
	printf("policy %d\n", sched_getscheduler(0));
	show_descriptors();
	return 0;
}

static int burn(uint64_t ms, int code)
{
	volatile uint64_t x = 1;
	clock_t end = clock() + (clock_t)(ms * (CLOCKS_PER_SEC / 1000));

	while (clock() < end)
		x = x * 3 + 1;
	return code;
}

static int have_done(uint64_t n, uint64_t ms)
{
	for (; n; n--) {
		int status = 97;
		pid_t pid = fork();

		if (pid == 0)
			_exit(burn(ms, 0));
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			return 97;
	}
	return 0;
}

/* One word of the script; returns how many of the words behind it were used. */
static int record(char **word)
{
	uint64_t i, n;
	char byte;

	if (!strcmp(word[0], "@wait")) {
		if (read(3, &byte, 1) != 1)
			exit(3);
		return 0;
	}
	if (!strcmp(word[0], "@repeat")) {
		for (i = 0, n = number(word[1]); i < n; i++)
			put_line(3, word[2]);
		return 2;
	}
	if (!strcmp(word[0], "@part")) {
		put(3, word[1], strlen(word[1]));
		return 1;
	}
	if (!strcmp(word[0], "@file")) {
		struct buf text = BUF_INIT;

		if (file_read_whole(word[1], 64u << 20, &text, NULL))
			exit(97);
		put(3, buf_str(&text), text.len);
		buf_release(&text);
		return 1;
	}
	if (!strcmp(word[0], "@long")) {
		print(3, number(word[1]));
		return 1;
	}
	if (!strcmp(word[0], "@close"))
		close(3);
	else if (!strcmp(word[0], "@hang"))
		wait_for_ever();
	else if (!strcmp(word[0], "@abort"))
		exit(end_by(SIGABRT));
	else if (!strcmp(word[0], "@exit"))
		exit((int)number(word[1]));
	else
		put_line(3, word[0]);
	return 0;
}

static int write_records(char **word)
{
	for (; *word; word++)
		word += record(word);
	return 0;
}

static int say(FILE *to, char **text)
{
	for (; *text; text++)
		fprintf(to, "%s\n", *text);
	return 3;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "", *first = argc > 2 ? argv[2] : NULL;

	if (!strcmp(mode, "exit"))
		return (int)number(first);
	if (!strcmp(mode, "signal"))
		return end_by((int)number(first));
	if (!strcmp(mode, "print")) {
		print(1, number(first));
		print(2, argc > 3 ? number(argv[3]) : 0);
		return 0;
	}
	if (!strcmp(mode, "say"))
		return say(stderr, argv + 2);
	if (!strcmp(mode, "say-out"))
		return say(stdout, argv + 2);
	if (!strcmp(mode, "flood"))
		print(1, UINT64_MAX);
	if (!strcmp(mode, "stretch"))
		return ftruncate(1, (off_t)number(first)) ? 97 : 0;
	if (!strcmp(mode, "hang")) {
		signal(SIGTERM, SIG_IGN);
		wait_for_ever();
	}
	if (!strcmp(mode, "stop"))
		raise(SIGSTOP);
	if (!strcmp(mode, "daemons") || !strcmp(mode, "children"))
		return leave_behind(number(first), mode[0] == 'd');
	if (!strcmp(mode, "crowd"))
		return leave_crowd(number(first));
	if (!strcmp(mode, "zombie"))
		return leave_zombie();
	if (!strcmp(mode, "show"))
		return show();
	if (!strcmp(mode, "helper") && argc > 3)
		return have_done(number(first), number(argv[3]));
	if (!strcmp(mode, "burn"))
		return burn(number(first), argc > 3 ? (int)number(argv[3]) : 0);
	if (!strcmp(mode, "records"))
		return write_records(argv + 2);
	fprintf(stderr, "fixture: unknown mode '%s'\n", mode);
	return 99;
}
