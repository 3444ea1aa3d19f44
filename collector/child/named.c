#include "collector/child/named.h"

#include <ctype.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define FILES_MOST 1000

/*
 * What the machine shows of itself, its times and how it is set: all that is recorded is of one
 * machine, and clocks nobody sees anyway.
 */
static bool is_of_machine(const char *path)
{
	static const char *const files[] = {
		"/proc/cpuinfo", "/proc/stat", "/proc/thread-self/schedstat",
		"/dev/null",	 "/dev/zero",  "/dev/full",
		"/dev/tty"
	};
	static const char *const folders[] = { "/proc/sys/kernel/", "/sys/devices/system/",
					       "/sys/bus/event_source/" };

	if (strstr(path, "/.."))
		return false; /* it may lead out of there */
	if (STR_IS_ONE_OF(path, files))
		return true;
	return STR_STARTS_ONE_OF(path, folders);
}

enum asks { ASKS_A_PATH, ASKS_NOTHING, ASKS_UNKNOWN };

#if defined(__x86_64__)

#define X32_CALLS 0x40000000 /* another numbering */
#define LONG_MODE 0x33	     /* the code segment of programs of 64 bits */
#define PATH_MOST 4096

#define STOP BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE)
#define STOPS(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), STOP

/* On a stack without a shadow: see child.c. */
__attribute__((no_sanitize_address)) void named_exec(const char *exe, char *const argv[],
						     char *const env[])
{
	static struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
		STOP,
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
		STOP,
		STOPS(SYS_chdir), /* and by which way it came into a folder */
		STOPS(SYS_execve),
		STOPS(SYS_open),
		STOPS(SYS_openat),
		STOPS(SYS_openat2),
		STOPS(SYS_stat),
		STOPS(SYS_lstat),
		STOPS(SYS_newfstatat),
		STOPS(SYS_statx),
		STOPS(SYS_access),
		STOPS(SYS_faccessat),
		STOPS(SYS_faccessat2),
		STOPS(SYS_readlink),
		STOPS(SYS_readlinkat),
		STOPS(SYS_statfs),
		STOPS(SYS_getxattr),
		STOPS(SYS_lgetxattr),
		/* what has no path */
		STOPS(SYS_getdents),
		STOPS(SYS_getdents64),
		STOPS(SYS_listxattr),
		STOPS(SYS_llistxattr),
		STOPS(SYS_name_to_handle_at),
		STOPS(SYS_socket), /* who is sent to needs no connection */
		STOPS(SYS_connect),
		STOPS(SYS_bind),
		STOPS(SYS_shmget),
		STOPS(SYS_mq_open),
		STOPS(SYS_msgget),
		STOPS(SYS_semget),
		STOPS(SYS_open_by_handle_at),
		STOPS(SYS_io_uring_setup),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof(steps) / sizeof(steps[0]), steps };

	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
	/* nobody answers for a call that stops before the program is there: one that does not */
	syscall(SYS_execveat, AT_FDCWD, exe, argv, env, 0);
}

/* A text of the thread's memory; false: there is none, and the call fails. */
static bool read_text(pid_t pid, unsigned long long at, char text[PATH_MOST])
{
	char name[64];
	ssize_t n = -1;
	int fd;

	snprintf(name, sizeof(name), "/proc/%ld/mem", (long)pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		n = pread(fd, text, PATH_MOST, (off_t)at);
	file_close(&fd);
	return n > 0 && memchr(text, 0, (size_t)n);
}

/* The folder that a path is relative to; as the system calls it. */
static bool add_folder(pid_t pid, int fd, struct buf *out)
{
	char name[64], path[PATH_MOST];
	ssize_t n;

	if (fd == AT_FDCWD)
		snprintf(name, sizeof(name), "/proc/%ld/cwd", (long)pid);
	else
		snprintf(name, sizeof(name), "/proc/%ld/fd/%d", (long)pid, fd);
	n = readlink(name, path, sizeof(path));
	if (n <= 0 || n == sizeof(path) || *path != '/')
		return false;
	buf_add(out, path, (size_t)n);
	buf_addc(out, '/');
	return true;
}

/* What it asks for, absolute. */
static enum asks asks_for(pid_t pid, struct buf *out)
{
	struct user_regs_struct regs;
	char text[PATH_MOST];
	int folder = AT_FDCWD;
	unsigned long long at;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) || regs.cs != LONG_MODE)
		return ASKS_UNKNOWN;
	switch (regs.orig_rax) {
	case SYS_chdir:
	case SYS_execve:
	case SYS_open:
	case SYS_stat:
	case SYS_lstat:
	case SYS_access:
	case SYS_readlink:
	case SYS_statfs:
	case SYS_getxattr:
	case SYS_lgetxattr:
		at = regs.rdi;
		break;
	case SYS_openat:
	case SYS_openat2:
	case SYS_newfstatat:
	case SYS_statx:
	case SYS_faccessat:
	case SYS_faccessat2:
	case SYS_readlinkat:
		folder = (int)regs.rdi;
		at = regs.rsi;
		break;
	case SYS_getdents:
	case SYS_getdents64:
		return add_folder(pid, (int)regs.rdi, out) && is_of_machine(buf_str(out))
			       ? ASKS_NOTHING
			       : ASKS_UNKNOWN;
	default:
		return ASKS_UNKNOWN;
	}
	if (!read_text(pid, at, text) || !*text) /* of a descriptor alone: it was opened before */
		return ASKS_NOTHING;
	if (*text != '/' && !add_folder(pid, folder, out))
		return ASKS_UNKNOWN;
	buf_adds(out, text);
	return ASKS_A_PATH;
}

