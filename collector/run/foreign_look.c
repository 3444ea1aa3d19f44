#include "collector/run/foreign_look.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/foreign/ask.h"

#include "lib/base/banned.h"

#define GUESS_MAX_BYTES (256u << 20)

/* What the question makes of the bytes of a file; NULL where they cannot be had. */
static const char *ask_bytes(const char *exe, const char *(*question)(const char *, size_t))
{
	int fd = open(exe, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const char *answer = NULL;
	struct stat st;
	void *bytes;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_size < GUESS_MAX_BYTES) {
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes != MAP_FAILED) {
			answer = question(bytes, (size_t)st.st_size);
			munmap(bytes, (size_t)st.st_size);
		}
	}
	file_close(&fd);
	return answer;
}

enum bench_format foreign_look_guess(const char *exe)
{
	const char *name = ask_bytes(exe, foreign_guess);

	return name ? bench_format_parse(name) : FORMAT_COMMAND;
}

const char *foreign_look_repeater(const char *exe)
{
	return ask_bytes(exe, foreign_repeater);
}

bool foreign_look_alarm(const char *exe)
{
	return ask_bytes(exe, foreign_alarm) != NULL;
}
