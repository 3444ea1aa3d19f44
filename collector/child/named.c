#include "collector/child/named.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/child/named_call.h"
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

/* By its name: "libm.so.6". */
static bool is_library(const char *path)
{
	return strstr(path_base(path), ".so") != NULL;
}

/* Whether the path is to be noted. */
static bool is_asked(const struct named_files *f, const char *path, const char *folder)
{
	if (f->only)
		return str_below(path, f->only) || is_library(path);
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
	else if (f->has_started && !strv_has(&f->late, path) && strv_add(&f->late, path, NULL))
		f->is_more = f->is_full = true;
}

/* By what the system shows of processes it may come to any file: "/proc/self/cwd/data". */
static bool leads_on(const char *path)
{
	const char *fd = str_starts(path, "/dev/fd/") ? path + 4
			 : str_starts(path, "/proc/") ? strstr(path, "/fd/")
						      : NULL;

	if (fd && strchr(fd + strlen("/fd/"), '/'))
		return true;
	return str_starts(path, "/proc/") && (strstr(path, "/cwd/") || strstr(path, "/root/"));
}

static void note(struct named_files *f, pid_t pid, int which, const char *folder)
{
	struct buf path = BUF_INIT;
	enum named_asks asks = named_call(pid, which, &path);
	const char *text = buf_str(&path);

	f->is_full = f->is_full || asks == NAMED_UNSEEN || (asks == NAMED_A_PATH && leads_on(text));
	f->is_of_image = f->is_of_image || (asks == NAMED_A_PATH && is_of_image(text));
	if (asks == NAMED_UNKNOWN || path.failed || (asks == NAMED_A_LIST && !is_of_machine(text)))
		f->is_more = true;
	else if (asks == NAMED_A_PATH && is_asked(f, text, folder))
		note_path(f, text);
	buf_release(&path);
}

void named_note(struct named_files *f, pid_t pid, const char *folder)
{
	f->n_told++;
	f->is_full = f->is_full || named_call_is_foreign(pid);
	note(f, pid, 0, folder);
	note(f, pid, 1, folder);
}

void named_note_program(struct named_files *f, pid_t pid, const char *folder)
{
	char name[64], path[4097];
	ssize_t n;

	if (!f)
		return;
	f->starts = true;
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
	strv_release(&f->late);
}
