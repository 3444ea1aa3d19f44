#include "server/log.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/jsonw.h"
#include "lib/base/runner.h"
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

		if (c > 0x20 && c < 0x7f && !runner_is_hash(text, text + i))
			buf_addc(line, (char)c);
		else
			buf_addf(line, "%%%02X", c);
	}
	buf_release(&path);
	buf_release(&shown);
}

/* Not its secret; of a signed one whose project it is for.  "": none that was valid. */
static void add_token(struct buf *out, const struct request *r)
{
	if (!r->has_token)
		return;
	if (r->grant.project)
		buf_addf(out, "signed:%s", r->grant.project);
	else
		buf_adds(out, r->token.id);
}

static void write_text(const struct request *r, size_t n_bytes, double ms, struct buf *line)
{
	struct buf token = BUF_INIT;
	char now[WHEN_ISO];

	buf_addf(line, "%s ", when_iso(when_now_us(), true, now));
	add_peer(line, request_peer(r));
	buf_addc(line, ' ');
	/* A method is whatever the client says it is. */
	add_word(line, r->method);
	buf_addc(line, ' ');
	add_word(line, r->target);
	buf_addf(line, " %u %zu %.1f %s ", r->reply.status, n_bytes, ms, r->id);
	add_token(&token, r);
	add_word(line, token.len ? buf_str(&token) : "-");
	line->failed = line->failed || token.failed;
	buf_release(&token);
}

static void kadd(struct jsonw *w, const char *key, struct buf *text)
{
	jsonw_kstring(w, key, text->len ? buf_str(text) : NULL);
	w->out->failed = w->out->failed || text->failed;
	buf_release(text);
}

static void write_json(const struct request *r, size_t n_bytes, double ms, struct buf *line)
{
	struct buf text = BUF_INIT;
	struct jsonw w;
	char now[WHEN_ISO];

	jsonw_init(&w, line, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "time", when_iso(when_now_us(), true, now));
	jsonw_kstring(&w, "request", r->id);
	add_token(&text, r);
	kadd(&w, "token", &text);
	add_peer(&text, request_peer(r));
	kadd(&w, "address", &text);
	add_word(&text, r->method);
	kadd(&w, "method", &text);
	add_word(&text, r->target);
	kadd(&w, "path", &text);
	jsonw_kinteger(&w, "status", r->reply.status);
	jsonw_kinteger(&w, "bytes", (int64_t)n_bytes);
	jsonw_key(&w, "ms");
	jsonw_number(&w, ms);
	jsonw_object_end(&w);
}

void log_request(const struct server_options *o, const struct request *r, size_t n_bytes)
{
	double ms = (double)(when_monotonic_ns() - r->started_ns) / 1e6;
	struct buf line = BUF_INIT;
	ssize_t n;

	if (o->log_fd < 0)
		return;
	if (o->log_json)
		write_json(r, n_bytes, ms, &line);
	else
		write_text(r, n_bytes, ms, &line);
	buf_addc(&line, '\n');
	if (!line.failed) {
		n = write(o->log_fd, line.data, line.len);
		(void)n;
	}
	buf_release(&line);
}
