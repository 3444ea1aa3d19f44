#include "collector/child/named_call.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/user.h>
#include <unistd.h>

#include "collector/child/named.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#if defined(__x86_64__)

#define X32_CALLS 0x40000000 /* another numbering */
#define LONG_MODE 0x33	     /* the code segment of programs of 64 bits */
#define PATH_MOST 4096
#define SOCKET_KINDS 0xf /* of a socket's type: the rest is flags */

#ifndef SYS_mount_setattr /* Linux 5.12 */
#define SYS_mount_setattr 442
#endif
#ifndef SYS_fchmodat2 /* Linux 6.6 */
#define SYS_fchmodat2 452
#endif

#define FOREIGN 1 /* what a stop says of a call by another numbering */

#define STOP BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE)
#define STOP_FOREIGN BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | FOREIGN)
#define STOPS(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), STOP

/* What is asked for by them has no path, or one from another root; and after some all paths are
 * others. */
#define UNSEEN(X) \
	X(SYS_io_uring_setup) \
	X(SYS_openat2) \
	X(SYS_chroot) \
	X(SYS_pivot_root) \
	X(SYS_mount) \
	X(SYS_umount2) \
	X(SYS_unshare) \
	X(SYS_setns) \
	X(SYS_open_tree) \
	X(SYS_move_mount) \
	X(SYS_fspick) \
	X(SYS_mount_setattr) \
	X(SYS_fanotify_mark)
#define STOPS_TOO(number) STOPS(number),
#define CASE(number) case number:

/* On a stack without a shadow: see child.c. */
__attribute__((no_sanitize_address)) void named_exec(const char *exe, char *const argv[],
						     char *const env[])
{
	static struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
		STOP_FOREIGN,
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
		STOP_FOREIGN,
		STOPS(SYS_chdir), /* and by which way it came into a folder */
		STOPS(SYS_execve),
		STOPS(SYS_open),
		STOPS(SYS_openat),
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
		/* who makes, moves or changes a file is told whether there is one */
		STOPS(SYS_creat),
		STOPS(SYS_mkdir),
		STOPS(SYS_mkdirat),
		STOPS(SYS_mknod),
		STOPS(SYS_mknodat),
		STOPS(SYS_link),
		STOPS(SYS_linkat),
		STOPS(SYS_symlink),
		STOPS(SYS_symlinkat),
		STOPS(SYS_rename),
		STOPS(SYS_renameat),
		STOPS(SYS_renameat2),
		STOPS(SYS_unlink),
		STOPS(SYS_unlinkat),
		STOPS(SYS_rmdir),
		STOPS(SYS_truncate),
		STOPS(SYS_chmod),
		STOPS(SYS_fchmodat),
		STOPS(SYS_fchmodat2),
		STOPS(SYS_chown),
		STOPS(SYS_lchown),
		STOPS(SYS_fchownat),
		STOPS(SYS_utime),
		STOPS(SYS_utimes),
		STOPS(SYS_futimesat),
		STOPS(SYS_utimensat),
		STOPS(SYS_setxattr),
		STOPS(SYS_lsetxattr),
		STOPS(SYS_removexattr),
		STOPS(SYS_lremovexattr),
		STOPS(SYS_inotify_add_watch),
		STOPS(SYS_listxattr),
		STOPS(SYS_llistxattr),
		STOPS(SYS_name_to_handle_at),
		/* what has no path */
		STOPS(SYS_getdents),
		STOPS(SYS_getdents64),
		STOPS(SYS_socket), /* who is sent to needs no connection */
		STOPS(SYS_socketpair),
		STOPS(SYS_connect),
		STOPS(SYS_bind),
		STOPS(SYS_shmget),
		STOPS(SYS_mq_open),
		STOPS(SYS_msgget),
		STOPS(SYS_semget),
		STOPS(SYS_open_by_handle_at),
		UNSEEN(STOPS_TOO) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof(steps) / sizeof(steps[0]), steps };

	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
	/* nobody answers for a call that stops before the program is there: one that does not */
	syscall(SYS_execveat, AT_FDCWD, exe, argv, env, 0);
}

