#include "reporter/deliver/credential.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/process/proc.h"
#include "lib/process/secret.h"
#include "lib/base/strv.h"
#include "lib/net/url.h"

#include "lib/base/banned.h"

#define MAX_ANSWER 65536
#define HELPER_NS 10000000000ull

/* Asks git; *out is left alone when it knows nothing. */
static int ask_git(const struct url *url, const char *dir, struct buf *out, struct err *err)
{
	char git[] = "git", c[] = "-c", quiet[] = "credential.interactive=false";
	char credential[] = "credential", fill[] = "fill";
	char *argv[] = { git, c, quiet, credential, fill, NULL };
	/* an empty GIT_ASKPASS hides core.askPass and SSH_ASKPASS */
	char prompt[] = "GIT_TERMINAL_PROMPT=0", askpass[] = "GIT_ASKPASS=";
	char window[] = "GCM_INTERACTIVE=never", *environment[] = { prompt, askpass, window, NULL };
	struct proc_options options = {
		.dir = dir,
		.environment = environment,
		.max = MAX_ANSWER,
		.timeout_ns = HELPER_NS,
		.spares = true, /* gpg's agent, the cache of git */
	};
	struct buf question = BUF_INIT;
	struct err fault = ERR_INIT;
	int status, result = -1;

	buf_addf(&question, "protocol=http%s\nhost=%s%s%s\n", url->is_https ? "s" : "", url->host,
		 url->port[0] ? ":" : "", url->port);
	if (url->path[0])
		buf_addf(&question, "path=%s\n", url->path + 1);
	buf_addc(&question, '\n');
	if (buf_check(&question, err))
		goto out;
	options.input = question.data;
	options.n_input = question.len;
	if (proc_run(&options, argv, out, NULL, &status, &fault)) {
		buf_truncate(out, 0);
		result = fault.code == ERR_NOMEM ? err_nomem(err) : 0;
		goto out;
	}
	if (status)
		buf_truncate(out, 0);
	result = 0;
out:
	buf_release(&question);
	return result;
}

/* The value of the line "password=..." of git's answer, cut out in place; NULL without one. */
static char *find_password(struct buf *answer)
{
	static const char key[] = "password=";
	char *line, *end;

	for (line = answer->data; line && *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (!strncmp(line, key, sizeof(key) - 1))
			return line + sizeof(key) - 1;
	}
	return NULL;
}

static int take(const char *token, const char *origin, char **out, struct err *err)
{
	const char *p;

	for (p = token; *p; p++) {
		if (*p > 0x20 && *p < 0x7f)
			continue;
		return err_set(err, ERR_CONFIG,
			       "the token from %s holds a blank or a control character", origin);
	}
	*out = str_dup(token, err);
	return *out ? 0 : -1;
}

int credential_token(const char *given, const char *server, const char *dir, char **out,
		     struct err *err)
{
	struct buf answer = BUF_INIT;
	struct url url;
	char *password;
	int result = -1;

	*out = NULL;
	if (given && *given)
		return take(given, "PAWL_TOKEN", out, err);
	if (url_parse(server, &url, err))
		return -1;
	secret_hold();
	if (ask_git(&url, dir, &answer, err))
		goto out;
	password = find_password(&answer);
	result = password && *password ? take(password, "git's credential helper", out, err) : 0;
out:
	if (answer.data)
		explicit_bzero(answer.data, answer.cap);
	buf_release(&answer);
	return result;
}

void credential_free(char *token)
{
	if (token)
		explicit_bzero(token, strlen(token));
	free(token);
}
