/*
 * libcurl - the functions of libcurl that pawl calls, opened when something is to be posted.
 *
 * libcurl.easy_init() is curl_easy_init(), and so on; no call
 * before libcurl_open() has returned 0.
 */
#ifndef PAWL_NET_LIBCURL_H
#define PAWL_NET_LIBCURL_H

#include <curl/curl.h>

#include "lib/base/err.h"

#define LIBCURL_CALLS(CALL) \
	CALL(easy_cleanup) \
	CALL(easy_getinfo) \
	CALL(easy_init) \
	CALL(easy_perform) \
	CALL(easy_reset) \
	CALL(easy_setopt) \
	CALL(easy_strerror) \
	CALL(global_cleanup) \
	CALL(global_init) \
	CALL(slist_append) \
	CALL(slist_free_all) \
	CALL(version)

#define CALL(name) __typeof__(&curl_##name) name;
struct libcurl {
	LIBCURL_CALLS(CALL)
};
#undef CALL

extern struct libcurl libcurl;

/* Errors: ERR_NET, with the cure.  Cost: lib/process/library.h; about 5 ms the first time. */
int libcurl_open(struct err *err);

#endif