/* Of the thread's memory. */
static ssize_t read_memory(pid_t pid, unsigned long long at, void *out, size_t most)
{
	char name[64];
	ssize_t n = -1;
	int fd;

	snprintf(name, sizeof(name), "/proc/%ld/mem", (long)pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		n = pread(fd, out, most, (off_t)at);
	file_close(&fd);
	return n;
}

/* A text there; false: there is none, and the call fails. */
static bool read_text(pid_t pid, unsigned long long at, char text[PATH_MOST])
{
	ssize_t n = read_memory(pid, at, text, PATH_MOST);

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

/* One of the paths of a call: where it stands, and what it is relative to. */
struct asked {
	int folder;
	unsigned long long at; /* 0: there is none */
};

/* Those that a call has, one or two; NAMED_UNKNOWN: none that is known. */
static enum named_asks paths_of(const struct user_regs_struct *r, struct asked out[2])
{
	out[0] = out[1] = (struct asked){ AT_FDCWD, 0 };
	switch (r->orig_rax) {
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
	case SYS_creat:
	case SYS_mkdir:
	case SYS_mknod:
	case SYS_unlink:
	case SYS_rmdir:
	case SYS_truncate:
	case SYS_chmod:
	case SYS_chown:
	case SYS_lchown:
	case SYS_utime:
	case SYS_utimes:
	case SYS_setxattr:
	case SYS_lsetxattr:
	case SYS_removexattr:
	case SYS_lremovexattr:
	case SYS_listxattr:
	case SYS_llistxattr:
		out[0].at = r->rdi;
		return NAMED_A_PATH;
	case SYS_openat:
	case SYS_newfstatat:
	case SYS_statx:
	case SYS_faccessat:
	case SYS_faccessat2:
	case SYS_readlinkat:
	case SYS_mkdirat:
	case SYS_mknodat:
	case SYS_unlinkat:
	case SYS_fchmodat:
	case SYS_fchmodat2:
	case SYS_fchownat:
	case SYS_futimesat:
	case SYS_utimensat:
	case SYS_name_to_handle_at:
		out[0] = (struct asked){ (int)r->rdi, r->rsi };
		return NAMED_A_PATH;
	case SYS_link:
	case SYS_rename:
		out[1].at = r->rdi;
		out[0].at = r->rsi;
		return NAMED_A_PATH;
	case SYS_linkat:
	case SYS_renameat:
	case SYS_renameat2:
		out[0] = (struct asked){ (int)r->rdi, r->rsi };
		out[1] = (struct asked){ (int)r->rdx, r->r10 };
		return NAMED_A_PATH;
	case SYS_symlink: /* what it leads to is looked at by nobody */
	case SYS_inotify_add_watch:
		out[0].at = r->rsi;
		return NAMED_A_PATH;
	case SYS_symlinkat:
		out[0] = (struct asked){ (int)r->rsi, r->rdx };
		return NAMED_A_PATH;
	default:
		return NAMED_UNKNOWN;
	}
}

static enum named_asks take_path(pid_t pid, int folder, const char *text, struct buf *out)
{
	if (*text != '/' && !add_folder(pid, folder, out))
		return NAMED_UNKNOWN;
	buf_adds(out, text);
	return NAMED_A_PATH;
}

/* What it asks for by one of them, absolute. */
static enum named_asks read_path(pid_t pid, const struct asked *a, struct buf *out)
{
	char text[PATH_MOST];

	/* none, or of a descriptor alone: it was opened before */
	if (!a->at || !read_text(pid, a->at, text) || !*text)
		return NAMED_NOTHING;
	return take_path(pid, a->folder, text, out);
}

/* Packets go to any path, in calls that do not stop. */
static bool sends_to_paths(const struct user_regs_struct *r)
{
	return (r->orig_rax == SYS_socket || r->orig_rax == SYS_socketpair) &&
	       (int)r->rdi == AF_UNIX && ((int)r->rsi & SOCKET_KINDS) == SOCK_DGRAM;
}

/*
 * A socket in a folder is a path; who listens there is not known.  Others, and those of a name
 * that is no path, have none.
 */
static enum named_asks read_socket(pid_t pid, const struct user_regs_struct *r, struct buf *out)
{
	struct sockaddr_un address;
	char text[sizeof(address.sun_path) + 1] = "";
	size_t before = offsetof(struct sockaddr_un, sun_path), n = (size_t)r->rdx;

	memset(&address, 0, sizeof(address));
	if (n <= before || n > sizeof(address) ||
	    read_memory(pid, r->rsi, &address, n) != (ssize_t)n || address.sun_family != AF_UNIX ||
	    !address.sun_path[0])
		return NAMED_UNKNOWN;
	memcpy(text, address.sun_path, n - before);
	return take_path(pid, AT_FDCWD, text, out);
}

static bool is_of_sockets(const struct user_regs_struct *r)
{
	return r->orig_rax == SYS_connect || r->orig_rax == SYS_bind;
}

static bool is_unseen(const struct user_regs_struct *r)
{
	if (sends_to_paths(r))
		return true;
	switch (r->orig_rax) {
		UNSEEN(CASE)
		return true;
	default:
		return false;
	}
}

enum named_asks named_call(pid_t pid, int which, struct buf *out)
{
	struct user_regs_struct regs;
	struct asked paths[2];

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) || regs.cs != LONG_MODE)
		return NAMED_UNKNOWN;
	if (paths_of(&regs, paths) == NAMED_A_PATH)
		return read_path(pid, &paths[which], out);
	if (is_of_sockets(&regs))
		return which ? NAMED_UNKNOWN : read_socket(pid, &regs, out);
	if (which)
		return NAMED_NOTHING;
	if (is_unseen(&regs))
		return NAMED_UNSEEN;
	if (regs.orig_rax == SYS_socketpair)
		return NAMED_NOTHING;
	if (regs.orig_rax != SYS_getdents && regs.orig_rax != SYS_getdents64)
		return NAMED_UNKNOWN;
	return add_folder(pid, (int)regs.rdi, out) ? NAMED_A_LIST : NAMED_UNKNOWN;
}

bool named_call_is_foreign(pid_t pid)
{
	unsigned long says = 0;

	return ptrace(PTRACE_GETEVENTMSG, pid, NULL, &says) || says == FOREIGN;
}

#else

void named_exec(const char *exe, char *const argv[], char *const env[])
{
	execve(exe, argv, env);
}

enum named_asks named_call(pid_t pid, int which, struct buf *out)
{
	(void)pid;
	(void)which;
	(void)out;
	return NAMED_UNKNOWN;
}

bool named_call_is_foreign(pid_t pid)
{
	(void)pid;
	return true;
}

#endif
