/* SPDX-License-Identifier: MIT */
#include "harness/counter/valgrind_child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/counter/callgrind.h"

static bool say(char *why, size_t size, const char *what)
{
	(void)snprintf(why, size, "%s", what);
	return false;
}

static bool say_error(char *why, size_t size, const char *what, int error)
{
	(void)snprintf(why, size, "%s: %s", what, strerror(error));
	return false;
}

/* One line `NAME A B`.  Returns false when it is another one. */
static bool read_pair(FILE *file, const char *name, uint64_t *a, uint64_t *b)
{
	char line[256], *at = line + strlen(name), *end;
	if (!fgets(line, sizeof(line), file) || strncmp(line, name, strlen(name)) || *at != ' ')
		return false;
	*a = strtoull(at, &end, 10);
	if (end == at || *end != ' ')
		return false;
	at = end;
	*b = strtoull(at, &end, 10);
	return end != at && *end == '\n';
}

bool pawl_valgrind_read(const char *path, struct valgrind_counts *out, char *why, size_t size)
{
	struct valgrind_counts c;
	char line[256];
	uint64_t ignored;
	FILE *file = fopen(path, "re");
	bool good;
	if (!file && errno != ENOENT)
		return say_error(why, size, "cannot read the counts of the second start", errno);
	if (!file)
		return say(why, size, "the program ended before its benchmark was counted");
	if (fgets(line, sizeof(line), file) && strncmp(line, "error ", 6) == 0) {
		line[strcspn(line, "\n")] = '\0';
		(void)fclose(file);
		return say(why, size, line + 6);
	}
	rewind(file);
	good = read_pair(file, "n", &c.n, &ignored) && c.n > 0;
	for (int i = 0; i < VALGRIND_EVENTS && good; i++)
		good = read_pair(file, pawl_valgrind_event(i), &c.once[i], &c.twice[i]);
	good = good && read_pair(file, "end", &ignored, &ignored);
	(void)fclose(file);
	if (!good)
		return say(why, size, "the counts of the second start are not whole");
	*out = c;
	return true;
}

#ifdef _WIN32

bool pawl_valgrind_count(const char *benchmark, int patience_ms, struct valgrind_counts *out,
			 char *why, size_t size)
{
	(void)benchmark, (void)patience_ms, (void)out;
	return say(why, size, "valgrind does not exist on this system");
}

#else

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/personality.h>
#include <sys/prctl.h>
#endif

#define PATH_SIZE 512
#define OWN_SIZE 65536 /* of this program's arguments */
#define MOST_ARGUMENTS 256
#define PAD "PAWL_PAD="
#define ENVIRONMENT_STEP 65536 /* bytes that the variables are filled up to a multiple of */
#define LOOK_MS 5

/* Of the one second start that is under way; for the signal handler. */
static volatile sig_atomic_t caught;
static volatile pid_t running;

struct start {
	char valgrind[PATH_SIZE], program[PATH_SIZE], folder[PATH_SIZE];
	char text[8][PATH_SIZE]; /* options that name the folder, and variables */
	char own[OWN_SIZE];	 /* this program's arguments */
	char *argv[MOST_ARGUMENTS];
	char **envp; /* the caller's variables, ours, and padding */
	char pad[ENVIRONMENT_STEP + sizeof(PAD) + 1];
};

static bool find_valgrind(struct start *s, char *why, size_t size)
{
	const char *path = getenv("PATH");
	while (path && *path) {
		size_t n = strcspn(path, ":");
		struct stat st;
		int used =
			snprintf(s->valgrind, sizeof(s->valgrind), "%.*s/valgrind", (int)n, path);
		if (n && used < (int)sizeof(s->valgrind) && access(s->valgrind, X_OK) == 0 &&
		    stat(s->valgrind, &st) == 0 && S_ISREG(st.st_mode))
			return true;
		path += n + (path[n] == ':');
	}
	return say(why, size, "valgrind is not installed: install it, or say --counters=perf");
}

/*
 * The file and the arguments of this program; main's may have been changed.  Not by the name
 * "self", nor with "exe" as a text or the end of one: the collector takes programs that hold
 * either for such as depend on where they lie.
 * Errors: -errno.
 */
