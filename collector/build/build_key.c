#include "collector/build/build_key.h"

#include <string.h>

#include "collector/child/env.h"
#include "lib/base/strv.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

/* Whether a variable says how something is built, not where tools and files are. */
static bool says_how(const char *entry)
{
	static const char *const starts[] = {
		"CC=",	    "CXX=",	    "CFLAGS=", "CXXFLAGS=",	   "CPPFLAGS=",
		"LDFLAGS=", "FC=",	    "FFLAGS=", "RUSTFLAGS=",	   "RUSTUP_TOOLCHAIN=",
		"GOFLAGS=", "GOTOOLCHAIN=", "CGO_",    "CMAKE_GENERATOR=", "BENCH_"
	};

	return STR_STARTS_ONE_OF(entry, starts) || child_env_is_named(entry);
}

int build_key(const struct config *config, bool submodules, char out[BUILD_KEY], struct err *err)
{
	struct digest d = DIGEST_INIT;
	struct strv env = STRV_INIT;
	char hex[DIGEST_HEX];
	size_t i;
	int result = -1;

	if (child_env(&env, err) || digest_begin(&d, err))
		goto out;
	strv_sort(&env);
	digest_adds(&d, config->build);
	digest_add_list(&d, &config->sources);
	for (i = 0; i < env.n; i++)
		if (says_how(env.v[i]))
			digest_adds(&d, env.v[i]);
	if (submodules || config->submodules == CONFIG_SUBMODULES_ALWAYS)
		digest_adds(&d, "submodules");
	if (digest_end(&d, hex, err))
		goto out;
	memcpy(out, hex, BUILD_KEY - 1);
	out[BUILD_KEY - 1] = '\0';
	result = 0;
out:
	digest_release(&d);
	strv_release(&env);
	return result;
}
