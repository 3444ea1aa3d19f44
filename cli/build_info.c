#include "cli/build_info.h"

#include "lib/git/repo.h"
#include "lib/record/summary.h"
#include "lib/store/db.h"
#include "lib/store/local/store.h"
#include "reporter/deliver/transport_curl.h"

#include "lib/base/banned.h"

static void add(struct buf *out, const char *name, const char *version)
{
	buf_addf(out, "%-9s %s\n", name, version ? version : "not found");
}

void build_info(struct buf *out)
{
	buf_adds(out, "pawl      " PAWL_VERSION "\n"
		      "compiler  " __VERSION__ "\n");
#ifdef __OPTIMIZE__
	buf_adds(out, "optimised yes\n");
#else
	buf_adds(out, "optimised no\n");
#endif
	add(out, "libgit2", repo_library_version());
	add(out, "libcurl", transport_curl_version());
	buf_addf(out, "sqlite    %s\n", db_library_version());
	buf_addf(out, "summary   " SUMMARY_SCHEMA "\nstore     %d\n", STORE_SCHEMA);
}
