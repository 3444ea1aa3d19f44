#include "server/oidc/trust.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/file.h"
#include "lib/base/when.h"
#include "lib/jwt/claims.h"
#include "lib/jwt/jws.h"
#include "lib/jwt/keys.h"
#include "server/oidc/rules.h"

#include "lib/base/banned.h"

#define LOOK_NS 1000000000u

/* The keys of one issuer, as the file had them that is named so. */
struct ring {
	struct keys *keys;
	struct stat st;
	uint64_t looked_ns;
};

struct trust {
	struct rules rules;
	struct ring *rings; /* of rules.issuers, one each */
	pthread_mutex_t lock;
	struct talk talk;
};

void grant_release(struct grant *grant)
{
	free(grant->project);
	free(grant->commit);
	free(grant->branch);
	*grant = (struct grant)GRANT_INIT;
}

/* ---- keys ------------------------------------------------------------------------------- */

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* What could not be read leaves the keys of before; *out_st is not told then. */
static int read_ring(const char *path, struct ring *ring, struct err *err)
{
	struct buf text = BUF_INIT;
	struct keys *keys = NULL;
	int result = -1;

	if (!file_read_whole(path, KEYS_MAX_BYTES, &text, err) &&
	    !keys_read(buf_str(&text), text.len, &keys, err)) {
		keys_free(ring->keys);
		ring->keys = keys;
		result = 0;
	}
	buf_release(&text);
	return result ? err_in(err, "'%s'", path) : 0;
}

/* An issuer changes its keys every few weeks, and somebody brings the file up to date. */
static void look_again(struct trust *trust, size_t i)
{
	const char *path = trust->rules.issuers[i].keys;
	struct ring *ring = &trust->rings[i];
	struct err err = ERR_INIT;
	struct stat st;

	if (when_monotonic_ns() - ring->looked_ns < LOOK_NS)
		return;
	ring->looked_ns = when_monotonic_ns();
	if (stat(path, &st) || is_same(&st, &ring->st))
		return;
	ring->st = st;
	if (read_ring(path, ring, &err))
		talk_warn(&trust->talk, err.hint, "the keys of before are kept: %s", err.text);
}

static int read_rings(struct trust *trust, struct err *err)
{
	size_t i;

	trust->rings = calloc(trust->rules.n_issuers, sizeof(*trust->rings));
	if (!trust->rings)
		return err_nomem(err);
	for (i = 0; i < trust->rules.n_issuers; i++) {
		const char *path = trust->rules.issuers[i].keys;

		/* Before it is read: what changes meanwhile is read again. */
		if (stat(path, &trust->rings[i].st))
			return err_sys(err, ERR_IO, "cannot open '%s'", path);
		if (read_ring(path, &trust->rings[i], err))
			return -1;
	}
	return 0;
}

int trust_open(const char *path, const struct talk *talk, struct trust **out, struct err *err)
{
	struct trust *trust = calloc(1, sizeof(*trust));

	if (!trust)
		return err_nomem(err);
	trust->talk = *talk;
	pthread_mutex_init(&trust->lock, NULL);
	if (rules_read(path, &trust->rules, err) || read_rings(trust, err)) {
		trust_close(trust);
		return -1;
	}
	*out = trust;
	return 0;
}

void trust_close(struct trust *trust)
{
	size_t i;

	if (!trust)
		return;
	for (i = 0; trust->rings && i < trust->rules.n_issuers; i++)
		keys_free(trust->rings[i].keys);
	free(trust->rings);
	rules_release(&trust->rules);
	pthread_mutex_destroy(&trust->lock);
	free(trust);
}

/* ---- tokens ----------------------------------------------------------------------------- */

bool trust_is_signed(const char *text)
{
	const char *dot = strchr(text, '.');

	return dot && strchr(dot + 1, '.');
}

