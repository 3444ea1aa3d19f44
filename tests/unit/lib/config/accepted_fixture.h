/*
 * accepted_fixture - a repository for accepted changes, what was loaded, and a change to add.
 */
#ifndef PAWL_TESTS_UNIT_CONFIG_ACCEPTED_FIXTURE_H
#define PAWL_TESTS_UNIT_CONFIG_ACCEPTED_FIXTURE_H

#include "tests/unit/test_git_fixture.h"

#include <math.h>

#include "lib/config/accepted.h"

#define ID "3f786850e387550fdab836ed7e6dc881de23001b"

static struct repo *repo;
static struct accepted a;

static inline int begin(void **state)
{
	if (fixture_begin(state))
		return -1;
	run(".", "git", "init", "-q", "r");
	return repo_open(at("r"), &repo, NULL);
}

static inline int end(void **state)
{
	repo_close(repo);
	return fixture_end(state);
}

static inline int forget(void **state)
{
	(void)state;
	accepted_release(&a);
	unlink(at("r/.pawlaccepted"));
	return 0;
}

/* A change of ID, of any size; its words last until the next one. */
static inline struct accepted_change change(const char *name, const char *because,
					    const char *subject)
{
	static char text[3][ACCEPTED_BECAUSE_MAX + 100], id[] = ID;

	snprintf(text[0], sizeof(text[0]), "%s", name);
	snprintf(text[1], sizeof(text[1]), "%s", because);
	snprintf(text[2], sizeof(text[2]), "%s", subject);
	return (struct accepted_change){ .commit = id,
					 .benchmark = text[0],
					 .because = text[1],
					 .subject = text[2],
					 .authored_us = FIXTURE_AUTHOR_US,
					 .change = (double)INFINITY };
}

#endif