static int read_own(struct start *s, size_t *out_used)
{
	char path[64];
	ssize_t got;
	size_t used = 0;
	int fd;
	(void)snprintf(path, sizeof(path), "/proc/%ld/%cxe", (long)getpid(), 'e');
	if (readlink(path, s->program, sizeof(s->program) - 1) < 0 || access(s->program, X_OK))
		return -errno;
	(void)snprintf(path, sizeof(path), "/proc/%ld/cmdline", (long)getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while (used < sizeof(s->own) - 1 &&
	       (got = read(fd, s->own + used, sizeof(s->own) - 1 - used)) > 0)
		used += (size_t)got;
	(void)close(fd);
	*out_used = used;
	return 0;
}

static bool find_own(struct start *s, int *argc, char *why, size_t size)
{
	size_t used = 0;
	int error = read_own(s, &used);
	if (error == -ENOENT)
		return say(why, size, "cannot start this program again: its file has gone");
	if (error)
		return say_error(why, size, "cannot start this program again", -error);
	s->argv[(*argc)++] = s->program;
	for (size_t at = strlen(s->own) + 1; at < used; at += strlen(s->own + at) + 1) {
		if (*argc + 1 >= MOST_ARGUMENTS || used == sizeof(s->own) - 1)
			return say(why, size, "this program has too many arguments");
		s->argv[(*argc)++] = s->own + at;
	}
	s->argv[*argc] = NULL;
	return true;
}

/* Sizes are fixed, since valgrind would take those of the machine. */
static int add_options(struct start *s)
{
	static char fixed[][32] = {
		"--tool=callgrind", "--command-line-only=yes", "--quiet",
		"--vgdb=no",	    "--instr-atstart=no",      "--collect-atstart=no",
		"--cache-sim=yes",  "--branch-sim=yes",	       "--I1=32768,8,64",
		"--D1=32768,8,64",  "--LL=8388608,16,64",      "--combine-dumps=no",
		"--dump-line=no",
	};
	int n = 0;
	s->argv[n++] = s->valgrind;
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		s->argv[n++] = fixed[i];
	(void)snprintf(s->text[0], PATH_SIZE, "--callgrind-out-file=%.400s/out", s->folder);
	(void)snprintf(s->text[1], PATH_SIZE, "--log-file=%.400s/log", s->folder);
	s->argv[n++] = s->text[0];
	s->argv[n++] = s->text[1];
	return n;
}

/* What a variable takes of the new program's stack. */
static size_t room_of(const char *variable)
{
	return strlen(variable) + 1 + sizeof(char *);
}

#ifdef __APPLE__ /* whose headers do not declare it */
extern char **environ;
#endif

/*
 * The caller's variables, since the benchmark may depend on them, without the collector's.  Their
 * size moves the stack, and with it what meets in the caches: it is filled up, so that the counts
 * are the same whatever is in variables that nobody reads.
 */
static bool set_environment(struct start *s, const char *benchmark, char *why, size_t size)
{
	size_t n = 0, room = 0, fill;
	(void)snprintf(s->text[2], PATH_SIZE, CALLGRIND_ORDER "=%.400s", s->folder);
	(void)snprintf(s->text[3], PATH_SIZE, "PAWL_BENCHMARK=%.400s", benchmark);
	while (environ[n])
		n++;
	s->envp = calloc(n + 4, sizeof(*s->envp));
	if (!s->envp)
		return say(why, size, "out of memory");
	n = 0;
	for (char **at = environ; *at; at++)
		if (strncmp(*at, "PAWL_", strlen("PAWL_")) != 0)
			s->envp[n++] = *at;
	s->envp[n++] = s->text[2];
	s->envp[n++] = s->text[3];
	for (size_t i = 0; i < n; i++)
		room += room_of(s->envp[i]);
	(void)snprintf(s->pad, sizeof(s->pad), "%s", PAD);
	fill = ENVIRONMENT_STEP - (room + room_of(s->pad)) % ENVIRONMENT_STEP;
	memset(s->pad + strlen(PAD), 'x', fill);
	s->envp[n] = s->pad;
	return true;
}

/* A folder of our own; valgrind would take a % in its name for a pattern. */
static bool make_folder(struct start *s, char *why, size_t size)
{
	const char *base = getenv("TMPDIR");
	if (!base || base[0] != '/' || strchr(base, '%') || strlen(base) > 300)
		base = "/tmp";
	(void)snprintf(s->folder, sizeof(s->folder), "%s/pawl-count.XXXXXX", base);
	if (mkdtemp(s->folder))
		return true;
	(void)snprintf(why, size, "cannot make a folder in %.80s: %s", base, strerror(errno));
	s->folder[0] = '\0';
	return false;
}

static void remove_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	while (dir && (entry = readdir(dir))) {
		char path[PATH_SIZE + sizeof(entry->d_name) + 1];
		(void)snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		(void)unlink(path);
	}
	if (dir)
		(void)closedir(dir);
	(void)rmdir(folder);
}

