/*
 * curl_link - what libcurl's codes say of the way to a server.
 */
#ifndef PAWL_REPORTER_DELIVER_CURL_LINK_H
#define PAWL_REPORTER_DELIVER_CURL_LINK_H

#include <stdbool.h>

#include "lib/net/libcurl.h"

#include "reporter/deliver/post.h"

/* connected: the server had been reached when the time was over. */
enum post_link curl_link_of(CURLcode code, bool connected);

/* A refusal that came while the body was still on its way (413) is an answer all the same. */
bool curl_is_early_refusal(CURLcode code, int status);

#endif
