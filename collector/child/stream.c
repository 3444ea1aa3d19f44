#include "collector/child/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

#define EXPLAINED_LINES 20
#define EXPLAINED_BYTES 4000
#define UNREAD_MOST ((uint64_t)32 * CHILD_OUTPUT_UNREAD)

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

#define SPARES 4 /* two processes, two streams each */

/* A file that is empty again, and who looks at it: to let go of a look takes up to 20 ms. */
static struct spare {
	int fd, opens_fd;
} spares[SPARES];
static int n_spares;

/* Without leave to execute it: newer kernels warn of a file in memory that does not say. */
static int memory_file(int least)
{
	int fd = memfd_create("output", MFD_CLOEXEC | MFD_NOEXEC_SEAL), moved;

	if (fd < 0)
		fd = memfd_create("output", MFD_CLOEXEC);
	if (fd < 0 || fd >= least)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, least);
	file_close(&fd);
	return moved;
}

/* One that is looked at as this stream wants it; whether there was one. */
static bool take_spare(struct stream *s)
{
	int i;

	for (i = n_spares - 1; i >= 0; i--)
		if ((spares[i].opens_fd >= 0) == s->digests) {
			s->fd = spares[i].fd;
			s->opens_fd = spares[i].opens_fd;
			spares[i] = spares[--n_spares];
			return true;
		}
	return false;
}

/* From here on; where the system has no more of these, nobody looks. */
static void look_for_opens(struct stream *s, int least)
{
	char path[32];
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", s->fd);
	if (fd >= 0 && inotify_add_watch(fd, path, IN_OPEN) >= 0)
		s->opens_fd = fcntl(fd, F_DUPFD_CLOEXEC, least);
	file_close(&fd);
}

int stream_open(struct stream *s, int least)
{
	if (take_spare(s))
		return 0;
	s->fd = memory_file(least);
	if (s->fd >= 0 && s->digests)
		look_for_opens(s, least);
	return s->fd < 0 ? -1 : 0;
}

int stream_open_pipe(struct stream *s, int least, int *out_end)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	s->fd = fcntl(fds[0], F_DUPFD_CLOEXEC, least);
	*out_end = fcntl(fds[1], F_DUPFD_CLOEXEC, least);
	file_close(&fds[0]);
	file_close(&fds[1]);
	s->flows = s->fd >= 0 && *out_end >= 0 && !fcntl(s->fd, F_SETFL, O_NONBLOCK);
	return s->flows ? 0 : -1;
}

/* Whether the next one can write to it, whatever this one did to it. */
static bool can_empty(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);

	return seals >= 0 && !(seals & (F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)) &&
	       !ftruncate(fd, 0) && !lseek(fd, 0, SEEK_SET) && !fcntl(fd, F_SETFL, O_RDWR);
}

/* Nobody else has it open any more: who was given it is over, and so is all that it started. */
static void keep_spare(struct stream *s)
{
	if (n_spares < SPARES && !s->was_reopened && can_empty(s->fd)) {
		spares[n_spares++] = (struct spare){ s->fd, s->opens_fd };
		s->fd = s->opens_fd = -1;
	}
	file_close(&s->fd);
	file_close(&s->opens_fd);
}

/* Leaves the last CHILD_OUTPUT_TAIL bytes of the tail. */
static void cut_tail(struct stream *s)
{
	size_t cut;

	if (s->tail.len <= CHILD_OUTPUT_TAIL)
		return;
	cut = s->tail.len - CHILD_OUTPUT_TAIL;
	memmove(s->tail.data, s->tail.data + cut, CHILD_OUTPUT_TAIL);
	buf_truncate(&s->tail, CHILD_OUTPUT_TAIL);
}

/* Keeps the first and the last bytes of a stream; the tail grows to twice its size meanwhile. */
static void keep(struct stream *s, const char *bytes, size_t n)
{
	size_t most = s->head_max ? s->head_max : CHILD_OUTPUT_HEAD;
	size_t room = most - (s->head.len < most ? s->head.len : most);
	size_t first = n < room ? n : room;

	/* Begun with the first byte: most benchmarks print nothing, and it costs 30 us. */
	if (s->digests && !s->n_bytes)
		digest_begin(&s->digest, NULL);
	digest_add(&s->digest, bytes, n);
	s->n_bytes += n;
	buf_add(&s->head, bytes, first);
	bytes += first;
	n -= first;
	if (!n)
		return;
	if (n >= CHILD_OUTPUT_TAIL) {
		buf_reset(&s->tail);
		buf_add(&s->tail, bytes + n - CHILD_OUTPUT_TAIL, CHILD_OUTPUT_TAIL);
		return;
	}
	if (s->tail.len + n > 2 * CHILD_OUTPUT_TAIL)
		cut_tail(s);
	buf_add(&s->tail, bytes, n);
}

static uint64_t unread(const struct stream *s)
{
	struct stat st;

	if (s->fd < 0 || fstat(s->fd, &st) || (uint64_t)st.st_size <= s->n_bytes)
		return 0;
	return (uint64_t)st.st_size - s->n_bytes;
}

