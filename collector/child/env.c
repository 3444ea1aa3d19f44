#include "collector/child/env.h"

#include <limits.h>
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

#define N_ALLOWED (sizeof(allowed) / sizeof(allowed[0]))
_Static_assert(N_ALLOWED <= UCHAR_MAX, "struct initials counts them in bytes");

static struct strv also; /* names */

int child_env_also(const struct strv *names, struct err *err)
{
	strv_release(&also);
	return names->n ? strv_add_all(&also, names->v, err) : 0;
}

bool child_env_is_named(const char *entry)
{
	size_t i, n = also.n ? strcspn(entry, "=") : 0;

	for (i = 0; i < also.n; i++)
		if (strlen(also.v[i]) == n && !strncmp(entry, also.v[i], n))
			return true;
	return false;
}

/* A name that ends in '*' is the start of names.  The first byte of both is the same. */
static bool is_of_name(const char *entry, const char *name)
{
	for (; *name && *name == *entry; name++)
		entry++;
	return *name == '*' || (!*name && (*entry == '=' || !*entry));
}

/* Each name's place, from 1 on, in a list of those that begin with the same byte. */
struct initials {
	unsigned char first[UCHAR_MAX + 1], next[N_ALLOWED + 1];
};

/* Looked through for each variable before each run: most names begin with other letters. */
static const struct initials *get_initials(void)
{
	static struct initials made;
	static bool is_made;
	size_t i;

	for (i = N_ALLOWED; !is_made && i > 0; i--) {
		unsigned char letter = (unsigned char)*allowed[i - 1];

		made.next[i] = made.first[letter];
		made.first[letter] = (unsigned char)i;
	}
	is_made = true;
	return &made;
}

static bool is_allowed(const char *entry)
{
	const struct initials *by = get_initials();
	size_t i;

	for (i = by->first[(unsigned char)*entry]; i; i = by->next[i])
		if (is_of_name(entry, allowed[i - 1]))
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

static bool has_name_of(const struct strv *list, const char *entry)
{
	size_t i, n = strcspn(entry, "=");

	for (i = 0; i < list->n; i++)
		if (!strncmp(list->v[i], entry, n) && list->v[i][n] == '=')
			return true;
	return false;
}

int child_env_over(const struct strv *env, const struct strv *own, struct strv *out,
		   struct err *err)
{
	size_t i;

	for (i = 0; i < env->n; i++)
		if (!has_name_of(own, env->v[i]) && strv_add(out, env->v[i], err))
			return -1;
	return own->n ? strv_add_all(out, own->v, err) : 0;
}

/* "NAME=FIRST:SECOND", of what there is. */
static int add_paths(const char *name, const char *first, const char *second, struct strv *out,
		     struct err *err)
{
	bool both = first && *first && second && *second;

	return strv_addf(out, err, "%s=%s%s%s", name, first ? first : "", both ? ":" : "",
			 second ? second : "");
}

/* The folders and objects of the cache, beside those of the side's own. */
static int add_cached(const struct side *side, struct strv *out, struct err *err)
{
	const char *own_path = strv_value(&side->env, "LD_LIBRARY_PATH");
	const char *own_preload = strv_value(&side->env, "LD_PRELOAD");
	const char *path = side->library_path;

	if (own_path ? add_paths("LD_LIBRARY_PATH", own_path, path, out, err)
		     : add_paths("LD_LIBRARY_PATH", path, getenv("LD_LIBRARY_PATH"), out, err))
		return -1;
	return side->preload ? add_paths("LD_PRELOAD", own_preload, side->preload, out, err) : 0;
}

int child_env_of_side(const struct side *side, struct strv *out, struct err *err)
{
	struct strv plain = STRV_INIT, cached = STRV_INIT, own = STRV_INIT;
	int result = -1;

	if (!side->library_path && !side->env.n)
		return child_env(out, err);
	if (child_env(&plain, err) || (side->library_path && add_cached(side, &cached, err)) ||
	    child_env_over(&side->env, &cached, &own, err) ||
	    child_env_over(&plain, &own, out, err))
		goto out;
	result = 0;
out:
	strv_release(&plain);
	strv_release(&cached);
	strv_release(&own);
	return result;
}
