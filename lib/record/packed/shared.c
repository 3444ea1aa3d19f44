#include "lib/record/packed/shared.h"

#include <stdlib.h>
#include <string.h>

#include "lib/digest/crc.h"
#include "lib/record/packed/column.h"

#include "lib/base/banned.h"

void shared_release(struct shared *s)
{
	free(s->slots);
	buf_release(&s->bytes);
	*s = (struct shared)SHARED_INIT;
}

/* Its slot, or the free one that it would have. */
static struct shared_column *slot_of(const struct shared *s, uint64_t key, const double *x,
				     size_t n)
{
	size_t at = (size_t)key & (s->n_slots - 1);

	for (; s->slots[at].x; at = (at + 1) & (s->n_slots - 1))
		if (s->slots[at].key == key && s->slots[at].n == n &&
		    !memcmp(s->slots[at].x, x, n * sizeof(*x)))
			break;
	return &s->slots[at];
}

static int grow(struct shared *s, struct err *err)
{
	struct shared old = *s;
	size_t i;

	s->n_slots = old.n_slots ? 2 * old.n_slots : 256;
	s->slots = calloc(s->n_slots, sizeof(*s->slots));
	if (!s->slots) {
		*s = old;
		return err_nomem(err);
	}
	for (i = 0; i < old.n_slots; i++)
		if (old.slots[i].x)
			*slot_of(s, old.slots[i].key, old.slots[i].x, old.slots[i].n) =
				old.slots[i];
	free(old.slots);
	return 0;
}

int shared_note(struct shared *s, const double *x, size_t n, struct err *err)
{
	uint64_t key = crc64(n, x, n * sizeof(*x));
	struct shared_column *slot;

	if (2 * (s->n_used + 1) > s->n_slots && grow(s, err))
		return -1;
	slot = slot_of(s, key, x, n);
	if (slot->x) {
		slot->start = 0; /* met again: wanted */
		return 0;
	}
	*slot = (struct shared_column){ key, x, n, SIZE_MAX };
	s->n_used++;
	return 0;
}

bool shared_find(struct shared *s, const double *x, size_t n, size_t *out_start)
{
	struct shared_column *slot;

	if (!s->n_slots)
		return false;
	slot = slot_of(s, crc64(n, x, n * sizeof(*x)), x, n);
	if (!slot->x || slot->start == SIZE_MAX)
		return false;
	if (!slot->start) { /* 0 is before the first: a byte is in front */
		if (!s->bytes.len)
			buf_addc(&s->bytes, 0);
		slot->start = s->bytes.len;
		column_write(x, n, 0, &s->bytes);
	}
	*out_start = slot->start;
	return true;
}

bool shared_read(const struct shared *s, size_t start, double *x, size_t n)
{
	return s->read && start < (size_t)(s->end - s->read) &&
	       column_read(s->read + start, s->end, x, n, 0);
}
