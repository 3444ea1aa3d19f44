/*
 * secret - keeps tokens from the programs that we start.
 *
 * They run as the same user, who may look into his processes: at the environment that a process was
 * started with below /proc, and at its memory.
 */
#ifndef PAWL_PROCESS_SECRET_H
#define PAWL_PROCESS_SECRET_H

/*
 * Moves the values of these variables (NULL-terminated) elsewhere, and wipes them where
 * /proc/PID/environ shows them; getenv() and what we start find them as before.  Where there is
 * one, secret_hold() is called.  To be called before other threads are.  Without memory one may
 * stay. Cost: a copy of each, and one system call; none of them set: a look at the environment.
 */
void secret_hide(const char *const *names);

/*
 * From now on other processes of the same user (but root's) can read neither the memory nor the
 * environment of this one, and it leaves no core behind.  What it starts is not concerned.
 */
void secret_hold(void);

#endif
