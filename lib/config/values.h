/*
 * values - what a value of the configuration may look like.
 *
 * Internal to lib/config.  Each call reads the whole of text and writes its result last.
 * Errors: ERR_CONFIG with "expected ..." as the text, the caller puts place, key and value
 * in front; ERR_NOMEM.
 */
#ifndef PAWL_CONFIG_VALUES_H
#define PAWL_CONFIG_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

#define RUNS_LEAST 2
#define RUNS_MOST 1000
#define NAME_BYTES 255

/* "12..200", or "25" for 25..25. */
int value_runs(const char *text, int *out_min, int *out_max, struct err *err);

#define LAYOUTS_LEAST 2

/* "auto", "off" or a number to CONFIG_LAYOUTS_MOST: see config.layouts. */
int value_layouts(const char *text, int *out, struct err *err);

/* "2%" or "0.02": above 0, at most 1. */
int value_threshold(const char *text, double *out, struct err *err);

/* "0.95" or "95%": above 0.5 and below 1. */
int value_confidence(const char *text, double *out, struct err *err);

/* "250ms", from low_ns to high_ns. */
int value_duration(const char *text, uint64_t low_ns, uint64_t high_ns, uint64_t *out_ns,
		   struct err *err);

int value_bytes(const char *text, uint64_t *out, struct err *err);
int value_number(const char *text, uint64_t *out, struct err *err);
int value_bool(const char *text, bool *out, struct err *err);

/* The next four replace *slot, and clear it for an empty text. */
int value_text(const char *text, char **slot, struct err *err);
int value_name(const char *text, char **slot, struct err *err);	  /* name_is_valid() */
int value_server(const char *text, char **slot, struct err *err); /* URL, no '/' at the end */
int value_token(const char *text, char **slot, struct err *err);  /* visible ASCII */

/* A metric pawl knows or the name of a counter; what is one letter off a known one is refused. */
int value_metric(const char *text, char **slot, struct err *err);
/* Whether pawl itself knows the metric; else it is a counter of somebody's. */
bool value_metric_is_ours(const char *text);

/* Replaces list by the words of a command line; at least one. */
int value_command(const char *text, struct strv *list, struct err *err);

/* Adds a path below the top of the work tree; an empty text empties the list. */
int value_input(const char *text, struct strv *list, struct err *err);

/*
 * Adds the names of variables, which blanks separate; an empty text empties the list.  git's and
 * pawl's own are refused: a token is nobody's business, and a hook's GIT_DIR is another repository.
 */
int value_variables(const char *text, struct strv *list, struct err *err);

/* 1 to 255 bytes of UTF-8 without control characters. */
bool name_is_valid(const char *name);

#endif
