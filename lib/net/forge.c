#include "lib/net/forge.h"

#include <string.h>

#include "lib/base/strv.h"
#include "lib/net/url.h"

#include "lib/base/banned.h"

#define ALNUM "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define NAME_MOST 255

static const struct forge forges[] = {
	{
		.name = "github",
		.api = "https://api.github.com",
		.api_path = "/api/v3",
		.token_variable = "GITHUB_TOKEN",
		.auth_header = "Authorization",
		.auth_scheme = "Bearer ",
		.comments = "/repos/%R/issues/%N/comments",
		.comment = "/repos/%R/issues/comments/%I",
		.update = "PATCH",
		.pulls = "/repos/%R/commits/%C/pulls",
		.which = "state=open&",
		.all_pulls = "/repos/%R/pulls", /* those of forks are not promised above */
		.number = "number",
		.head = "head.sha",
		.statuses = "/repos/%R/statuses/%C",
		.author = "user",
		.login = "login",
		.failed = "failure",
		.failure = "error",
		.context = "context",
		.what = "pull request",
	},
	{
		.name = "gitlab",
		.api = "https://gitlab.com/api/v4",
		.api_path = "/api/v4",
		.token_variable = "GITLAB_TOKEN",
		.auth_header = "PRIVATE-TOKEN",
		.auth_scheme = "",
		.comments = "/projects/%R/merge_requests/%N/notes",
		.comment = "/projects/%R/merge_requests/%N/notes/%I",
		.update = "PUT",
		.pulls = "/projects/%R/repository/commits/%C/merge_requests",
		.which = "state=opened&",
		.number = "iid",
		.head = "sha",
		.statuses = "/projects/%R/statuses/%C",
		.author = "author",
		.login = "username",
		.failed = "failed",
		.failure = "failed",
		.context = "name",
		.what = "merge request",
		.files = "/projects/%R/uploads",
		.file_field = "file",
		.file_address = "url",
	},
	{
		.name = "gitea",
		.api = NULL,
		.api_path = "/api/v1",
		.token_variable = "GITEA_TOKEN",
		.auth_header = "Authorization",
		.auth_scheme = "token ",
		.comments = "/repos/%R/issues/%N/comments",
		.comment = "/repos/%R/issues/comments/%I",
		.update = "PATCH",
		.pulls = "/repos/%R/pulls",
		.which = "state=open&",
		.number = "number",
		.head = "head.sha",
		.statuses = "/repos/%R/statuses/%C",
		.author = "user",
		.login = "login",
		.failed = "failure",
		.failure = "error",
		.context = "context",
		.what = "pull request",
		.files = "/repos/%R/issues/comments/%I/assets",
		.file_field = "attachment",
		.file_address = "browser_download_url",
	},
};

const struct forge *forge_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(forges) / sizeof(forges[0]); i++)
		if (!strcmp(forges[i].name, name))
			return &forges[i];
	return NULL;
}

void forge_address(const struct forge_place *place, const char *path, struct buf *out)
{
	buf_adds(out, place->api);
	for (; *path; path++) {
		if (*path != '%') {
			buf_addc(out, *path);
			continue;
		}
		switch (*++path) {
		case 'R':
			buf_adds(out, place->repository);
			break;
		case 'N':
			buf_addf(out, "%llu", (unsigned long long)place->number);
			break;
		case 'C':
			buf_adds(out, place->commit);
			break;
		default:
			buf_addf(out, "%llu", (unsigned long long)place->comment);
			break;
		}
	}
}

/* Parts of letters, digits, '.', '-' and '_', none of them "." or ".."; two, or more on GitLab. */
static bool is_name(const char *text, bool many)
{
	size_t n, parts = 0;

	for (;; text++) {
		n = strspn(text, ALNUM "._-");
		if (!n || n > NAME_MOST || strspn(text, ".") == n)
			return false;
		parts++;
		text += n;
		if (!*text)
			return many ? parts >= 2 : parts == 2;
		if (*text != '/')
			return false;
	}
}

int forge_repository(const struct forge *forge, const char *given, struct buf *out, struct err *err)
{
	bool is_gitlab = forge->login[0] == 'u';

	if (is_gitlab && *given && strspn(given, "0123456789") == strlen(given)) {
		buf_adds(out, given);
		return buf_check(out, err);
	}
	if (strlen(given) > NAME_MOST || !is_name(given, is_gitlab)) {
		err_set(err, ERR_USAGE, "'%s' names no repository", given);
		return err_hint(err, is_gitlab ? "write it like GROUP/NAME, or its number"
					       : "write it like OWNER/NAME");
	}
	for (; *given; given++)
		if (*given == '/' && is_gitlab)
			buf_adds(out, "%2F");
		else
			buf_addc(out, *given);
	return buf_check(out, err);
}

int forge_api(const struct forge *forge, const char *given, struct buf *out, struct err *err)
{
	char text[URL_TEXT];
	struct url url;

	if (!given && !forge->api) {
		err_set(err, ERR_USAGE, "--to %s needs --url: where that server is", forge->name);
		return err_hint(err, "for example: --url https://git.example.org");
	}
	if (url_parse(given ? given : forge->api, &url, err))
		return -1;
	if (!url.is_https && !url_is_loopback(&url)) {
		err_set(err, ERR_CONFIG, "plain http to '%s' would show the token to the network",
			url.host);
		return err_hint(err, "use https");
	}
	buf_adds(out, url_print(&url, "", text));
	if (!strstr(url.path, "/api") && (!forge->api || strcmp(text, forge->api) != 0))
		buf_adds(out, forge->api_path);
	return buf_check(out, err);
}
