/*
 * calibration - where the results of A/A comparisons are kept, and putting them beside a verdict.
 */
#ifndef PAWL_CLI_CALIBRATION_H
#define PAWL_CLI_CALIBRATION_H

#include "cli/command.h"
#include "lib/record/calibration/calibrations.h"

/*
 * Those of the summary's project and machine; none is no error.
 * Errors: those of store_get_meta() and calibrations_decode(); *out is empty then.
 */
int calibration_load(struct store *store, const struct summary *s, struct calibrations *out,
		     struct err *err);
int calibration_save(struct store *store, const struct summary *s, const struct calibrations *c,
		     struct err *err);

/* Fills the summary's calibrations from the local store, before it is judged; warns at most. */
void calibration_apply(const struct context *c, struct summary *s);

#endif
