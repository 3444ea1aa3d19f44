#include "server/server.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "lib/base/when.h"
#include "lib/record/ulid.h"
#include "server/http.h"

#include "lib/base/banned.h"

/* Five times as long a large body may wait for the others. */
#define LARGE_NS 6000000000u
/* How long a request that is being received may still take once we are asked to end. */
#define GRACE_NS 5000000000u

static int check_address(const struct server *s, struct err *err)
{
	const struct server_options *o = &s->options;

	if (o->no_auth && o->oidc)
		return err_set(err, ERR_USAGE,
			       "with --no-auth nobody would look at what --oidc asks");
	if (o->no_auth && o->behind_proxy)
		return err_set(err, ERR_USAGE,
			       "--no-auth and --behind-proxy together would let everybody write");
	if (s->address.loopback)
		return 0;
	if (o->no_auth)
		return err_set(err, ERR_USAGE, "--no-auth is accepted on a loopback address only");
	if (o->behind_proxy)
		return 0;
	err_set(err, ERR_USAGE, "'%s' can be reached from outside, and pawld speaks no TLS",
		o->listen);
	return err_hint(err, "put a proxy that does in front and say --behind-proxy");
}

static int open_fronts(struct server *s, struct err *err)
{
	int fds[SERVER_FRONTS];
	size_t i;

	for (i = 0; i < SERVER_FRONTS; i++) {
		s->fronts[i].server = s;
		s->fronts[i].number = (unsigned)i;
		if (ledger_open(s->options.store, LEDGER_READ, &s->fronts[i].reader, err))
			return -1;
	}
	if (listen_open(&s->address, fds, SERVER_FRONTS, err))
		return -1;
	for (i = 0; i < SERVER_FRONTS; i++)
		s->fronts[i].fd = fds[i];
	for (i = 0; i < SERVER_FRONTS; i++)
		if (http_start(&s->fronts[i], err))
			return -1;
	listen_url(&s->address, s->url, sizeof(s->url));
	return 0;
}

/*
 * Blocks of so many bytes and more go back to the system when they are freed.  glibc raises that
 * bound with the first large body, to 32 MiB: eight hostile ones then took up to 203 MiB instead of
 * 165, and up to 56 instead of 37, most often 12, stayed with an idle server.
 */
static void give_back_large_blocks(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 4 << 20); /* or real documents pay for it: fixed, it is 128 KiB */
#endif
}

int server_start(const struct server_options *options, struct server **out, struct err *err)
{
	const struct courier_options courier = { .first_ns = options->alert_retry_ns,
						 .timeout_ns = options->alert_timeout_ns,
						 .gone_days = options->alert_gone_days };
	struct server *s = calloc(1, sizeof(*s));
	size_t i;

	if (!s)
		return err_nomem(err);
	if (random_bytes(&s->number, sizeof(s->number), err)) {
		free(s);
		return -1;
	}
	give_back_large_blocks();
	s->options = *options;
	s->started_us = when_now_us();
	for (i = 0; i < SERVER_FRONTS; i++)
		s->fronts[i].fd = -1;
	limit_init(&s->failures);
	rate_init(&s->rate, options->rate);
	sessions_init(&s->sessions);
	recent_init(&s->recent);
	if (listen_parse(options->listen, &s->address, err) || check_address(s, err) ||
	    (options->oidc && trust_open(options->oidc, &options->talk, &s->trust, err)) ||
	    writer_start(&s->writer, options->store, &options->talk, err) ||
	    readers_start(&s->readers, options->store, READERS_N, options->budget_ns, err) ||
	    readers_start(&s->large, NULL, 1, LARGE_NS, err) ||
	    sweep_start(&s->sweep, options->head_ns / 10 + 1, err) || open_fronts(s, err) ||
	    courier_start(&s->courier, options->store, &s->writer, &courier, &options->talk, err)) {
		server_stop(s);
		return -1;
	}
	*out = s;
	return 0;
}

const char *server_url(const struct server *server)
{
	return server->url;
}

/* Waits until no request is in flight, at most so long. */
static void wait_for_requests(struct server *s, uint64_t within_ns)
{
	struct timespec pause = { 0, 5 * 1000 * 1000 };
	uint64_t end = when_monotonic_ns() + within_ns;

	while (atomic_load(&s->n_requests) > 0 && when_monotonic_ns() < end)
		nanosleep(&pause, NULL);
}

void server_stop(struct server *s)
{
	size_t i;

	if (!s)
		return;
	atomic_store(&s->stopping, true);
	for (i = 0; i < SERVER_FRONTS; i++)
		http_quiesce(&s->fronts[i]);
	wait_for_requests(s, GRACE_NS);
	/* What is not here by now was never acknowledged; what is with the writer comes back. */
	if (s->sweep.running)
		sweep_all(&s->sweep);
	courier_stop(&s->courier);
	writer_stop(&s->writer);
	readers_stop(&s->readers);
	readers_stop(&s->large);
	wait_for_requests(s, GRACE_NS);
	for (i = 0; i < SERVER_FRONTS; i++) {
		http_stop(&s->fronts[i]);
		ledger_close(s->fronts[i].reader);
		if (s->fronts[i].fd >= 0)
			close(s->fronts[i].fd);
	}
	sweep_stop(&s->sweep);
	limit_release(&s->failures);
	rate_release(&s->rate);
	sessions_release(&s->sessions);
	recent_release(&s->recent);
	trust_close(s->trust);
	free(s);
}
