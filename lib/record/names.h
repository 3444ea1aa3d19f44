/*
 * names - the words of a summary's enumerations, shared by writer and reader.
 */
#ifndef PAWL_RECORD_NAMES_H
#define PAWL_RECORD_NAMES_H

#include "lib/record/summary.h"

extern const char *const metric_state_words[METRIC_STATE_N];
extern const char *const bench_status_words[BENCH_STATUS_N];
extern const char *const better_words[2];
extern const char *const output_words[OUTPUT_N];
extern const char *const pairs_ran_words[PAIRS_RAN_N];

#endif
