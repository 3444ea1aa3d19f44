/* The keys of objects: guessed or read, kept, and none of them twice. */
#include <stdlib.h>

#include "lib/json/local.h"

#include "lib/base/banned.h"

/* Whether it is one of the keys of the frame. */
static bool is_among(const struct pull *s, const struct pull_frame *f, const struct pull_text *key)
{
	const struct pull_member *p, *end = s->keys + s->n_keys;

	for (p = s->keys + f->first_key; p < end; p++)
		if (p->key.n == key->n && !memcmp(p->key.text, key->text, key->n))
			return true;
	return false;
}

/* Which key of the frame was kept last; 0: none was. */
static inline uint32_t last_id(const struct pull *s, const struct pull_frame *f)
{
	return s->n_keys > f->first_key ? s->keys[s->n_keys - 1].id : 0;
}

static bool more_keys(struct pull *s)
{
	size_t cap = s->cap_keys ? 2 * s->cap_keys : 64;
	struct pull_member *more = realloc(s->keys, cap * sizeof(*more));

	if (!more)
		return pull_no_memory(s);
	s->keys = more;
	s->cap_keys = cap;
	return true;
}

/* The key that was read last is among them from now on, and no other is the same. */
static inline bool keep_key(struct pull *s, const struct pull_text *key)
{
	struct pull_frame *f = &s->frames[s->depth - 1];
	uint32_t bit = pull_key_bit(key->text, key->n);

	if ((f->bits & bit) && f->n <= PULL_FEW_KEYS && is_among(s, f, key))
		return pull_fault(s, "a duplicate key in an object");
	f->bits |= bit;
	if (s->n_keys >= s->max_keys || s->n_kept == UINT32_MAX)
		return pull_too_many(s);
	if (s->n_keys == s->cap_keys && !more_keys(s))
		return false;
	s->keys[s->n_keys] = (struct pull_member){ *key, ++s->n_kept, last_id(s, f), f->bits };
	s->n_keys++;
	s->n_seen = s->n_seen < s->n_keys ? s->n_keys : s->n_seen;
	return true;
}

/* Whether the first n of sixteen characters are the same. */
static inline bool are_same(const char *a, const char *b, size_t n)
{
	uint64_t first = pull_eight(a) ^ pull_eight(b);

	if (n <= 8)
		return !(n && first << (64 - 8 * n));
	return !first && !((pull_eight(a + 8) ^ pull_eight(b + 8)) << (128 - 8 * n));
}

/*
 * What is next in an array is mostly like what was before it: the key that was in this place then.
 * Where another object was within, its keys are there.
 */
static inline bool guess_key(struct pull *s, struct pull_text *out)
{
	const struct pull_text *was;

	if (!PULL_EIGHT || s->keeps || s->n_keys >= s->n_seen)
		return false;
	was = &s->keys[s->n_keys].key;
	if (!was->in_place || was->n > 16 || s->end - s->p < 18 || s->p[was->n + 1] != '"' ||
	    !are_same(s->p + 1, was->text, was->n))
		return false;
	*out = *was;
	s->p += was->n + 2;
	return true;
}

/*
 * It was guessed, and those in front of it are those that it was kept behind: none of them is the
 * same.
 */
static inline bool keep_guessed(struct pull *s)
{
	struct pull_frame *f = &s->frames[s->depth - 1];
	const struct pull_member *was = &s->keys[s->n_keys];

	if (was->before != last_id(s, f))
		return false;
	f->bits = was->bits;
	s->n_keys++;
	return true;
}

/* Nearly all are plain, and stay where they are. */
static inline bool read_key(struct pull *s, struct pull_text *out)
{
	const char *p = s->p + 1;
	int n = 8;

	while (PULL_EIGHT && !s->keeps && n == 8 && s->end - p >= 8) {
		n = pull_before(pull_mark_special(pull_eight(p)));
		p += n;
		if (n < 8 && *p == '"') {
			*out = (struct pull_text){ s->p + 1, (size_t)(p - s->p) - 1, true, true };
			s->p = p + 1;
			return true;
		}
	}
	return pull_read_string(s, out);
}

bool pull_take_key(struct pull *s, struct pull_text *out)
{
	if (guess_key(s, out))
		return keep_guessed(s) || keep_key(s, out);
	return read_key(s, out) && keep_key(s, out);
}

static int order_keys(const void *a, const void *b)
{
	const struct pull_text *x = *(const struct pull_text *const *)a;
	const struct pull_text *y = *(const struct pull_text *const *)b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return memcmp(x->text, y->text, x->n);
}

/*
 * Of many members.  Their keys are sorted: a table could be filled on purpose with keys that meet.
 * Apart: who comes back into the object finds them as they were.
 */
bool pull_check_keys(struct pull *s, const struct pull_frame *f)
{
	const struct pull_text **keys = malloc(f->n * sizeof(*keys));
	bool twice = false;
	size_t i;

	if (!keys)
		return pull_no_memory(s);
	for (i = 0; i < f->n; i++)
		keys[i] = &s->keys[f->first_key + i].key;
	qsort(keys, f->n, sizeof(*keys), order_keys);
	for (i = 1; i < f->n; i++)
		twice = twice || !order_keys(&keys[i - 1], &keys[i]);
	free(keys);
	return !twice || pull_fault(s, "a duplicate key in an object");
}
