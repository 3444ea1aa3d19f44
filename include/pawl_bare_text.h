/* SPDX-License-Identifier: MIT */
/*
 * pawl_bare_text - a result as a line of text, without a C library.
 *
 * Part of pawl_bare.h.  The program sends the line wherever the host reads: a UART, a debug
 * channel, memory.
 */
#ifndef PAWL_BARE_TEXT_H
#define PAWL_BARE_TEXT_H

/* Where text goes; what does not fit is counted and left out. */
struct pawl_bare_buffer {
	char *text;
	size_t size, used; /* used may exceed size */
};

static inline void pawl_bare_put(struct pawl_bare_buffer *b, const char *text)
{
	for (; *text; text++, b->used++)
		if (b->used + 1 < b->size)
			b->text[b->used] = *text;
}

static inline void pawl_bare_put_count(struct pawl_bare_buffer *b, uint64_t n)
{
	char digits[21];
	int i = 20;
	digits[i] = '\0';
	do {
		digits[--i] = (char)('0' + (int)(n % 10));
		n /= 10;
	} while (n);
	pawl_bare_put(b, digits + i);
}

/* Six decimals, rounded; null beyond 1e13, or where it is no number. */
static inline void pawl_bare_put_number(struct pawl_bare_buffer *b, double x)
{
	uint64_t millionths;
	char decimals[8];
	int i;
	if (!(x > -1e13 && x < 1e13)) {
		pawl_bare_put(b, "null");
		return;
	}
	millionths = (uint64_t)((x < 0 ? -x : x) * 1e6 + 0.5);
	if (x < 0 && millionths)
		pawl_bare_put(b, "-");
	pawl_bare_put_count(b, millionths / 1000000);
	decimals[0] = '.';
	decimals[7] = '\0';
	for (i = 6; i > 0; i--) {
		decimals[i] = (char)('0' + (int)(millionths % 10));
		millionths /= 10;
	}
	pawl_bare_put(b, decimals);
}

static inline void pawl_bare_put_field(struct pawl_bare_buffer *b, const char *key, double x)
{
	pawl_bare_put(b, ",\"");
	pawl_bare_put(b, key);
	pawl_bare_put(b, "\":");
	pawl_bare_put_number(b, x);
}

/* What cannot be had is null, and not 0. */
static inline void pawl_bare_put_known(struct pawl_bare_buffer *b, const char *key, double x,
				       int known)
{
	if (known) {
		pawl_bare_put_field(b, key, x);
		return;
	}
	pawl_bare_put(b, ",\"");
	pawl_bare_put(b, key);
	pawl_bare_put(b, "\":null");
}

static inline void pawl_bare_put_clean(struct pawl_bare_buffer *b, double ns,
				       const struct pawl_bare_result *r)
{
	pawl_bare_put(b, ",\"clean\":{\"n\":");
	pawl_bare_put_count(b, r->ticks.n);
	pawl_bare_put(b, ",\"dropped\":0");
	pawl_bare_put_field(b, "min_ns", r->ticks.min * ns);
	pawl_bare_put_field(b, "mean_ns", r->ticks.mean * ns);
	pawl_bare_put_known(b, "sd_ns", pawl_bare_root(pawl_bare_variance(&r->ticks)) * ns,
			    r->ticks.n > 1);
	pawl_bare_put_field(b, "p99_ns", r->p99 * ns);
	pawl_bare_put_field(b, "max_ns", r->ticks.max * ns);
	pawl_bare_put(b, "}");
}

/*
 * One JSON object and a newline, the record line "result" (docs/RECORD-LINES.md) as far as a
 * bare machine has it, or "error" with the reason.  Beside nanoseconds, which need c->hz, it
 * has ticks: {hz, mean, variance, min, max, p99, first}.  Of one sample there is no variance,
 * and of a first operation that failed, or was not seen to take time, no time: null.  name:
 * printable, without quotes and backslashes.
 *
 * Returns: the length; the text is cut off, and still ends with a zero byte, when that is
 *          size or more.  700 bytes and the name are always enough.
 */
static inline size_t pawl_bare_text(char *text, size_t size, const char *name,
				    const struct pawl_bare_counter *c,
				    const struct pawl_bare_result *r)
{
	struct pawl_bare_buffer b = { text, size, 0 };
	double ns = c->hz ? 1e9 / (double)c->hz : 0;
	double operations = (double)r->n * r->ticks.n;
	pawl_bare_put(&b, r->state ? "{\"type\":\"error\",\"name\":\""
				   : "{\"type\":\"result\",\"name\":\"");
	pawl_bare_put(&b, name);
	if (r->state) {
		pawl_bare_put(&b, "\",\"message\":\"");
		pawl_bare_put(&b, pawl_bare_reason(r->state));
		pawl_bare_put(&b, "\"");
	} else {
		pawl_bare_put(&b, "\",\"iterations\":");
		pawl_bare_put_count(&b, (uint64_t)r->n * r->ticks.n);
		pawl_bare_put(&b, ",\"errors\":");
		pawl_bare_put_count(&b, r->errors);
	}
	if (!r->state && c->hz) {
		pawl_bare_put_field(&b, "wall_ns", r->ticks.mean * operations * ns);
		pawl_bare_put_field(&b, "mean_ns", r->ticks.mean * ns);
		pawl_bare_put_known(&b, "first_ns", r->first * ns, r->first > 0);
		pawl_bare_put_clean(&b, ns, r);
	}
	if (!r->state) {
		pawl_bare_put(&b, ",\"ticks\":{\"hz\":");
		pawl_bare_put_count(&b, c->hz);
		pawl_bare_put_field(&b, "mean", r->ticks.mean);
		pawl_bare_put_known(&b, "variance", pawl_bare_variance(&r->ticks), r->ticks.n > 1);
		pawl_bare_put_field(&b, "min", r->ticks.min);
		pawl_bare_put_field(&b, "max", r->ticks.max);
		pawl_bare_put_field(&b, r->p99_is_exact ? "p99" : "p99_estimate", r->p99);
		pawl_bare_put_known(&b, "first", r->first, r->first > 0);
		pawl_bare_put(&b, "}");
	}
	pawl_bare_put(&b, "}\n");
	if (size)
		text[b.used < size ? b.used : size - 1] = '\0';
	return b.used;
}

#endif
