#include "server/http/recent.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

void recent_init(struct recent *recent)
{
	memset(recent, 0, sizeof(*recent));
	pthread_mutex_init(&recent->lock, NULL);
}

static void drop(struct recent *recent, struct recent_answer *a)
{
	recent->n_bytes -= a->n_bytes;
	free(a->key);
	reply_release(&a->reply);
	memset(a, 0, sizeof(*a));
}

void recent_release(struct recent *recent)
{
	size_t i;

	for (i = 0; i < RECENT_SLOTS; i++)
		drop(recent, &recent->slots[i]);
	pthread_mutex_destroy(&recent->lock);
}

static struct recent_answer *find(struct recent *recent, const char *key)
{
	size_t i;

	for (i = 0; i < RECENT_SLOTS; i++)
		if (recent->slots[i].key && !strcmp(recent->slots[i].key, key))
			return &recent->slots[i];
	return NULL;
}

static struct recent_answer *free_slot(struct recent *recent)
{
	size_t i;

	for (i = 0; i < RECENT_SLOTS; i++)
		if (!recent->slots[i].key)
			return &recent->slots[i];
	return NULL;
}

/* The one that was not asked for longest; there is one. */
static struct recent_answer *oldest(struct recent *recent)
{
	struct recent_answer *a = NULL;
	size_t i;

	for (i = 0; i < RECENT_SLOTS; i++)
		if (recent->slots[i].key && (!a || recent->slots[i].used < a->used))
			a = &recent->slots[i];
	return a;
}

static struct recent_answer *make_room(struct recent *recent, size_t n_bytes)
{
	struct recent_answer *a;

	while (!(a = free_slot(recent)) || recent->n_bytes + n_bytes > RECENT_MOST_BYTES)
		drop(recent, oldest(recent));
	return a;
}

/* False without memory: *out may hold a part. */
static bool share(const struct reply *from, struct reply *out)
{
	out->status = from->status;
	out->type = from->type;
	out->coding = from->coding;
	out->shared = shared_use(from->shared);
	buf_add(&out->link, buf_str(&from->link), from->link.len);
	return !out->link.failed;
}

bool recent_find(struct recent *recent, const char *key, struct reply *out)
{
	struct reply found = { .status = 0 };
	struct recent_answer *a;
	bool is_found;

	pthread_mutex_lock(&recent->lock);
	a = find(recent, key);
	is_found = a && share(&a->reply, &found);
	if (a)
		a->used = ++recent->n_asked;
	pthread_mutex_unlock(&recent->lock);
	if (!is_found) {
		reply_release(&found);
		return false;
	}
	out->status = found.status;
	out->type = found.type;
	out->coding = found.coding;
	out->shared = found.shared;
	out->link = found.link;
	return true;
}

void recent_add(struct recent *recent, const char *key, struct reply *reply)
{
	struct recent_answer made = { .n_bytes = strlen(key) + reply->body.len + reply->link.len };

	if (made.n_bytes > RECENT_LARGEST)
		return;
	reply->shared = shared_new(&reply->body);
	made.key = strdup(key);
	if (!reply->shared || !made.key || !share(reply, &made.reply)) {
		free(made.key);
		reply_release(&made.reply);
		return;
	}
	pthread_mutex_lock(&recent->lock);
	/* Two may have asked at once, and made the same. */
	if (find(recent, key)) {
		free(made.key);
		reply_release(&made.reply);
	} else {
		made.used = ++recent->n_asked;
		*make_room(recent, made.n_bytes) = made;
		recent->n_bytes += made.n_bytes;
	}
	pthread_mutex_unlock(&recent->lock);
}
