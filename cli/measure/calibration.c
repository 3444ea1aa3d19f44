#include "cli/measure/calibration.h"

#include <stdlib.h>
#include <string.h>

#include "collector/machine/machine.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

/* They hold for one project on one machine. */
static int key_of(const struct summary *s, struct buf *out, struct err *err)
{
	buf_addf(out, "calibrations:%s:%s", s->machine.id, s->project);
	return buf_check(out, err);
}

int calibration_load(struct store *store, const struct summary *s, struct calibrations *out,
		     struct err *err)
{
	struct buf key = BUF_INIT;
	char *json = NULL;
	int result = -1;

	*out = (struct calibrations)CALIBRATIONS_INIT;
	if (key_of(s, &key, err) || store_get_meta(store, buf_str(&key), &json, err))
		goto out;
	result = json ? calibrations_decode(json, strlen(json), out, err) : 0;
out:
	free(json);
	buf_release(&key);
	return result;
}

int calibration_save(struct store *store, const struct summary *s, const struct calibrations *c,
		     struct err *err)
{
	struct buf key = BUF_INIT, json = BUF_INIT;
	int result = -1;

	if (!key_of(s, &key, err) && !calibrations_encode(c, &json, err))
		result = store_set_meta(store, buf_str(&key), buf_str(&json), err);
	buf_release(&key);
	buf_release(&json);
	return result;
}

void calibration_open(const struct context *c, struct calibrations *out)
{
	struct store *store = NULL;
	struct err fault = ERR_INIT;
	struct summary here;

	if (!c->store_path || store_open(c->store_path, STORE_READ, &store, NULL))
		return;
	summary_init(&here);
	calibrations_release(out);
	if (machine_describe(&here.machine, &fault) || str_set(&here.project, c->project, &fault) ||
	    calibration_load(store, &here, out, &fault))
		talk_warn(c->talk, "make them anew with 'pawl calibrate --reset'",
			  "the stored calibrations cannot be read: %s", fault.text);
	summary_release(&here);
	store_close(store);
}
