#include "collector/unconfigured.h"

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

static bool is_configured(const struct repo *repo)
{
	char *path = repo_top(repo) ? path_join(repo_top(repo), ".pawlconfig", NULL) : NULL;
	bool is = path && file_exists(path);

	free(path);
	return is;
}

int unconfigured(const struct repo *repo, const char *named, struct err *err)
{
	err_set(err, ERR_CONFIG, "no benchmark is configured");
	return is_configured(repo)
		       ? err_hint(err,
				  "%s, or write '[benchmark \"NAME\"]' with a command into "
				  ".pawlconfig; 'pawl init' tells what is missing",
				  named)
		       : err_hint(err, "run 'pawl init', which looks for benchmarks, or %s", named);
}
