/*
 * get - what the GET routes answer; each writes r->reply.body, or returns -1 with *err.  Those that
 * read ask r->reader.
 */
#ifndef PAWL_SERVER_ANSWER_GET_H
#define PAWL_SERVER_ANSWER_GET_H

#include "server/request.h"

/* Errors: ERR_SYNTAX, a parameter that is not among the known ones, which end with NULL. */
int get_only(const struct request *r, const char *const *known, struct err *err);
/* A parameter that is not empty, or NULL. */
const char *get_given(const struct request *r, const char *name);
/* *out: an id of a commit or the beginning of one, or NULL. */
int get_commit(const struct request *r, const char *name, const char **out, struct err *err);
/* 0 or 1; *out stays where it is not given. */
int get_bool(const struct request *r, const char *name, bool *out, struct err *err);

/* The parameter 'limit', 1 to most. */
int get_limit(const struct request *r, size_t usual, size_t most, size_t *out, struct err *err);

/* What Accept wants of what a history can be given as; HISTORY_FORMS: none of it. */
#define HISTORY_FORMS 3
enum history_form get_form(const struct request *r);

int get_openapi(struct request *r, struct err *err);
int get_health(struct request *r, struct err *err);
int get_ready(struct request *r, struct err *err);
int get_project(struct request *r, struct err *err);
int get_history(struct request *r, struct err *err);
int get_compare(struct request *r, struct err *err);
int get_summary(struct request *r, struct err *err);
int get_metrics(struct request *r, struct err *err);

#endif
