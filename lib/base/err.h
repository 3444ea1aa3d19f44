/*
 * err - one error value, filled by whoever finds the fault.
 *
 * A function that can fail returns 0 or -1 and takes a struct err * last.  The
 * finder calls err_set() or err_sys(); callers may put context in front with
 * err_in() and a cure behind with err_hint().  Only cli/ and server/main.c
 * print.  Every function here that fills it accepts err == NULL and then only
 * returns -1.
 */
#ifndef PAWL_BASE_ERR_H
#define PAWL_BASE_ERR_H

#include <stdbool.h>

enum err_code {
	ERR_NONE = 0,
	ERR_ABSENT,   /* what was asked for is not there: often expected */
	ERR_RANGE,    /* a number outside what the call accepts */
	ERR_USAGE,    /* wrong command line */
	ERR_CONFIG,   /* wrong configuration */
	ERR_SYNTAX,   /* input that cannot be parsed */
	ERR_LIMIT,    /* input larger than a stated limit */
	ERR_IO,	      /* the operating system refused */
	ERR_FULL,     /* no space, no inodes, quota */
	ERR_NOMEM,    /* memory ran out */
	ERR_GIT,      /* the repository cannot be read */
	ERR_STORE,    /* the database refused */
	ERR_CORRUPT,  /* stored data is damaged */
	ERR_NEWER,    /* written by a newer pawl */
	ERR_BUSY,     /* somebody else holds it; try again */
	ERR_CONFLICT, /* the same id with other content */
	ERR_NET,      /* the network or the server failed: may work later */
	ERR_REFUSED,  /* the server said no: will not work later */
	ERR_CHILD,    /* a build or a benchmark failed */
	ERR_TIMEOUT,  /* a deadline passed */
	ERR_STOPPED,  /* a signal asked us to stop */
	ERR_LATER     /* what it needs was asked for: call it again, see db_together() */
};

struct err {
	enum err_code code;
	char text[768]; /* one line, lower case, no full stop */
	char hint[512]; /* the cure, or "" */
};

#define ERR_INIT \
	{ \
		ERR_NONE, "", "" \
	}

/* Forgets what *err says. */
void err_clear(struct err *err);

/*
 * Records a fault and forgets an earlier hint.  The text is cut at the size of the
 * field; a line break in it becomes a space, another control character a '?'.  An
 * argument may be err->text itself.  Returns -1 always, so that callers can return it.
 */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* As err_set with ": strerror(errno)" behind; ENOSPC, EDQUOT give ERR_FULL, ENOMEM ERR_NOMEM. */
int err_sys(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts context in front: "CONTEXT: what was there".  Returns -1. */
int err_in(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets the cure, if none is set yet.  Returns -1. */
int err_hint(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The fault that every failed allocation reports.  Returns -1. */
int err_nomem(struct err *err);

/* The fault of whoever gives up since a signal asked us to stop.  Returns -1. */
int err_stopped(struct err *err);

/*
 * Whether a fault ends all work, however small the part is that met it: a signal asked us to stop,
 * or memory ran out.  Any other is of what was tried, and may become the reason why a part is left
 * out.
 */
bool err_is_fatal(const struct err *err);

/* Whether a fault is of stored bytes themselves: it will be the same whenever they are read. */
bool err_is_of_bytes(const struct err *err);

#if defined(__clang_analyzer__) && !defined(PAWL_BASE_ERR_C)
/* Looking at one file at a time, it would think that these may return 0. */
#define err_set(...) ((void)err_set(__VA_ARGS__), -1)
#define err_sys(...) ((void)err_sys(__VA_ARGS__), -1)
#define err_in(...) ((void)err_in(__VA_ARGS__), -1)
#define err_hint(...) ((void)err_hint(__VA_ARGS__), -1)
#define err_nomem(...) ((void)err_nomem(__VA_ARGS__), -1)
#define err_stopped(...) ((void)err_stopped(__VA_ARGS__), -1)
#endif

/*
 * Makes a text from outside (a server, a benchmark) fit for one line of a terminal, in place:
 * line breaks and tabs become blanks, all other control characters '?'.
 */
void err_clean(char *text);

/* A short stable word for a code: "absent", "range", ...; never NULL. */
const char *err_name(enum err_code code);

#endif
