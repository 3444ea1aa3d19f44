/*
 * get - what the GET routes answer; each writes r->reply.body, or returns -1 with *err.  Those that
 * read ask r->reader.
 */
#ifndef PAWL_SERVER_ANSWER_GET_H
#define PAWL_SERVER_ANSWER_GET_H

#include "server/request.h"

int get_health(struct request *r, struct err *err);
int get_ready(struct request *r, struct err *err);
int get_projects(struct request *r, struct err *err);
int get_project(struct request *r, struct err *err);
int get_benchmarks(struct request *r, struct err *err);
int get_history(struct request *r, struct err *err);
int get_compare(struct request *r, struct err *err);
int get_summary(struct request *r, struct err *err);
int get_metrics(struct request *r, struct err *err);
int get_regressions(struct request *r, struct err *err);

#endif
