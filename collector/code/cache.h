/*
 * cache - the executables of past commits, so that the previous one can be run again.
 *
 * <common dir>/pawl/cache/<code id>/ holds one executable ("exe") and the shared objects
 * of the project that it loads.  The code id is a SHA-256 over what is loaded, so two
 * builds of the same code are one entry.  Both sides of a comparison run from here: files
 * that were put in place differently can differ in speed by themselves.
 */
#ifndef PAWL_COLLECTOR_CODE_CACHE_H
#define PAWL_COLLECTOR_CODE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/unit/side.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/digest/digest.h"

#define CACHE_TEMPORARY \
	"tmp." /* how the names of folders begin that are being filled or emptied \
		*/

/* An executable and the project's shared objects that it loads, by path. */
struct bundle {
	char id[DIGEST_HEX];
	char exe_sum[DIGEST_HEX]; /* of the whole file, while it was looked at; "": not known */
	char *exe;
	struct strv objects; /* paths */
	struct strv left;    /* sonames that are left to the system's folders */
	struct strv folders; /* where the loader looks for them, but in the system's */
	bool rpath;	     /* some object is found by an old-style RPATH */
	bool stays;	     /* it asks where its own file lies */
	bool may_ask;	     /* it has what it would ask that with in another way */
};

void bundle_release(struct bundle *b);

/*
 * Identifies an executable with the shared objects that the dynamic loader would find for it
 * in folders that are not the system's: by old-style RPATHs (of the object and of those that
 * brought it in), library_path (may be NULL) and LD_LIBRARY_PATH, its RUNPATH, /usr/local/lib.
 *
 * Errors: ERR_SYNTAX when it has no code identity: it is no ELF file of this machine (a
 *         script), loads an object by a path that no copy in the cache could stand in for, or
 *         one that the loader chooses by the processor (glibc-hwcaps);
 *         ERR_LIMIT more than 256 objects; ERR_ABSENT, ERR_IO, ERR_NOMEM.
 */
int bundle_of(const char *exe, const char *library_path, struct bundle *out, struct err *err);

/*
 * Puts a bundle into the cache (once) and fills side to run it from there.
 * Errors: ERR_FULL, ERR_IO, ERR_NOMEM: the cache is as before.
 */
int cache_put(const char *cache_dir, const struct bundle *b, struct side *side, struct err *err);

/* Fills side from the entry of that id.  Errors: ERR_ABSENT, ERR_NOMEM. */
int cache_get(const char *cache_dir, const char *id, struct side *side, struct err *err);

/*
 * Remembers that the entry was built in that way, a word of trees_way(); as many ways as gave the
 * same code.  Where that fails it is not known.
 */
void cache_built_by(const char *cache_dir, const char *id, const char *way);

/* Whether it is known to have been built in that way. */
bool cache_was_built_by(const char *cache_dir, const char *id, const char *way);

/*
 * Removes the entries used longest ago until at most max bytes are left, and what a pawl that
 * was killed left behind; `keep` stays.  An entry goes as a whole.  Errors: ERR_IO, ERR_NOMEM.
 */
int cache_trim(const char *cache_dir, uint64_t max_bytes, const struct strv *keep, struct err *err);

#endif
