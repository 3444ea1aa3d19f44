/*
 * session - logging in to the pages: a token is sent once, a cookie stands for it.
 *
 * The cookie reads pages and nothing else: the API takes tokens alone.
 */
#ifndef PAWL_SERVER_ANSWER_SESSION_H
#define PAWL_SERVER_ANSWER_SESSION_H

#include "server/request.h"

/* A form, by its head alone: 0, or -1 with the reply decided (403, 413, 415). */
int session_check_head(struct request *r);

/* One more piece of a form: 0, or -1 with the reply decided (413). */
int session_add(struct request *r, const char *bytes, size_t n);

/* What a form says, which is read as a query; the caller releases *out.  Errors: ERR_SYNTAX. */
int session_read_form(struct request *r, struct target *out, struct err *err);

/*
 * Whether the form is one that this session was shown: text is request.form of then.  Without a
 * session (a token in the head, --no-auth) nobody else's page can have sent it as if it were.
 */
bool session_is_own_form(const struct request *r, const char *text);

/* The page that asks for a token; the form that it sends; the one that logs out. */
int session_page(struct request *r, struct err *err);
int session_open(struct request *r, struct err *err);
int session_close(struct request *r, struct err *err);

#endif