bool stream_is_full(const struct stream *s)
{
	return unread(s) > CHILD_OUTPUT_UNREAD;
}

/* What there is, which is more than a pipe holds only in a flood: that hides no deadline. */
static void read_pipe(struct stream *s)
{
	char chunk[65536];
	uint64_t end = s->n_bytes + CHILD_OUTPUT_UNREAD;

	while (s->n_bytes < end) {
		ssize_t n = read(s->fd, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		s->flows = n > 0 || (n < 0 && errno == EAGAIN);
		if (n <= 0)
			return;
		keep(s, chunk, (size_t)n);
	}
}

void stream_read(struct stream *s)
{
	char chunk[65536];
	uint64_t left = unread(s);

	if (s->flows) {
		read_pipe(s);
		return;
	}
	if (left > UNREAD_MOST) {
		s->digests = false;
		s->n_bytes += left - UNREAD_MOST;
		left = UNREAD_MOST;
	}
	while (left) {
		size_t most = left < sizeof(chunk) ? (size_t)left : sizeof(chunk);
		ssize_t n = pread(s->fd, chunk, most, (off_t)s->n_bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		keep(s, chunk, (size_t)n);
		left -= (uint64_t)n;
	}
	if (s->n_bytes)
		fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)s->n_bytes);
}

static void see_opens(struct stream *s)
{
	struct inotify_event event;

	/* One event is enough, and a file that has any is not used again. */
	if (s->opens_fd >= 0 && read(s->opens_fd, &event, sizeof(event)) > 0)
		s->was_reopened = true;
}

void stream_end(struct stream *s)
{
	if (s->fd < 0)
		return;
	stream_read(s);
	see_opens(s);
	cut_tail(s);
	keep_spare(s);
}

bool stream_digest(struct stream *s, char out[CHILD_DIGEST_HEX])
{
	char hex[DIGEST_HEX];

	out[0] = '\0';
	if (!s->digests || s->was_reopened)
		return false;
	if (!s->n_bytes)
		return true;
	if (digest_end(&s->digest, hex, NULL))
		return false;
	memcpy(out, hex, CHILD_DIGEST_HEX - 1);
	out[CHILD_DIGEST_HEX - 1] = '\0';
	return true;
}

/* Where the last lines of a text begin. */
static size_t last_lines(const struct buf *text)
{
	size_t start = text->len, lines = 0;

	while (start > 0 && text->len - start < EXPLAINED_BYTES) {
		if (text->data[start - 1] == '\n' && start < text->len &&
		    ++lines >= EXPLAINED_LINES)
			break;
		start--;
	}
	return start;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Of a line that wrote over itself, a progress line, the last that it wrote. */
static size_t last_written(const char *line, size_t *n)
{
	size_t end = *n, start;

	while (end > 0 && is_blank(line[end - 1]))
		end--;
	for (start = end; start > 0 && line[start - 1] != '\r';)
		start--;
	*n = end - start;
	return start;
}

static size_t span_of(const char *text, size_t n, unsigned char first, unsigned char last)
{
	size_t i = 0;

	while (i < n && (unsigned char)text[i] >= first && (unsigned char)text[i] <= last)
		i++;
	return i;
}

/* Length of the control sequence (ECMA-48, 5.4) that text begins with, a colour mostly; 0: none. */
static size_t sequence_length(const char *text, size_t n)
{
	size_t i = 2;

	if (n < 3 || text[0] != 0x1b || text[1] != '[')
		return 0;
	i += span_of(text + i, n - i, 0x30, 0x3f);
	i += span_of(text + i, n - i, 0x20, 0x2f);
	return span_of(text + i, n - i, 0x40, 0x7e) ? i + 1 : 0;
}

/* Colours go, and what else the program told its terminal in control sequences. */
static void add_printable(const char *text, size_t n, struct buf *out)
{
	for (size_t i = 0, skipped; i < n; i++) {
		unsigned char ch = (unsigned char)text[i];

		skipped = sequence_length(text + i, n - i);
		if (skipped) {
			i += skipped - 1;
			continue;
		}
		buf_addc(out, ch == '\t' || (ch >= 0x20 && ch != 0x7f) ? (char)ch : '?');
	}
}

void stream_last_lines(const struct stream *s, struct buf *out)
{
	struct buf text = BUF_INIT;

	if (s->n_bytes == s->head.len + s->tail.len) /* nothing lies between */
		buf_add(&text, s->head.data, s->head.len);
	buf_add(&text, s->tail.data, s->tail.len);
	for (size_t at = last_lines(&text), n, end; at < text.len; at = end + 1) {
		const char *line = text.data + at;
		const char *stop = memchr(line, '\n', text.len - at);

		n = stop ? (size_t)(stop - line) : text.len - at;
		end = at + n;
		line += last_written(line, &n);
		add_printable(line, n, out);
		buf_addc(out, '\n');
	}
	while (out->len && out->data[out->len - 1] == '\n')
		buf_truncate(out, out->len - 1);
	buf_release(&text);
}

void stream_release(struct stream *s)
{
	if (s->fd >= 0)
		keep_spare(s);
	digest_release(&s->digest);
	buf_release(&s->head);
	buf_release(&s->tail);
}
