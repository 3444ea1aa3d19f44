/*
 * kept - in every program of `make coverage`: what ran is counted in a file, from the first line
 * on.
 *
 * gcov writes its counts at the end of main().  What a process counted that was killed, that left
 * by _exit(), or that became another program would be lost, and the end of each of thousands
 * of short ones would be hundreds of files and as many allocations, in the middle of the loops
 * that let the k-th of those fail.  So the counts themselves (kept.ld puts them side by side) are
 * pages of a file, which all processes of a program share; a count that two of them add to at
 * once may be one too low, never 0.
 *
 * The file is KEPT_FOLDER/BUILD-ID.  A program that is started with PAWL_COVERAGE=write moves what
 * its file has to gcov's own files, and ends.  Where the file cannot be opened the process counts
 * for itself, and nobody learns of it.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern char kept_begin[], kept_end[];
void __gcov_dump(void);
void __wrap___gcov_exit(void);

/* gcov's own end does nothing. */
void __wrap___gcov_exit(void)
{
}

/* Appends the build id of the program, which is what the loader names first, in hexadecimal. */
static int add_build_id(struct dl_phdr_info *info, size_t size, void *path)
{
	char *out = (char *)path + strlen(path);
	size_t i, j;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		const char *at = (const char *)(info->dlpi_addr + h->p_vaddr),
			   *end = at + h->p_memsz;

		while (h->p_type == PT_NOTE && at + sizeof(ElfW(Nhdr)) <= end) {
			const ElfW(Nhdr) *note = (const void *)at;
			const unsigned char *id =
				(const unsigned char *)(note + 1) + ((note->n_namesz + 3) & ~3U);

			for (j = 0; note->n_type == NT_GNU_BUILD_ID && j < note->n_descsz; j++)
				out += snprintf(out, 3, "%02x", id[j]);
			at = (const char *)id + ((note->n_descsz + 3) & ~3U);
		}
	}
	return 1;
}

/* Whether the counts are those of the file.  Other users' processes count, too. */
static bool counts_in_file(const char *path, bool makes_it)
{
	size_t size = (size_t)(kept_end - kept_begin);
	bool result = false;
	struct stat st;
	int fd;

	fd = open(path, O_RDWR | O_CLOEXEC | (makes_it ? O_CREAT : 0), 0666);
	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && ((size_t)st.st_size == size || !ftruncate(fd, (off_t)size))) {
		if (!st.st_size)
			(void)!fchmod(fd, 0666);
		result = mmap(kept_begin, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			      0) != MAP_FAILED;
	}
	close(fd);
	return result;
}

/* After gcov's own constructors (100), before any other. */
__attribute__((constructor(101))) static void begin(void)
{
	const char *asked = getenv("PAWL_COVERAGE");
	char path[sizeof(KEPT_FOLDER) + 256] = KEPT_FOLDER "/";
	bool writes = asked && !strcmp(asked, "write"), kept;

	dl_iterate_phdr(add_build_id, path);
	kept = counts_in_file(path, !writes);
	if (!writes)
		return;
	if (kept) {
		__gcov_dump();
		unlink(path);
	}
	_exit(0);
}
