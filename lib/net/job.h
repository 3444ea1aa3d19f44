/*
 * job - what a job of continuous integration was told about the commit that it checked out.
 *
 * Sources: docs.github.com, "Variables reference" (Gitea and Forgejo set the same);
 * docs.gitlab.com, "Predefined CI/CD variables reference"; the global variables of a Jenkins
 * pipeline (Branch API) and what its Git plugin sets.  All as of November 2026.
 */
#ifndef PAWL_NET_JOB_H
#define PAWL_NET_JOB_H

#include "lib/base/err.h"

/*
 * The branch that the job is of, where the job was started for just that commit (a whole id); *out
 * NULL where it is of a tag, of another commit, or where this is no job.  free() it.
 *
 * A pull request of GitHub is "5/merge", which no branch of the repository is called by accident, a
 * change request of Jenkins "PR-5"; a merge request of GitLab has the name of its branch, from a
 * fork as "GROUP/FORK:main", merged with its target as "merge:main".  An entry of GitHub's merge
 * queue or of a merge train is "queue:main", of its target: what it measures may be refused, and
 * never come to be in "main".  Errors: ERR_NOMEM.
 */
int job_branch(const char *commit, char **out, struct err *err);

#endif
