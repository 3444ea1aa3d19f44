#include "server/oidc/rules.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/git/config/scan.h"

#include "lib/base/banned.h"

#define FILE_MAX (1u << 20)

/* A setting with its place. */
struct setting {
	const char *path;
	int line;
	char *name;	 /* of its section */
	const char *key; /* lower case */
	const char *value;
};

static int fault(const struct setting *at, struct err *err, const char *what, const char *about)
{
	return err_set(err, ERR_CONFIG, "'%s' line %d: %s '%s'", at->path, at->line, what, about);
}

/* One more at the end of an array. */
static void *grow(void *array, size_t n, size_t size, struct err *err)
{
	char *more = realloc(array, (n + 1) * size);

	if (more)
		memset(more + n * size, 0, size);
	else
		err_nomem(err);
	return more;
}

static struct rules_issuer *issuer_of(struct rules *rules, const struct setting *s, struct err *err)
{
	struct rules_issuer *more;
	size_t i;

	for (i = 0; i < rules->n_issuers; i++)
		if (!strcmp(rules->issuers[i].name, s->name))
			return &rules->issuers[i];
	more = grow(rules->issuers, rules->n_issuers, sizeof(*more), err);
	if (!more)
		return NULL;
	rules->issuers = more;
	more += rules->n_issuers++;
	more->line = s->line;
	return str_set(&more->name, s->name, err) ? NULL : more;
}

static struct rules_project *project_of(struct rules *rules, const struct setting *s,
					struct err *err)
{
	struct rules_project *more;
	size_t i;

	for (i = 0; i < rules->n_projects; i++)
		if (!strcmp(rules->projects[i].name, s->name))
			return &rules->projects[i];
	more = grow(rules->projects, rules->n_projects, sizeof(*more), err);
	if (!more)
		return NULL;
	rules->projects = more;
	more += rules->n_projects++;
	more->line = s->line;
	return str_set(&more->name, s->name, err) ? NULL : more;
}

static int set_once(char **field, const struct setting *s, struct err *err)
{
	return *field ? fault(s, err, "there is more than one", s->key)
		      : str_set(field, s->value, err);
}

static int add_to_issuer(struct rules *rules, const struct setting *s, struct err *err)
{
	struct rules_issuer *issuer = issuer_of(rules, s, err);

	if (!issuer)
		return -1;
	if (!strcmp(s->key, "url"))
		return set_once(&issuer->url, s, err);
	if (!strcmp(s->key, "audience"))
		return set_once(&issuer->audience, s, err);
	if (!strcmp(s->key, "keys"))
		return set_once(&issuer->keys, s, err);
	if (strcmp(s->key, "forge") != 0 || issuer->forge)
		return fault(s, err, "an issuer has no setting", s->key);
	issuer->forge = ci_find(s->value);
	return issuer->forge ? 0 : fault(s, err, "neither 'github' nor 'gitlab':", s->value);
}

static int add_to_project(struct rules *rules, const struct setting *s, struct err *err)
{
	struct rules_project *project = project_of(rules, s, err);

	if (!project)
		return -1;
	if (!strcmp(s->key, "issuer"))
		return set_once(&project->issuer, s, err);
	if (!strcmp(s->key, "repository"))
		return set_once(&project->repository, s, err);
	if (!strcmp(s->key, "repositoryid"))
		return set_once(&project->repository_id, s, err);
	if (!strcmp(s->key, "branch"))
		return strv_add(&project->branches, s->value, err);
	return fault(s, err, "a project has no setting", s->key);
}

/* "issuer.NAME.url"; a name may have dots. */
static int add(struct rules *rules, struct setting *s, const char *key, struct err *err)
{
	const char *first = strchr(key, '.'), *last = strrchr(key, '.');
	int result = -1;

	if (!first || first == last)
		return fault(s, err, "neither of an issuer nor of a project:", key);
	if (!s->value || !*s->value)
		return fault(s, err, "there is no value for", key);
	s->key = last + 1;
	s->name = strndup(first + 1, (size_t)(last - first) - 1);
	if (!s->name)
		return err_nomem(err);
	if (!strncmp(key, "issuer.", 7))
		result = add_to_issuer(rules, s, err);
	else if (!strncmp(key, "project.", 8))
		result = add_to_project(rules, s, err);
	else
		fault(s, err, "neither of an issuer nor of a project:", key);
	free(s->name);
	return result;
}

