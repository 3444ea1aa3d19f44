/* Where a bisection is kept between calls. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bisect/job.h"
#include "cli/kept/config_key.h"
#include "collector/build/trees.h"
#include "collector/machine/machine.h"
#include "collector/plan.h"
#include "lib/base/file.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#define SUFFIX ".bisect"

static int state_folder(const struct context *c, struct buf *out, struct err *err)
{
	if (!c->state_dir) {
		err_set(err, ERR_IO, "there is no folder to keep the bisection in");
		return err_hint(err,
				"make the repository's folder writable, or set XDG_STATE_HOME");
	}
	buf_addf(out, "%s/bisect", c->state_dir);
	return buf_check(out, err);
}

/* The section of that name, or the longest that it lies in. */
static const struct bench_config *config_of(const struct config *config, const char *name)
{
	const struct bench_config *found = NULL;
	size_t i;

	for (i = 0; i < config->n_benchmarks; i++) {
		const struct bench_config *b = &config->benchmarks[i];

		if (plan_lies_in(name, b->name) &&
		    (!found || strlen(b->name) > strlen(found->name)))
			found = b;
	}
	return found;
}

/* Everything that makes measurements comparable: what differs starts anew. */
static int key_of(const struct bisect_job *j, char out[DIGEST_HEX], struct err *err)
{
	const struct config *config = &j->c->config;
	const struct bench_config *b = config_of(config, j->o->benchmark);
	struct summary s; /* for its machine */
	struct buf numbers = BUF_INIT;
	struct digest d = DIGEST_INIT;
	char tools[TREES_KEY]; /* with the values of all variables that reach a build or a run */
	int result = -1;

	summary_init(&s);
	if (digest_begin(&d, err) || machine_describe(&s.machine, err) ||
	    trees_toolchain(j->c->state_dir, tools, err))
		goto out;
	buf_addf(&numbers, "%d %d %.17g", j->o->quick, j->submodules, config->threshold);
	if (buf_check(&numbers, err))
		goto out;
	digest_adds(&d, s.machine.id);
	digest_adds(&d, j->c->project);
	digest_adds(&d, j->o->benchmark);
	digest_adds(&d, j->good.id);
	digest_adds(&d, j->bad.id);
	digest_adds(&d, tools);
	digest_adds(&d, buf_str(&numbers));
	config_key_add(&d, config);
	if (b)
		config_key_bench(&d, b);
	result = digest_end(&d, out, err);
out:
	digest_release(&d);
	buf_release(&numbers);
	summary_release(&s);
	return result;
}

int bisect_job_open(struct bisect_job *j, struct err *err)
{
	struct buf path = BUF_INIT;
	struct err fault = ERR_INIT;
	char key[DIGEST_HEX];
	int result = -1;

	if (state_folder(j->c, &path, err) || key_of(j, key, err) ||
	    file_make_dirs(buf_str(&path), 0700, err))
		goto out;
	buf_addf(&path, "/%.16s%s", key, SUFFIX);
	j->path = buf_detach(&path);
	if (!j->path) {
		err_nomem(err);
		goto out;
	}
	if (j->o->reset)
		unlink(j->path);
	if (!bisect_log_load(j->path, &j->log, &fault)) {
		talk_note(j->c->talk, "going on with %zu comparisons from before", j->log.n);
	} else if (fault.code == ERR_CORRUPT) {
		talk_warn(j->c->talk, NULL, "%s: the bisection starts anew", fault.text);
	} else if (fault.code != ERR_ABSENT) {
		*err = fault;
		goto out;
	}
	result = bisect_log_ask(&j->log, j->o->benchmark, j->good.id, j->bad.id, j->c->config.build,
				err);
out:
	buf_release(&path);
	return result;
}

int bisect_job_states(const struct context *c, bool forget, struct buf *out, struct err *err)
{
	struct buf path = BUF_INIT;
	size_t n;
	struct dirent *entry;
	DIR *dir = NULL;
	int result = -1;

	if (state_folder(c, &path, err))
		goto out;
	n = path.len;
	dir = opendir(buf_str(&path));
	if (!dir && errno != ENOENT) {
		err_sys(err, ERR_IO, "cannot open '%s'", buf_str(&path));
		goto out;
	}
	while (dir && (entry = readdir(dir))) {
		struct bisect_log log = BISECT_LOG_INIT;
		const char *dot = strrchr(entry->d_name, '.');

		buf_truncate(&path, n);
		buf_addf(&path, "/%s", entry->d_name);
		if (!dot || strcmp(dot, SUFFIX) != 0)
			continue;
		if (forget)
			unlink(buf_str(&path));
		else if (bisect_log_load(buf_str(&path), &log, NULL))
			buf_addf(out, "%s: damaged\n", entry->d_name);
		else
			buf_addf(out, "%.12s..%.12s  %s  %zu comparisons\n", log.question.good,
				 log.question.bad, log.question.benchmark, log.n);
		bisect_log_release(&log);
	}
	result = buf_check(out, err);
out:
	if (dir)
		closedir(dir);
	buf_release(&path);
	return result;
}
