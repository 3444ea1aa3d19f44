#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/utf8.h"

#include "lib/base/banned.h"

size_t fuzz_n_accepted;
jmp_buf *fuzz_escape;

__attribute__((weak)) const size_t fuzz_cost = 1;
__attribute__((weak)) const bool fuzz_library_leaks = false;

void fuzz_broken(const char *file, int line, const char *claim)
{
	if (fuzz_escape)
		longjmp(*fuzz_escape, 1);
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, claim);
	abort();
}

void fuzz_accept(void)
{
	fuzz_n_accepted++;
}

char *fuzz_string(const uint8_t *data, size_t n)
{
	char *text = malloc(n + 1);

	must(text);
	if (n)
		memcpy(text, data, n);
	text[n] = '\0';
	return text;
}

const char *fuzz_file(const uint8_t *data, size_t n)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		must(fd >= 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	must(!ftruncate(fd, 0) && !lseek(fd, 0, SEEK_SET));
	must(!file_write_fd(fd, path, data, n, NULL));
	return path;
}

bool fuzz_is_plain(const char *text, bool utf8)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t left = strlen(text), len;

	for (; left; p += len, left -= len) {
		len = utf8_length(p, left);
		if (!len || (len > 1 && !utf8) || *p < 0x20 || *p == 0x7f)
			return false;
		if (p[0] == 0xc2 && p[1] < 0xa0) /* U+0080..U+009F */
			return false;
	}
	return true;
}

bool fuzz_is_line(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	for (; *p; p++)
		if (*p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0))
			return false;
	return true;
}
