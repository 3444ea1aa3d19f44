#include "server/log.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/when.h"
#include "server/http/redact.h"

#include "lib/base/banned.h"

#define MAX_WORD 512

static void add_peer(struct buf *line, const struct sockaddr *peer)
{
	char text[INET6_ADDRSTRLEN] = "-";
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (peer && peer->sa_family == AF_INET) {
		memcpy(&v4, peer, sizeof(v4));
		inet_ntop(AF_INET, &v4.sin_addr, text, sizeof(text));
	} else if (peer && peer->sa_family == AF_INET6) {
		memcpy(&v6, peer, sizeof(v6));
		inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof(text));
	}
	buf_adds(line, text);
}

/* A word as it came, up to a query, its odd bytes as %XX: one line stays one line. */
static void add_word(struct buf *line, const char *word)
{
	struct buf path = BUF_INIT, shown = BUF_INIT;
	const char *text;
	size_t i;

	buf_add(&path, word, strcspn(word, "?"));
	redact(buf_str(&path), &shown);
	line->failed = line->failed || path.failed || shown.failed;
	text = buf_str(&shown);
	for (i = 0; text[i] && i < MAX_WORD; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c > 0x20 && c < 0x7f)
			buf_addc(line, (char)c);
		else
			buf_addf(line, "%%%02X", c);
	}
	buf_release(&path);
	buf_release(&shown);
}

void log_request(int fd, const struct request *r, size_t n_bytes)
{
	struct buf line = BUF_INIT;
	char now[WHEN_ISO];
	ssize_t n;

	if (fd < 0)
		return;
	buf_addf(&line, "%s ", when_iso(when_now_us(), true, now));
	add_peer(&line, request_peer(r));
	buf_addc(&line, ' ');
	/* A method is whatever the client says it is. */
	add_word(&line, r->method);
	buf_addc(&line, ' ');
	add_word(&line, r->target);
	buf_addf(&line, " %u %zu %.1f\n", r->reply.status, n_bytes,
		 (double)(when_monotonic_ns() - r->started_ns) / 1e6);
	if (!line.failed) {
		n = write(fd, line.data, line.len);
		(void)n;
	}
	buf_release(&line);
}