#else

void named_exec(const char *exe, char *const argv[], char *const env[])
{
	execve(exe, argv, env);
}

static enum asks asks_for(pid_t pid, struct buf *out)
{
	(void)pid;
	(void)out;
	return ASKS_UNKNOWN;
}

#endif

/* Devices; in its folder for files in memory only what we run from there ourselves. */
static bool is_device(const char *path)
{
	const char *in_memory = str_below(path, "/dev/shm");

	if (!in_memory)
		return str_starts(path, "/dev/");
	return str_starts(in_memory, "pawl-") && isdigit((unsigned char)in_memory[5]);
}

/* Whether a look at the file tells whether it is another one. */
static bool is_file(const char *path)
{
	return !str_starts(path, "/proc/") && !str_starts(path, "/sys/") && !is_device(path) &&
	       !strchr(path, '\n');
}

/* Of the files of a process those that tell where its parts lie, how large they are, or hold them.
 */
static bool is_of_image(const char *path)
{
	static const char *const files[] = { "maps",  "smaps",	 "smaps_rollup", "numa_maps",
					     "statm", "status",	 "stat",	 "auxv",
					     "mem",   "pagemap", "map_files",	 "exe" };

	if (!str_starts(path, "/proc/") || !strcmp(path, "/proc/stat"))
		return false;
	if (STR_IS_ONE_OF(path_base(path), files))
		return true;
	return strstr(path, "/map_files/") || strstr(path, "/..");
}

/* Whether the path is to be noted. */
static bool is_asked(const struct named_files *f, const char *path, const char *folder)
{
	if (f->only)
		return str_below(path, f->only) != NULL;
	return !is_of_machine(path) &&
	       (f->everywhere || !folder || strstr(path, "/..") || !str_below(path, folder));
}

static void note_path(struct named_files *f, const char *path)
{
	bool is_new = is_file(path) && !strv_has(&f->paths, path);

	if (!is_file(path))
		f->is_more = true;
	else if (is_new && (f->paths.n >= FILES_MOST || strv_add(&f->paths, path, NULL)))
		f->is_more = f->is_full = true;
}

void named_note(struct named_files *f, pid_t pid, const char *folder)
{
	struct buf path = BUF_INIT;
	enum asks asks = asks_for(pid, &path);
	const char *text = buf_str(&path);

	f->n_told++;
	f->is_of_image = f->is_of_image || (asks == ASKS_A_PATH && is_of_image(text));
	if (asks == ASKS_UNKNOWN || path.failed)
		f->is_more = true;
	else if (asks == ASKS_A_PATH && is_asked(f, text, folder))
		note_path(f, text);
	buf_release(&path);
}

void named_note_program(struct named_files *f, pid_t pid, const char *folder)
{
	char name[64], path[4097];
	ssize_t n;

	if (!f)
		return;
	snprintf(name, sizeof(name), "/proc/%ld/exe", (long)pid);
	n = readlink(name, path, sizeof(path) - 1);
	if (n <= 0) {
		f->is_more = true;
		return;
	}
	path[n] = '\0';
	if (is_asked(f, path, folder))
		note_path(f, path);
}

/* What tells a file from another one, and it with what it links to. */
static void add_state(const char *path, struct buf *out)
{
	struct stat s;

	buf_addf(out, "%ld.%09ld", !lstat(path, &s) ? (long)s.st_mtim.tv_sec : -1,
		 !lstat(path, &s) ? s.st_mtim.tv_nsec : 0);
	if (!stat(path, &s))
		/* who writes into a file may set the time of that back, but not of its change */
		buf_addf(out, ",%llu,%llu,%llu,%o,%lld.%09ld,%lld.%09ld",
			 (unsigned long long)s.st_dev, (unsigned long long)s.st_ino,
			 (unsigned long long)s.st_size, (unsigned)s.st_mode,
			 (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec,
			 (long long)s.st_ctim.tv_sec, s.st_ctim.tv_nsec);
}

int named_files_states(const struct named_files *f, struct strv *out, struct err *err)
{
	struct buf line = BUF_INIT;
	int result = 0;
	size_t i;

	for (i = 0; !result && i < f->paths.n; i++) {
		buf_reset(&line);
		add_state(f->paths.v[i], &line);
		buf_addf(&line, " %s", f->paths.v[i]);
		result = strv_take(out, &line, err);
	}
	buf_release(&line);
	return result;
}

/* Whether the file of such a line is as it was. */
bool named_is_as_it_was(const char *line)
{
	const char *path = strchr(line, ' ');
	struct buf now = BUF_INIT;
	bool same;

	if (!path)
		return false;
	add_state(path + 1, &now);
	same = !now.failed && now.len == (size_t)(path - line) && !memcmp(now.data, line, now.len);
	buf_release(&now);
	return same;
}

void named_files_release(struct named_files *f)
{
	strv_release(&f->paths);
}
