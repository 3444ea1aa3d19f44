/* What is kept beside the store: the first byte says which of a marker, a bisection and
 * calibrations it is. */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/bisect/log.h"
#include "collector/build/trees_local.h"
#include "lib/base/buf.h"
#include "lib/digest/digest.h"
#include "lib/record/calibration/calibrations.h"

#include "lib/base/banned.h"

const size_t fuzz_cost = 4;

enum { MARKER, BISECT, CALIBRATIONS, N };

static void marker(const uint8_t *data, size_t n)
{
	struct trees_marker m;
	struct err err = ERR_INIT;

	if (trees_marker_read(fuzz_file(data, n), &m, &err)) {
		must((err.code == ERR_CORRUPT || err.code == ERR_LIMIT) && fuzz_is_line(err.text));
		return;
	}
	fuzz_accept();
	must(m.id && m.maker);
	trees_marker_release(&m);
}

static void hold_log(const struct bisect_log *log)
{
	struct bisect_log again;
	struct err err = ERR_INIT;
	char path[64];
	size_t i;

	snprintf(path, sizeof(path), "%s/pawl-fuzz-%d.bisect",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (int)getpid());
	must(!bisect_log_save(log, path, &err));
	must(!bisect_log_load(path, &again, &err));
	unlink(path);
	must(again.n == log->n);
	for (i = 0; i < log->n; i++) {
		const struct bisect_evidence *a = &log->v[i]->evidence, *b = &again.v[i]->evidence;

		must(!strcmp(log->v[i]->base, again.v[i]->base));
		must(log->v[i]->effort == again.v[i]->effort && a->state == b->state);
		must(a->verdict == b->verdict && a->pairs == b->pairs);
		must(a->theta == b->theta || (isnan(a->theta) && isnan(b->theta)));
	}
	bisect_log_release(&again);
}

/* Behind them the digest that fits. */
static void bisection(const uint8_t *data, size_t n)
{
	struct bisect_log log;
	struct buf text = BUF_INIT;
	char sum[DIGEST_HEX];
	struct err err = ERR_INIT;

	buf_add(&text, data, n);
	must(!digest_of(buf_str(&text), text.len, sum, NULL));
	buf_addf(&text, "sum %s\n", sum);
	if (bisect_log_load(fuzz_file((uint8_t *)text.data, text.len), &log, &err)) {
		must(err.code == ERR_CORRUPT || err.code == ERR_NEWER);
		must(fuzz_is_line(err.text) && !log.n);
	} else {
		fuzz_accept();
		hold_log(&log);
	}
	bisect_log_release(&log);
	buf_release(&text);
}

static void calibrations(const uint8_t *data, size_t n)
{
	struct calibrations c;
	struct buf first = BUF_INIT, second = BUF_INIT;
	struct err err = ERR_INIT;
	size_t i;

	if (calibrations_decode((const char *)data, n, &c, &err)) {
		must(err.code != ERR_NONE && fuzz_is_line(err.text) && !c.n);
		return;
	}
	fuzz_accept();
	for (i = 0; i < c.n; i++) {
		struct calibration in_short = calibrated_in_short(&c.v[i]);

		must(isfinite(in_short.floor) && in_short.floor >= 0);
		must(!(calibrated_half(&c.v[i]) < 0));
	}
	must(!calibrations_encode(&c, &first, NULL));
	calibrations_release(&c);
	must(!calibrations_decode(first.data, first.len, &c, NULL));
	must(!calibrations_encode(&c, &second, NULL));
	must(!strcmp(buf_str(&first), buf_str(&second)));
	calibrations_release(&c);
	buf_release(&first);
	buf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (!n)
		return 0;
	switch (data[0] % N) {
	case MARKER:
		marker(data + 1, n - 1);
		break;
	case BISECT:
		bisection(data + 1, n - 1);
		break;
	default:
		calibrations(data + 1, n - 1);
	}
	return 0;
}
