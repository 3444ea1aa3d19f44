#include "collector/code/identify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/code/cache.h"
#include "collector/code/inputs.h"
#include "collector/code/libtool.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define SUFFIX 16 /* hex digits of arguments and inputs behind the code id */

static bool is_program(const char *path)
{
	struct stat st;

	if (stat(path, &st) || access(path, X_OK))
		return false;
	errno = EISDIR;
	return !S_ISDIR(st.st_mode);
}

int identify_find(const char *top, const char *command, struct buf *out, struct err *err)
{
	const char *path = getenv("PATH");

	if (strchr(command, '/')) {
		buf_addf(out, "%s%s%s", command[0] == '/' ? "" : top, command[0] == '/' ? "" : "/",
			 command);
		if (buf_check(out, err))
			return -1;
		if (is_program(buf_str(out)))
			return 0;
		err_sys(err, errno == ENOENT || errno == ENOTDIR ? ERR_ABSENT : ERR_CHILD,
			"cannot run '%s'", buf_str(out));
		return err_hint(err, "correct the path; if the build makes it, set pawl.build");
	}
	while (path && *path) {
		size_t n = strcspn(path, ":");

		buf_reset(out);
		buf_addf(out, "%s%s%.*s/%s", path[0] == '/' ? "" : top, path[0] == '/' ? "" : "/",
			 (int)n, path, command);
		if (buf_check(out, err))
			return -1;
		if (n && is_program(buf_str(out)))
			return 0;
		path += n;
		path += *path == ':';
	}
	err_set(err, ERR_ABSENT, "cannot find '%s' in PATH", command);
	return err_hint(err, "for a file of the work tree write './%s'", command);
}

/* By what the paths really are: a link in the work tree may lead to an interpreter elsewhere. */
static bool is_inside(const char *path, const char *folder)
{
	char *file = realpath(path, NULL), *top = realpath(folder, NULL);
	bool inside = file && top && str_below(file, top);

	free(file);
	free(top);
	return inside;
}

/*
 * Whether a path lies in another checkout of the project than the one that is to run: what the
 * user has checked out would be taken for the commit.
 */
static bool is_foreign(const struct identify_request *rq, const char *path)
{
	return rq->foreign && is_inside(path, rq->foreign) && !is_inside(path, rq->top);
}

static int refuse_foreign(const struct identify_request *rq, const char *exe,
			  const struct bundle *bundle, struct err *err)
{
	const char *found = is_foreign(rq, exe) ? exe : NULL;
	size_t i;

	for (i = 0; !found && i < bundle->objects.n; i++)
		if (is_foreign(rq, bundle->objects.v[i]))
			found = bundle->objects.v[i];
	if (!found)
		return 0;
	err_set(err, ERR_CHILD, "it would run '%s' of your work tree, not of the commit", found);
	return err_hint(err, "name the program by its path relative to the top of the work tree, "
			     "and keep the work tree out of PATH and LD_LIBRARY_PATH");
}

/* Finds what the file loads; *out_id: it has a code identity.  *b is released by the caller. */
static int look_at(const struct identify_request *rq, const struct bench_config *config,
		   const struct libtool *lt, const char *exe, struct bundle *b, bool *out_id,
		   struct err *err)
{
	struct err fault = ERR_INIT;

	*out_id = false;
	if (!is_inside(exe, rq->top) || (!config->cache && !lt->exe))
		return 0;
	if (bundle_of(exe, lt->library_path, b, &fault))
		return fault.code == ERR_NOMEM ? err_nomem(err) : 0;
	*out_id = config->cache;
	return refuse_foreign(rq, exe, b, err) || (lt->exe && libtool_check(b, rq->top, err)) ? -1
											      : 0;
}

int identify_head(const struct identify_request *rq, const struct bench_config *config,
		  const char *exe, struct side *out, struct err *err)
{
	struct libtool lt = LIBTOOL_INIT;
	struct err fault = ERR_INIT;
	struct bundle bundle;
	struct buf id = BUF_INIT;
	char inputs[DIGEST_HEX];
	bool known;
	int result = -1;

	memset(&bundle, 0, sizeof(bundle));
	if (libtool_find(exe, &lt, err))
		return -1;
	exe = lt.exe ? lt.exe : exe;
	if (str_set(&out->exe, exe, err) || str_set(&out->library_path, lt.library_path, err) ||
	    refuse_foreign(rq, exe, &bundle, err) ||
	    look_at(rq, config, &lt, exe, &bundle, &known, err))
		goto out;
	if (!known) {
		result = 0;
		goto out;
	}
	if (inputs_digest(rq->top, config, rq->talk, inputs, &known, err))
		goto out;
	if (!known) { /* so nothing can be told to be the same */
		result = 0;
		goto out;
	}
	buf_addf(&id, "%s-%.*s", bundle.id, SUFFIX, inputs);
	out->binary_id = buf_detach(&id);
	if (!out->binary_id) {
		err_nomem(err);
		goto out;
	}
	out->stays = bundle.stays;
	out->may_ask = bundle.may_ask;
	if (str_set(&out->built, exe, err) ||
	    str_set(&out->built_library_path, lt.library_path, err))
		goto out;
	if (rq->cache_dir && !out->stays && cache_put(rq->cache_dir, &bundle, out, &fault)) {
		talk_warn(rq->talk, "free some space; later commits cannot rerun this one",
			  "'%s' was not kept in the cache: %s", exe, fault.text);
		if (str_set(&out->exe, exe, err))
			goto out;
	}
	result = 0;
out:
	libtool_release(&lt);
	bundle_release(&bundle);
	buf_release(&id);
	return result;
}
