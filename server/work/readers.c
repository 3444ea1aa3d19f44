#include "server/work/readers.h"

#include <errno.h>
#include <string.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

/*
 * The next question; *out_late: it is not to be asked any more.  NULL: the end.  The budget is set
 * under the lock, so that readers_stop() ends whatever was taken before.
 */
static struct question *take(struct reader *r, bool *out_late)
{
	struct readers *p = r->pool;
	struct question *q;

	pthread_mutex_lock(&p->lock);
	while (!p->first && !p->stopping)
		pthread_cond_wait(&p->wake, &p->lock);
	q = p->first;
	if (q) {
		p->first = q->next;
		if (!p->first)
			p->last = &p->first;
		p->n--;
		*out_late = p->stopping ||
			    when_monotonic_ns() - q->since_ns > READERS_MAX_WAIT * p->budget_ns;
		if (r->ledger)
			ledger_budget(r->ledger, p->budget_ns);
	}
	pthread_mutex_unlock(&p->lock);
	return q;
}

static void *reader_run(void *arg)
{
	struct reader *r = arg;
	struct question *q;
	bool late = false;

	while ((q = take(r, &late))) {
		if (late)
			q->refuse(q);
		else
			q->ask(q, r->ledger);
		q->done(q);
	}
	return NULL;
}

static int start_one(struct readers *p, struct reader *r, const char *where, struct err *err)
{
	r->pool = p;
	if (where && ledger_open(where, LEDGER_READ, &r->ledger, err))
		return -1;
	errno = pthread_create(&r->thread, NULL, reader_run, r);
	if (errno)
		return err_sys(err, ERR_IO, "cannot start a thread");
	r->running = true;
	return 0;
}

int readers_start(struct readers *p, const char *where, int n, uint64_t budget_ns, struct err *err)
{
	int i;

	memset(p, 0, sizeof(*p));
	p->last = &p->first;
	p->budget_ns = budget_ns;
	p->n_threads = n;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	p->started = true;
	for (i = 0; i < p->n_threads; i++)
		if (start_one(p, &p->threads[i], where, err))
			return -1;
	return 0;
}

void readers_stop(struct readers *p)
{
	int i;

	if (!p->started)
		return;
	pthread_mutex_lock(&p->lock);
	p->stopping = true;
	for (i = 0; i < p->n_threads; i++)
		if (p->threads[i].running && p->threads[i].ledger)
			ledger_stop(p->threads[i].ledger);
	pthread_cond_broadcast(&p->wake);
	pthread_mutex_unlock(&p->lock);
	for (i = 0; i < p->n_threads; i++) {
		if (p->threads[i].running)
			pthread_join(p->threads[i].thread, NULL);
		ledger_close(p->threads[i].ledger);
	}
	p->started = false;
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->lock);
}

bool readers_submit(struct readers *p, struct question *q)
{
	bool taken;

	q->next = NULL;
	q->since_ns = when_monotonic_ns();
	pthread_mutex_lock(&p->lock);
	taken = p->n < READERS_MAX_QUEUE && !p->stopping;
	if (taken) {
		*p->last = q;
		p->last = &q->next;
		p->n++;
		pthread_cond_signal(&p->wake);
	}
	pthread_mutex_unlock(&p->lock);
	return taken;
}