static void on_signal(int number)
{
	caught = number;
	if (running > 0)
		(void)kill(-running, SIGKILL);
}

/* In the child: only what is safe behind fork(). */
static void become_valgrind(struct start *s)
{
	int null = open("/dev/null", O_RDWR);
	(void)setpgid(0, 0);
#ifdef __linux__
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)personality(ADDR_NO_RANDOMIZE);
#endif
	for (int fd = 0; fd <= 2; fd++)
		(void)dup2(null, fd);
	(void)execve(s->valgrind, s->argv, s->envp);
	_exit(127);
}

/* Waits for the child, and kills its group when the time is over.  Returns false then. */
static bool wait_for(pid_t pid, int patience_ms, int *out_status)
{
	int waited_ms = 0;
	while (waitpid(pid, out_status, WNOHANG) == 0) {
		if (caught || waited_ms >= patience_ms) {
			(void)kill(-pid, SIGKILL);
			while (waitpid(pid, out_status, 0) < 0 && errno == EINTR)
				;
			return false;
		}
		(void)poll(NULL, 0, LOOK_MS);
		waited_ms += LOOK_MS;
	}
	/* What the benchmark started itself. */
	(void)kill(-pid, SIGKILL);
	return true;
}

/* How the second start ended; its counts are read when it ended well. */
static bool judge(const struct start *s, int status, struct valgrind_counts *out, char *why,
		  size_t size)
{
	char path[PATH_SIZE + 16];
	(void)snprintf(path, sizeof(path), "%s/counts", s->folder);
	if (WIFSIGNALED(status)) {
		(void)snprintf(why, size, "the program was ended by signal %d under valgrind",
			       WTERMSIG(status));
		return false;
	}
	if (pawl_valgrind_read(path, out, why, size) && WEXITSTATUS(status) == 0)
		return true;
	if (WEXITSTATUS(status))
		(void)snprintf(why, size, "the program ended with status %d under valgrind",
			       WEXITSTATUS(status));
	return false;
}

static bool run_child(struct start *s, int patience_ms, struct valgrind_counts *out, char *why,
		      size_t size)
{
	int status = 0;
	bool in_time;
	pid_t pid = fork();
	if (pid == 0)
		become_valgrind(s);
	if (pid < 0) {
		(void)snprintf(why, size, "cannot start valgrind: %s", strerror(errno));
		return false;
	}
	(void)setpgid(pid, pid); /* whoever comes first */
	running = pid;
	in_time = wait_for(pid, patience_ms, &status);
	running = 0;
	if (caught)
		return say(why, size, "interrupted");
	if (!in_time) {
		(void)snprintf(why, size, "took longer than %d s under valgrind",
			       (patience_ms + 999) / 1000);
		return false;
	}
	return judge(s, status, out, why, size);
}

static bool prepare(struct start *s, const char *benchmark, char *why, size_t size)
{
	int argc;
	if (!make_folder(s, why, size))
		return false;
	argc = add_options(s);
	return find_own(s, &argc, why, size) && set_environment(s, benchmark, why, size);
}

/* Runs it with the signals that end a program caught, so that the folder can be removed. */
static bool run_guarded(struct start *s, const char *benchmark, int patience_ms,
			struct valgrind_counts *out, char *why, size_t size)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction ours, before[3];
	bool good;
	memset(&ours, 0, sizeof(ours));
	ours.sa_handler = on_signal;
	caught = 0;
	for (size_t i = 0; i < 3; i++) {
		(void)sigaction(numbers[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			(void)sigaction(numbers[i], &ours, NULL);
	}
	good = prepare(s, benchmark, why, size) && run_child(s, patience_ms, out, why, size);
	if (s->folder[0])
		remove_folder(s->folder);
	for (size_t i = 0; i < 3; i++)
		(void)sigaction(numbers[i], &before[i], NULL);
	if (caught)
		(void)raise(caught);
	return good;
}

bool pawl_valgrind_count(const char *benchmark, int patience_ms, struct valgrind_counts *out,
			 char *why, size_t size)
{
	struct start *s = calloc(1, sizeof(*s));
	bool good = false;
	if (!s)
		return say(why, size, "out of memory");
	if (find_valgrind(s, why, size))
		good = run_guarded(s, benchmark, patience_ms, out, why, size);
	free(s->envp);
	free(s);
	return good;
}

#endif
