/*
 * login - the form that asks for a token.
 */
#ifndef PAWL_SERVER_PAGE_LOGIN_H
#define PAWL_SERVER_PAGE_LOGIN_H

#include "server/request.h"

#define LOGIN_PATH "/login"
#define LOGOUT_PATH "/logout"

/* Whether a page may lead there once somebody has logged in: a page of ours, and nothing else. */
bool login_leads(const char *to);

/* Writes the page; to: where it leads, "/" unless login_leads(); message NULL: nothing went wrong.
 */
void login_write(struct request *r, const char *to, const char *message);

#endif
