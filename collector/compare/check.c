#include "collector/compare/check.h"

#include "collector/unconfigured.h"

#include "lib/base/banned.h"

int compare_check(const struct compare_request *rq, struct err *err)
{
	if (!rq->config->n_benchmarks)
		return unconfigured(rq->repo, "name a program: 'pawl compare -- PROGRAM ARGUMENTS'",
				    err);
	if (rq->working_tree && !repo_top(rq->repo))
		return err_set(err, ERR_ABSENT, "a bare repository has no work tree to compare");
	if (!rq->state_dir) {
		err_set(err, ERR_IO, "there is no folder to build and to measure in");
		return err_hint(err,
				"make the repository's folder writable, or set XDG_STATE_HOME");
	}
	return 0;
}
