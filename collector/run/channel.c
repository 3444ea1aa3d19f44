#include "collector/run/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/banned.h"

void channel_init(struct channel *ch, struct child *child)
{
	memset(ch, 0, sizeof(*ch));
	ch->child = child;
}

void channel_release(struct channel *ch)
{
	buf_release(&ch->pending);
}

/* Receives what is there; sets at_end when the other side closed. */
static int receive(struct channel *ch, struct err *err)
{
	char chunk[16384];
	ssize_t n = recv(ch->child->record_fd, chunk, sizeof(chunk), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0) {
		ch->at_end = true;
		return 0;
	}
	ch->n_bytes += (size_t)n;
	if (ch->n_bytes > CHANNEL_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "wrote more than %u bytes of records",
			       CHANNEL_MAX_BYTES);
	buf_add(&ch->pending, chunk, (size_t)n);
	return buf_check(&ch->pending, err);
}

/* Waits for more bytes; the child may end meanwhile, its last lines are still there then. */
static int more(struct channel *ch, struct err *err)
{
	switch (child_poll(ch->child, true)) {
	case CHILD_RECORD:
		return receive(ch, err);
	case CHILD_DONE:
		if (receive(ch, err))
			return -1;
		ch->at_end = true;
		return 0;
	case CHILD_TIMEOUT:
		return err_set(err, ERR_TIMEOUT, "ran longer than its timeout");
	case CHILD_STOPPED:
	default:
		return err_stopped(err);
	}
}

int channel_next(struct channel *ch, struct line *out, bool *out_more, struct err *err)
{
	const char *start, *end;

	for (;;) {
		size_t left = ch->pending.len - ch->at;

		start = buf_str(&ch->pending) + ch->at;
		end = memchr(start, '\n', left);
		if (end)
			break;
		if (left > LINE_MAX_BYTES)
			return err_set(err, ERR_LIMIT, "wrote a record line of more than %u bytes",
				       LINE_MAX_BYTES);
		if (ch->at_end && left)
			return err_set(err, ERR_SYNTAX, "broken record: the last line has no end");
		if (ch->at_end) {
			*out_more = false;
			return 0;
		}
		if (ch->at) {
			memmove(ch->pending.data, start, left);
			buf_truncate(&ch->pending, left);
			ch->at = 0;
		}
		if (more(ch, err))
			return -1;
	}
	ch->at += (size_t)(end - start) + 1;
	*out_more = true;
	if (line_parse(start, (size_t)(end - start), out, err))
		return err_in(err, "broken record");
	return 0;
}

int channel_send(struct channel *ch, const char *at, size_t n, struct err *err)
{
	while (n) {
		ssize_t sent = send(ch->child->record_fd, at, n, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return err_sys(err, ERR_CHILD, "the program went away");
		at += sent;
		n -= (size_t)sent;
	}
	return 0;
}

int channel_turn(struct channel *ch, struct err *err)
{
	return channel_send(ch, "g", 1, err);
}
