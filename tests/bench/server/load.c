/*
 * Sends requests over many connections at once, and says how long the answers took.
 *
 * usage: load PORT CLIENTS N FIRST FILE
 *
 * FILE has requests, each behind a line with its length.  Number k of N is one of them in turn, in
 * which eight '#' stand for FIRST + k in eight digits, and "2023-11-14T22:13:20Z" for so many
 * minutes after that.  One that is answered by another status than 2xx is counted, and the first of
 * them shown.
 *
 * It prints: requests a second, milliseconds of the median, the 99th percentile and the slowest,
 * bytes of an answer, and how many failed.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/number.h"
#include "lib/base/when.h"

#define MARK "########"
#define TIME "2023-11-14T22:13:20Z"
#define MOST_PLACES 64
#define ANSWER_MOST (1u << 20)
#define HANGING_MS 60000

struct template
{
	char *text;
	size_t n;
	char *numbers[MOST_PLACES], *times[MOST_PLACES];
	size_t n_numbers, n_times;
};

struct client {
	int fd;
	uint64_t since_ns;
	const struct template *asked; /* NULL: nothing */
	size_t sent;		      /* of it */
	char *copy;		      /* of the request */
	char *answer;
	size_t got, wanted; /* of the answer; 0: not known yet */
};

struct load {
	int poll;
	struct template *templates;
	size_t n_templates, largest;
	uint64_t n, first, n_sent, n_done, n_bad, n_bytes;
	double *took_ms;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void *get(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		die("load");
	return p;
}

static size_t find_all(struct template *t, const char *what, char **out)
{
	size_t n = 0;
	char *p = t->text;

	while (n < MOST_PLACES && (p = strstr(p, what))) {
		out[n++] = p;
		p += strlen(what);
	}
	return n;
}

static void read_templates(struct load *l, const char *path)
{
	FILE *file = fopen(path, "rb");
	char line[32];

	while (file && fgets(line, sizeof(line), file)) {
		struct template *t;

		l->templates = realloc(l->templates, (l->n_templates + 1) * sizeof(*t));
		if (!l->templates)
			die("load");
		t = &l->templates[l->n_templates++];
		t->n = (size_t)strtoul(line, NULL, 10);
		t->text = get(t->n, 1);
		if (fread(t->text, 1, t->n, file) != t->n)
			die(path);
		t->n_numbers = find_all(t, MARK, t->numbers);
		t->n_times = find_all(t, TIME, t->times);
		l->largest = t->n > l->largest ? t->n : l->largest;
	}
	if (!l->n_templates)
		die(path);
	fclose(file);
}

/* Into the client's copy. */
static void write_request(struct client *c, const struct template *t, uint64_t number)
{
	char digits[16], iso[WHEN_ISO];
	size_t i;

	c->asked = t;
	c->sent = c->got = c->wanted = 0;
	memcpy(c->copy, t->text, t->n);
	snprintf(digits, sizeof(digits), "%08llu", (unsigned long long)number % 100000000);
	when_iso((int64_t)(1700000000 + 60 * number) * 1000000, false, iso);
	for (i = 0; i < t->n_numbers; i++)
		memcpy(c->copy + (t->numbers[i] - t->text), digits, strlen(MARK));
	for (i = 0; i < t->n_times; i++)
		memcpy(c->copy + (t->times[i] - t->text), iso, strlen(TIME));
}

/* As much as goes; the rest when there is room. */
static void push(struct load *l, struct client *c)
{
	struct epoll_event e = { .data.ptr = c };
	ssize_t n =
		send(c->fd, c->copy + c->sent, c->asked->n - c->sent, MSG_NOSIGNAL | MSG_DONTWAIT);

	c->sent += n > 0 ? (size_t)n : 0;
	e.events = c->sent < c->asked->n ? EPOLLIN | EPOLLOUT : EPOLLIN;
	if (epoll_ctl(l->poll, EPOLL_CTL_MOD, c->fd, &e))
		die("epoll_ctl");
}

static void ask_next(struct load *l, struct client *c)
{
	c->asked = NULL;
	if (l->n_sent == l->n)
		return;
	write_request(c, &l->templates[l->n_sent % l->n_templates], l->first + l->n_sent);
	l->n_sent++;
	c->since_ns = when_monotonic_ns();
	push(l, c);
}

/* Whether all of it is here. */
static bool is_whole(struct client *c)
{
	const char *end, *length;

	c->answer[c->got] = '\0';
	if (!c->wanted) {
		end = strstr(c->answer, "\r\n\r\n");
		length = end ? strcasestr(c->answer, "content-length:") : NULL;
		if (!length || length > end)
			return false;
		c->wanted = (size_t)(end + 4 - c->answer) + strtoul(length + 15, NULL, 10);
	}
	return c->got >= c->wanted;
}

static void pull(struct load *l, struct client *c)
{
	ssize_t n = recv(c->fd, c->answer + c->got, ANSWER_MOST - c->got, 0);

	if (n <= 0 && !c->asked) {
		/* A server may close a connection on which nothing is asked. */
		epoll_ctl(l->poll, EPOLL_CTL_DEL, c->fd, NULL);
		close(c->fd);
		return;
	}
	if (n <= 0) {
		fprintf(stderr, "load: closed after %llu answers, %zu of %zu bytes sent\n",
			(unsigned long long)l->n_done, c->sent, c->asked->n);
		exit(1);
	}
	c->got += (size_t)n;
	if (!is_whole(c))
		return;
	if (c->answer[9] != '2' && !l->n_bad++)
		fprintf(stderr, "%s\n", c->answer);
	l->n_bytes += c->got;
	l->took_ms[l->n_done++] = (double)(when_monotonic_ns() - c->since_ns) / 1e6;
	ask_next(l, c);
}

static void open_client(struct load *l, struct client *c, uint16_t port)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct epoll_event e = { .events = EPOLLIN, .data.ptr = c };
	int yes = 1;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->fd = socket(AF_INET, SOCK_STREAM, 0);
	if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&to, sizeof(to)) ||
	    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) ||
	    epoll_ctl(l->poll, EPOLL_CTL_ADD, c->fd, &e))
		die("load: connect");
	c->copy = get(l->largest, 1);
	c->answer = get(ANSWER_MOST, 1);
}

