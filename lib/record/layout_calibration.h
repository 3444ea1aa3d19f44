/*
 * layout_calibration - what different layouts of the same code differ by, in JSON: in a summary,
 * and in what is kept of calibrations.
 */
#ifndef PAWL_RECORD_LAYOUT_CALIBRATION_H
#define PAWL_RECORD_LAYOUT_CALIBRATION_H

#include "lib/base/jsonw.h"
#include "lib/record/reader/reader.h"
#include "lib/record/summary.h"

/* Writes its figures as the member "layouts"; metric NULL: without one.  Where n is 0, nothing. */
void layout_calibration_write(struct jsonw *w, const struct layout_calibration *l,
			      const char *metric);

/*
 * Reads the object that is next; of null *out stays.  out_metric NULL: none is asked for; else it
 * must be there, and is freed by the caller.
 * Errors (of the reader): ERR_RANGE for figures that contradict each other.
 */
void layout_calibration_read(struct reader *r, struct layout_calibration *out, char **out_metric);

#endif
