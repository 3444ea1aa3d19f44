#include "collector/unconfigured.h"

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

static bool is_configured(const struct repo *repo)
{
	struct buf path = BUF_INIT;
	bool is = repo_top(repo);

	buf_addf(&path, "%s/.pawlconfig", is ? repo_top(repo) : "");
	is = is && !buf_check(&path, NULL) && file_exists(buf_str(&path));
	buf_release(&path);
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