static void run(struct load *l)
{
	struct epoll_event events[64];
	int n, i;

	while (l->n_done < l->n) {
		n = epoll_wait(l->poll, events, 64, HANGING_MS);
		if (n <= 0)
			die("load: no answer");
		for (i = 0; i < n; i++) {
			struct client *c = events[i].data.ptr;

			if (events[i].events & EPOLLOUT)
				push(l, c);
			if (events[i].events & ~(uint32_t)EPOLLOUT)
				pull(l, c);
		}
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static uint64_t number(const char *text)
{
	uint64_t n = 0;

	if (!number_u64(text, &n)) {
		fprintf(stderr, "load: '%s' is no number\n", text);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	struct load l = { .poll = epoll_create1(0) };
	struct client *clients;
	uint64_t n_clients, i, start;

	if (argc != 6) {
		fprintf(stderr, "usage: load PORT CLIENTS N FIRST FILE\n");
		return 2;
	}
	n_clients = number(argv[2]);
	l.n = number(argv[3]);
	l.first = number(argv[4]);
	read_templates(&l, argv[5]);
	l.took_ms = get(l.n, sizeof(*l.took_ms));
	clients = get(n_clients, sizeof(*clients));
	for (i = 0; i < n_clients; i++)
		open_client(&l, &clients[i], (uint16_t)number(argv[1]));
	start = when_monotonic_ns();
	for (i = 0; i < n_clients; i++)
		ask_next(&l, &clients[i]);
	run(&l);
	start = when_monotonic_ns() - start;
	qsort(l.took_ms, l.n, sizeof(*l.took_ms), by_value);
	printf("%.0f %.2f %.2f %.2f %llu %llu\n", (double)l.n / ((double)start / 1e9),
	       l.took_ms[l.n / 2], l.took_ms[l.n * 99 / 100], l.took_ms[l.n - 1],
	       (unsigned long long)(l.n_bytes / l.n), (unsigned long long)l.n_bad);
	return l.n_bad ? 1 : 0;
}
