#include "collector/compare/check.h"

#include "lib/base/file.h"

#include "lib/base/banned.h"

/* Whether the work tree has the file that 'pawl init' would write. */
static bool is_configured(struct repo *repo)
{
	struct buf path = BUF_INIT;
	bool is = repo_top(repo);

	buf_addf(&path, "%s/.pawlconfig", is ? repo_top(repo) : "");
	is = is && !buf_check(&path, NULL) && file_exists(buf_str(&path));
	buf_release(&path);
	return is;
}

int compare_check(const struct compare_request *rq, struct err *err)
{
	if (!rq->config->n_benchmarks) {
		err_set(err, ERR_CONFIG, "no benchmark is configured");
		return err_hint(err,
				is_configured(rq->repo)
					? "name a program: 'pawl compare -- PROGRAM ARGUMENTS', or "
					  "write '[benchmark \"NAME\"]' with a command into "
					  ".pawlconfig"
					: "run 'pawl init', which looks for benchmarks, or name a "
					  "program: 'pawl compare -- PROGRAM ARGUMENTS'");
	}
	if (rq->working_tree && !repo_top(rq->repo))
		return err_set(err, ERR_ABSENT, "a bare repository has no work tree to compare");
	if (!rq->state_dir) {
		err_set(err, ERR_IO, "there is no folder to build and to measure in");
		return err_hint(err,
				"make the repository's folder writable, or set XDG_STATE_HOME");
	}
	return 0;
}