/* An issuer of this file that the token is from and for: several may differ by audience alone. */
static const struct rules_issuer *find_issuer(struct trust *trust, const struct jws *token,
					      int64_t now_us, struct err *err)
{
	const char *url = jtree_text(jtree_get(token->claims, "iss"));
	size_t i;

	err_set(err, ERR_REFUSED, "the signed token is of another issuer");
	for (i = 0; url && i < trust->rules.n_issuers; i++) {
		const struct rules_issuer *issuer = &trust->rules.issuers[i];
		int result;

		if (strcmp(issuer->url, url) != 0)
			continue;
		pthread_mutex_lock(&trust->lock);
		look_again(trust, i);
		result = keys_verify(trust->rings[i].keys, token, err);
		pthread_mutex_unlock(&trust->lock);
		if (!result &&
		    !claims_check(token->claims, issuer->url, issuer->audience, now_us, err))
			return issuer;
	}
	return NULL;
}

static const struct rules_project *find_project(const struct rules *rules, const char *issuer,
						const struct ci_job *job)
{
	size_t i;

	for (i = 0; i < rules->n_projects; i++) {
		const struct rules_project *project = &rules->projects[i];

		if (strcmp(project->issuer, issuer) != 0 ||
		    strcmp(project->repository, job->repository) != 0)
			continue;
		if (!project->repository_id ||
		    (job->repository_id && !strcmp(project->repository_id, job->repository_id)))
			return project;
	}
	return NULL;
}

static bool is_named(const struct strv *branches, const char *branch)
{
	size_t i;

	for (i = 0; branch && i < branches->n; i++)
		if (!strcmp(branches->v[i], branch))
			return true;
	return false;
}

static int give(const struct rules_project *project, const struct ci_job *job, struct grant *out,
		struct err *err)
{
	struct grant grant = { .untrusted =
				       !job->is_own || !is_named(&project->branches, job->ref) };

	if (str_set(&grant.project, project->name, err) ||
	    str_set(&grant.commit, job->commit, err) ||
	    (job->ref && str_set(&grant.branch, job->ref, err))) {
		grant_release(&grant);
		return -1;
	}
	*out = grant;
	return 0;
}

static int decide(struct trust *trust, const struct jws *token, int64_t now_us, struct grant *out,
		  struct err *err)
{
	const struct rules_issuer *issuer = find_issuer(trust, token, now_us, err);
	const struct rules_project *project;
	struct ci_job job;

	if (!issuer || ci_read(issuer->forge, token->claims, &job, err)) {
		err->code = ERR_ABSENT;
		return -1;
	}
	project = find_project(&trust->rules, issuer->name, &job);
	if (!project)
		return err_set(err, ERR_REFUSED, "no project here is of repository '%s'",
			       job.repository);
	return give(project, &job, out, err);
}

int trust_check(struct trust *trust, const char *text, int64_t now_us, struct grant *out,
		struct err *err)
{
	struct jws token = JWS_INIT;
	struct err mine = ERR_INIT;
	int result = -1;

	if (!jws_read(text, &token, &mine))
		result = decide(trust, &token, now_us, out, &mine);
	else if (mine.code != ERR_NOMEM)
		mine.code = ERR_ABSENT;
	jws_release(&token);
	if (result && err)
		*err = mine;
	return result;
}

/*
 * Pawl says FORK:BRANCH, merge:BRANCH of a merged result and queue:TARGET in a merge queue, of
 * whose target the token does not tell; git has no name with a colon.
 */
static bool is_of_branch(const struct grant *grant, const char *branch)
{
	const char *colon = strchr(branch, ':');

	if (grant->untrusted && !strncmp(branch, "queue:", 6))
		return true;
	if (grant->untrusted && colon)
		branch = colon + 1;
	return grant->branch && !strcmp(branch, grant->branch);
}

int grant_check(const struct grant *grant, const char *commit, const char *branch, struct err *err)
{
	if (!grant->commit)
		return 0;
	if (!commit || strcmp(commit, grant->commit) != 0)
		return err_set(err, ERR_REFUSED, "the token is for commit '%s'", grant->commit);
	if (branch && !is_of_branch(grant, branch))
		return err_set(err, ERR_REFUSED, "the token is not for branch '%s'", branch);
	return 0;
}
