#include "server/http/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

/* A client that means well has sent its request by then. */
#define FRESH_NS 1000000000u

struct watched {
	struct watched *next, *previous;
	uint64_t deadline_ns;
	uint64_t since_ns; /* when it began to wait */
	unsigned thread;
	int fd;
	enum sweep_phase phase;
	bool known;  /* a valid token came over it at some time */
	bool active; /* with the request that is under way */
	bool shut;
};

/* Not closing: the owner then sees the end of the stream and closes it. */
static void shut_down(struct watched *w)
{
	shutdown(w->fd, SHUT_RDWR);
	w->deadline_ns = SWEEP_NEVER;
	w->shut = true;
}

static void shut_late(struct sweep *s, uint64_t now_ns)
{
	struct watched *w;

	for (w = s->first; w; w = w->next) {
		if (w->deadline_ns > now_ns)
			continue;
		shut_down(w);
	}
}

/* The order in which connections make room. */
enum rank { RANK_LINGERS, RANK_SLOW, RANK_READS, RANK_RESTS, RANK_FRESH };

static enum rank rank_of(const struct watched *w, uint64_t now_ns)
{
	if (w->phase == SWEEP_LINGERS)
		return RANK_LINGERS;
	if (w->known)
		return RANK_RESTS;
	if (w->phase == SWEEP_ANSWERS)
		return RANK_READS;
	return now_ns - w->since_ns < FRESH_NS ? RANK_FRESH : RANK_SLOW;
}

/* Whether a had better go than b. */
static bool goes_before(const struct watched *a, const struct watched *b, uint64_t now_ns)
{
	enum rank x = rank_of(a, now_ns), y = rank_of(b, now_ns);

	return x != y ? x < y : a->since_ns < b->since_ns;
}

static bool may_go(const struct watched *w)
{
	return w->phase == SWEEP_LINGERS || (w->phase != SWEEP_WORKS && !w->active);
}

/* For a new one, which is in the list already. */
static void make_room(struct sweep *s, const struct watched *new, size_t most)
{
	struct watched *w, *first = NULL;
	size_t n = 0;

	for (w = s->first; w; w = w->next) {
		if (w->thread != new->thread || w->shut)
			continue;
		n++;
		if (w != new &&may_go(w) && (!first || goes_before(w, first, new->since_ns)))
			first = w;
	}
	if (n > most && first)
		shut_down(first);
}

static void *sweep_run(void *arg)
{
	struct sweep *s = arg;

	pthread_mutex_lock(&s->lock);
	while (!s->stopping) {
		uint64_t until = when_monotonic_ns() + s->period_ns;
		struct timespec ts = { (time_t)(until / 1000000000u), (long)(until % 1000000000u) };

		pthread_cond_timedwait(&s->wake, &s->lock, &ts);
		shut_late(s, when_monotonic_ns());
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

int sweep_start(struct sweep *s, uint64_t period_ns, struct err *err)
{
	pthread_condattr_t attr;

	memset(s, 0, sizeof(*s));
	s->period_ns = period_ns;
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->wake, &attr);
	pthread_condattr_destroy(&attr);
	errno = pthread_create(&s->thread, NULL, sweep_run, s);
	if (errno)
		return err_sys(err, ERR_IO, "cannot start a thread");
	s->running = true;
	return 0;
}

void sweep_stop(struct sweep *s)
{
	if (!s->running)
		return;
	pthread_mutex_lock(&s->lock);
	s->stopping = true;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	s->running = false;
	while (s->first) {
		struct watched *w = s->first;

		s->first = w->next;
		free(w);
	}
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
}

static uint64_t deadline(uint64_t within_ns)
{
	return within_ns == SWEEP_NEVER ? SWEEP_NEVER : when_monotonic_ns() + within_ns;
}

struct watched *sweep_add(struct sweep *s, int fd, unsigned thread, size_t most, uint64_t within_ns)
{
	struct watched *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->fd = fd;
	w->thread = thread;
	w->since_ns = when_monotonic_ns();
	w->deadline_ns = deadline(within_ns);
	pthread_mutex_lock(&s->lock);
	w->next = s->first;
	if (s->first)
		s->first->previous = w;
	s->first = w;
	make_room(s, w, most);
	pthread_mutex_unlock(&s->lock);
	return w;
}

void sweep_set(struct sweep *s, struct watched *w, enum sweep_phase phase, uint64_t within_ns)
{
	if (!w)
		return;
	pthread_mutex_lock(&s->lock);
	if (phase == SWEEP_WAITS && w->phase != SWEEP_WAITS) {
		w->since_ns = when_monotonic_ns();
		w->active = false;
	}
	w->phase = phase;
	if (!w->shut)
		w->deadline_ns = deadline(within_ns);
	pthread_mutex_unlock(&s->lock);
}

void sweep_trust(struct sweep *s, struct watched *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&s->lock);
	w->known = w->active = true;
	pthread_mutex_unlock(&s->lock);
}

void sweep_remove(struct sweep *s, struct watched *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&s->lock);
	if (w->next)
		w->next->previous = w->previous;
	if (w->previous)
		w->previous->next = w->next;
	else
		s->first = w->next;
	pthread_mutex_unlock(&s->lock);
	free(w);
}

void sweep_all(struct sweep *s)
{
	pthread_mutex_lock(&s->lock);
	shut_late(s, SWEEP_NEVER - 1);
	pthread_mutex_unlock(&s->lock);
}
