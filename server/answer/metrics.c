#include "server/answer/metrics.h"

#include <string.h>

#include "lib/base/banned.h"

/* In microseconds, and as they are printed. */
static const struct {
	uint64_t us;
	const char *seconds;
} bounds[METRICS_N_BUCKETS] = {
	{ 1000, "0.001" }, { 5000, "0.005" },  { 25000, "0.025" },   { 100000, "0.1" },
	{ 500000, "0.5" }, { 2500000, "2.5" }, { 10000000, "10.0" }, { UINT64_MAX, "+Inf" },
};

void metrics_count(struct metrics *m, unsigned status, uint64_t took_ns)
{
	uint64_t us = took_ns / 1000;
	size_t i = 0;

	while (us > bounds[i].us)
		i++;
	atomic_fetch_add(&m->requests[status / 100 < 6 ? status / 100 : 0], 1);
	atomic_fetch_add(&m->times[i], 1);
	atomic_fetch_add(&m->total_us, us);
}

void metrics_write_one(struct buf *out, const char *name, const char *help, bool is_total,
		       unsigned long long value)
{
	buf_addf(out, "# TYPE pawld_%s %s\n# HELP pawld_%s %s\npawld_%s%s %llu\n", name,
		 is_total ? "counter" : "gauge", name, help, name, is_total ? "_total" : "", value);
}

static void write_times(const struct metrics *m, struct buf *out)
{
	static const char name[] = "pawld_request_duration_seconds";
	unsigned long long n = 0, us = atomic_load(&m->total_us);
	size_t i;

	buf_addf(out,
		 "# TYPE %s histogram\n# UNIT %s seconds\n"
		 "# HELP %s From a request's first byte to its reply.\n",
		 name, name, name);
	for (i = 0; i < METRICS_N_BUCKETS; i++) {
		n += atomic_load(&m->times[i]);
		buf_addf(out, "%s_bucket{le=\"%s\"} %llu\n", name, bounds[i].seconds, n);
	}
	buf_addf(out, "%s_sum %llu.%06llu\n%s_count %llu\n", name, us / 1000000, us % 1000000, name,
		 n);
}

void metrics_write(const struct metrics *m, struct buf *out)
{
	size_t i;

	buf_adds(out, "# TYPE pawld_requests counter\n# HELP pawld_requests Requests answered.\n");
	for (i = 2; i < 6; i++)
		buf_addf(out, "pawld_requests_total{status=\"%zuxx\"} %llu\n", i,
			 (unsigned long long)atomic_load(&m->requests[i]));
	write_times(m, out);
}

/* "# TYPE pawld_queue gauge" or "# HELP ...": the n bytes of the name; 0 for any other line. */
static size_t family_of(const char *line)
{
	if (strncmp(line, "# TYPE ", 7) != 0 && strncmp(line, "# HELP ", 7) != 0)
		return 0;
	return strcspn(line + 7, " \n");
}

int metrics_make_plain(struct buf *text, struct err *err)
{
	struct buf out = BUF_INIT;
	const char *line = buf_str(text), *counter = "";
	size_t n, n_name, n_counter = 0;

	for (; *line; line += n) {
		n = strcspn(line, "\n") + 1;
		n_name = family_of(line);
		if (!strncmp(line, "# UNIT", 6) || !strncmp(line, "# EOF", 5))
			continue;
		if (n_name && !strncmp(line + 7 + n_name, " counter", 8)) {
			counter = line + 7;
			n_counter = n_name;
		}
		if (n_name && n_name == n_counter && !strncmp(line + 7, counter, n_name)) {
			buf_add(&out, line, 7 + n_name);
			buf_adds(&out, "_total");
			buf_add(&out, line + 7 + n_name, n - 7 - n_name);
		} else {
			buf_add(&out, line, n);
		}
	}
	text->failed = text->failed || out.failed;
	buf_reset(text);
	buf_adds(text, buf_str(&out));
	buf_release(&out);
	return buf_check(text, err);
}