static int check_issuers(const struct rules *rules, const char *path, struct err *err)
{
	size_t i;

	for (i = 0; i < rules->n_issuers; i++) {
		const struct rules_issuer *issuer = &rules->issuers[i];
		struct setting at = { .path = path, .line = issuer->line };

		if (!issuer->url || !issuer->audience || !issuer->keys || !issuer->forge)
			return fault(&at, err, "url, forge, audience or keys is missing of issuer",
				     issuer->name);
	}
	return rules->n_projects ? 0 : err_set(err, ERR_CONFIG, "'%s' has no project", path);
}

/* A job names its repository and no project: two of one repository could not be told apart. */
static bool is_of_same(const struct rules_project *a, const struct rules_project *b)
{
	return !strcmp(a->issuer, b->issuer) && !strcmp(a->repository, b->repository) &&
	       (!a->repository_id || !b->repository_id ||
		!strcmp(a->repository_id, b->repository_id));
}

static int check_projects(const struct rules *rules, const char *path, struct err *err)
{
	size_t i, j;

	for (i = 0; i < rules->n_projects; i++) {
		const struct rules_project *project = &rules->projects[i];
		struct setting at = { .path = path, .line = project->line };

		if (!project->issuer || !project->repository || !project->branches.n)
			return fault(&at, err, "issuer, repository or branch is missing of project",
				     project->name);
		for (j = 0; j < rules->n_issuers; j++)
			if (!strcmp(rules->issuers[j].name, project->issuer))
				break;
		if (j == rules->n_issuers)
			return fault(&at, err, "there is no issuer", project->issuer);
		for (j = 0; j < i; j++)
			if (is_of_same(&rules->projects[j], project))
				return fault(&at, err, "its repository is that of another project,",
					     rules->projects[j].name);
	}
	return 0;
}

static int read_all(struct rules *rules, const char *path, const struct buf *text, struct err *err)
{
	struct gitconfig_scan scan;
	int result = 0;

	gitconfig_scan_init(&scan, buf_str(text), text->len);
	while (!result && gitconfig_scan_next(&scan)) {
		struct setting s = { .path = path, .line = scan.key_line };

		s.value = scan.has_value ? buf_str(&scan.value) : NULL;
		result = buf_check(&scan.key, err) || buf_check(&scan.value, err) ||
					 add(rules, &s, buf_str(&scan.key), err)
				 ? -1
				 : 0;
	}
	if (!result && scan.fault_line)
		result = err_set(err, ERR_CONFIG, "'%s' line %d: %s", path, scan.fault_line,
				 scan.fault);
	gitconfig_scan_release(&scan);
	return result;
}

int rules_read(const char *path, struct rules *out, struct err *err)
{
	struct rules rules = RULES_INIT;
	struct buf text = BUF_INIT;
	int result = -1;

	if (!file_read_whole(path, FILE_MAX, &text, err) && !read_all(&rules, path, &text, err) &&
	    !check_issuers(&rules, path, err) && !check_projects(&rules, path, err)) {
		*out = rules;
		rules = (struct rules)RULES_INIT;
		result = 0;
	}
	if (result)
		err_hint(err, "pawld(8) shows what such a file holds");
	rules_release(&rules);
	buf_release(&text);
	return result;
}

void rules_release(struct rules *rules)
{
	size_t i;

	for (i = 0; i < rules->n_issuers; i++) {
		free(rules->issuers[i].name);
		free(rules->issuers[i].url);
		free(rules->issuers[i].audience);
		free(rules->issuers[i].keys);
	}
	for (i = 0; i < rules->n_projects; i++) {
		free(rules->projects[i].name);
		free(rules->projects[i].issuer);
		free(rules->projects[i].repository);
		free(rules->projects[i].repository_id);
		strv_release(&rules->projects[i].branches);
	}
	free(rules->issuers);
	free(rules->projects);
	*rules = (struct rules)RULES_INIT;
}
