#include "collector/child/env.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/banned.h"

/* A name, or the start of names when it ends in '*'. */
static const char *const allowed[] = {
	"PATH",
	"HOME",
	"USER",
	"LOGNAME",
	"SHELL",
	"TMPDIR",
	"TZ",
	"LANG",
	"LC_*",
	"TERM",
	"CC",
	"CXX",
	"CFLAGS",
	"CXXFLAGS",
	"CPPFLAGS",
	"LDFLAGS",
	"MAKEFLAGS",
	/* where compilers and what wraps them find things */
	"CPATH",
	"C_INCLUDE_PATH",
	"CPLUS_INCLUDE_PATH",
	"LIBRARY_PATH",
	"PKG_CONFIG",
	"PKG_CONFIG_PATH",
	"PKG_CONFIG_LIBDIR",
	"CMAKE_PREFIX_PATH",
	"CMAKE_GENERATOR",
	"ACLOCAL_PATH",
	"CCACHE_DIR",
	"FC",
	"FFLAGS",
	/* other languages; no CARGO_TARGET_DIR: both sides would build into it */
	"CARGO_HOME",
	"RUSTUP_HOME",
	"RUSTUP_TOOLCHAIN",
	"RUSTFLAGS",
	"GOROOT",
	"GOPATH",
	"GOFLAGS",
	"GOCACHE",
	"GOMODCACHE",
	"GOTOOLCHAIN",
	"CGO_*",
	"JAVA_HOME",
	"BENCH_*",
	"LD_LIBRARY_PATH",
	"XDG_*",
	"ASAN_OPTIONS",
	"UBSAN_OPTIONS",
};

static struct strv also; /* names */

int child_env_also(const struct strv *names, struct err *err)
{
	strv_release(&also);
	return names->n ? strv_add_all(&also, names->v, err) : 0;
}

bool child_env_is_named(const char *entry)
{
	size_t i, n = strcspn(entry, "=");

	for (i = 0; i < also.n; i++)
		if (strlen(also.v[i]) == n && !strncmp(entry, also.v[i], n))
			return true;
	return false;
}

/* A name that ends in '*' is the start of names.  Most of both differ in their first byte. */
static bool is_of_name(const char *entry, const char *name)
{
	for (; *name && *name == *entry; name++)
		entry++;
	return *name == '*' || (!*name && (*entry == '=' || !*entry));
}

/* Of each variable, before each run. */
static bool is_allowed(const char *entry)
{
	size_t i;

	for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		if (is_of_name(entry, allowed[i]))
			return true;
	return child_env_is_named(entry);
}

int child_env(struct strv *out, struct err *err)
{
	char **entry;

	for (entry = environ; entry && *entry; entry++)
		if (is_allowed(*entry) && strv_add(out, *entry, err))
			return -1;
	return 0;
}

int child_env_of_side(const struct side *side, struct strv *out, struct err *err)
{
	const char *ours = getenv("LD_LIBRARY_PATH");
	struct strv plain = STRV_INIT;
	size_t i;
	int result = -1;

	if (!side->library_path)
		return child_env(out, err);
	if (child_env(&plain, err))
		goto out;
	for (i = 0; i < plain.n; i++)
		if (!str_starts(plain.v[i], "LD_LIBRARY_PATH=") && strv_add(out, plain.v[i], err))
			goto out;
	if (strv_addf(out, err, "LD_LIBRARY_PATH=%s%s%s", side->library_path,
		      ours && *ours ? ":" : "", ours ? ours : "") ||
	    (side->preload && strv_addf(out, err, "LD_PRELOAD=%s", side->preload)))
		goto out;
	result = 0;
out:
	strv_release(&plain);
	return result;
}
