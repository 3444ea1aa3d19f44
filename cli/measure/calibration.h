/*
 * calibration - where the results of A/A comparisons are kept, and putting them beside a verdict.
 */
#ifndef PAWL_CLI_MEASURE_CALIBRATION_H
#define PAWL_CLI_MEASURE_CALIBRATION_H

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

/*
 * Loads those of this project and machine from the local store, in the place of what *out holds:
 * whoever measures stops by them, and judges by them.  Warns at most.
 */
void calibration_open(const struct context *c, struct calibrations *out);

#endif
