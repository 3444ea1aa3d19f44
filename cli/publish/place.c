#include "cli/publish/place.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

#define LABEL_SIGNS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/"
#define LABEL_MOST 64
#define JOB_OF_GITHUB "github-actions[bot]"

void publish_place_release(struct publish_place *p)
{
	buf_release(&p->api);
	buf_release(&p->repository);
}

/* NULL where it is not set, or empty. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static bool is_gitlab(const struct forge *forge)
{
	return !strcmp(forge->name, "gitlab");
}

/* Jobs of Gitea and Forgejo have GitHub's variables, with addresses of their own. */
static const char *api_of_job(const struct forge *forge)
{
	const char *api = variable(is_gitlab(forge) ? "CI_API_V4_URL" : "GITHUB_API_URL");
	const struct forge *github = forge_find("github");

	if (!api || is_gitlab(forge))
		return api;
	if (forge != github && !strcmp(api, github->api))
		return NULL;
	return api;
}

static const char *repository_of_job(const struct forge *forge)
{
	const char *path = variable("CI_PROJECT_PATH");

	if (!is_gitlab(forge))
		return variable("GITHUB_REPOSITORY");
	return path ? path : variable("CI_PROJECT_ID");
}

/* "refs/pull/12/merge" is of number 12. */
static uint64_t number_of_job(const struct forge *forge)
{
	static const char before[] = "refs/pull/";
	const char *text = variable(is_gitlab(forge) ? "CI_MERGE_REQUEST_IID" : "GITHUB_REF");
	char digits[24];
	uint64_t number = 0;
	size_t n;

	if (text && !is_gitlab(forge))
		text = str_starts(text, before) ? text + sizeof(before) - 1 : NULL;
	n = text ? strspn(text, "0123456789") : 0;
	if (!n || n >= sizeof(digits))
		return 0;
	memcpy(digits, text, n);
	digits[n] = '\0';
	return number_u64(digits, &number) ? number : 0;
}

static int find_repository(const struct options *o, const struct forge *forge,
			   struct publish_place *out, struct err *err)
{
	const char *given = o->repository ? o->repository : repository_of_job(forge);

	if (given)
		return forge_repository(forge, given, &out->repository, err);
	err_set(err, ERR_USAGE, "no repository is named");
	return err_hint(err, "--repository %s, or %s in a job",
			is_gitlab(forge) ? "GROUP/NAME" : "OWNER/NAME",
			is_gitlab(forge) ? "CI_PROJECT_PATH" : "GITHUB_REPOSITORY");
}

static int find_number(const struct options *o, const struct forge *forge,
		       struct publish_place *out, struct err *err)
{
	uint64_t n = 0;

	if (o->number && (!number_u64(o->number, &n) || !n))
		return err_set(err, ERR_USAGE, "--number takes the number of a %s, not '%s'",
			       forge->what, o->number);
	out->at.number = o->number ? n : number_of_job(forge);
	if (out->at.number || out->at.commit)
		return 0;
	err_set(err, ERR_USAGE, "no %s is named, and there is no commit to find it by",
		forge->what);
	return err_hint(err, "say which: --number N");
}

int publish_place_of(const struct options *o, const struct forge *forge, const struct summary *s,
		     struct publish_place *out, struct err *err)
{
	const char *url = o->url ? o->url : api_of_job(forge);

	out->at.commit = s->commit.id;
	if (forge_api(forge, url, &out->api, err) || find_repository(o, forge, out, err) ||
	    find_number(o, forge, out, err))
		return -1;
	if (o->status && !s->commit.id) {
		err_set(err, ERR_USAGE, "--status needs a commit, and these results have none");
		return err_hint(err, "leave --status out: two commands were compared");
	}
	out->at.api = buf_str(&out->api);
	out->at.repository = buf_str(&out->repository);
	if (!strcmp(forge->name, "github") && variable("GITHUB_ACTIONS"))
		out->author_else = JOB_OF_GITHUB;
	return 0;
}

int publish_check_label(const char *label, struct err *err)
{
	size_t n = label ? strlen(label) : 1;

	if (n && n <= LABEL_MOST && (!label || strspn(label, LABEL_SIGNS "-") == n) &&
	    !(label && strstr(label, "--")))
		return 0;
	err_set(err, ERR_USAGE, "--label '%s' is no name", label);
	return err_hint(err, "letters, digits, '.', '_', '/' and single '-', at most %d",
			LABEL_MOST);
}
