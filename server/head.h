/*
 * head - whether the head of a request leaves one way to read it.
 *
 * What is no HTTP at all never comes so far: libmicrohttpd answers it by itself.  What it takes,
 * but a proxy in front may read otherwise, is refused here.
 *
 * Source: RFC 9112 (HTTP/1.1), 3.2 and 6.3; RFC 9110, 8.6.
 */
#ifndef PAWL_SERVER_HEAD_H
#define PAWL_SERVER_HEAD_H

#include "server/request.h"

/* 0, or -1 with the reply decided; then what is behind the head may be another request. */
int head_check(struct request *r, const char *version);

#endif
