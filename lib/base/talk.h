/*
 * talk - how a room that must not print speaks to the user while it works.
 *
 * cli/ and server/ hand in the functions; a NULL talk or a NULL function is silence.
 */
#ifndef PAWL_BASE_TALK_H
#define PAWL_BASE_TALK_H

struct talk {
	/* Something was done otherwise than asked; cure may be NULL. */
	void (*warn)(void *ctx, const char *text, const char *cure);
	/* Worth knowing, shown unless --quiet. */
	void (*note)(void *ctx, const char *text);
	/* The state of long work: done of total steps (total 0: unknown) and what runs now. */
	void (*progress)(void *ctx, double done, double total, const char *text);
	void *ctx;
};

void talk_warn(const struct talk *talk, const char *cure, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void talk_note(const struct talk *talk, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void talk_progress(const struct talk *talk, double done, double total, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
