/*
 * lists - the lists that the API gives, a page at a time: limit, cursor, Link.
 */
#ifndef PAWL_SERVER_ANSWER_LISTS_H
#define PAWL_SERVER_ANSWER_LISTS_H

#include "server/request.h"

int get_projects(struct request *r, struct err *err);
int get_benchmarks(struct request *r, struct err *err);
int get_summaries(struct request *r, struct err *err);
int get_commits(struct request *r, struct err *err);
int get_machines(struct request *r, struct err *err);
int get_regressions(struct request *r, struct err *err);
int get_retractions(struct request *r, struct err *err);
int get_alerts(struct request *r, struct err *err);
int get_messages(struct request *r, struct err *err);

#endif
