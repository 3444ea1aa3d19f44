/*
 * bundle - follows the shared objects of an executable as the dynamic loader would.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/cache.h"
#include "collector/elf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAX_OBJECTS 256

void bundle_release(struct bundle *b)
{
	free(b->exe);
	strv_release(&b->objects);
	memset(b, 0, sizeof(*b));
}

/* Folders of the system: what lies there belongs to the machine, not to the commit. */
static bool is_system(const char *path)
{
	static const char *const folders[] = { "/lib/",	    "/lib32/",	   "/lib64/",
					       "/usr/lib/", "/usr/lib64/", "/usr/lib32/" };
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (str_starts(path, folders[i]))
			return true;
	return false;
}

/* One folder of a search path, $ORIGIN replaced by the folder of the object. */
static void expand(const char *part, size_t n, const char *object, struct buf *out)
{
	static const char *const marks[] = { "$ORIGIN", "${ORIGIN}" };
	const char *slash = strrchr(object, '/');
	size_t i, m;

	buf_reset(out);
	while (n) {
		for (m = 0; m < 2; m++)
			if (n >= strlen(marks[m]) && !strncmp(part, marks[m], strlen(marks[m])))
				break;
		if (m == 2) {
			buf_addc(out, *part++);
			n--;
			continue;
		}
		i = strlen(marks[m]);
		buf_add(out, object, slash ? (size_t)(slash - object) : 0);
		part += i;
		n -= i;
	}
}

/* Looks for a soname along a path; whether it was found, its place in out. */
static bool find_along(const char *path, const char *object, const char *soname, struct buf *out)
{
	while (path && *path) {
		size_t n = strcspn(path, ":");

		expand(path, n, object, out);
		buf_addf(out, "/%s", soname);
		if (n && file_exists(buf_str(out)))
			return true;
		path += n;
		path += *path == ':';
	}
	return false;
}

/* Adds one object's code to the digest and its own needs to the list. */
static int add_object(struct bundle *b, struct digest *d, const char *path, struct strv *needs,
		      struct strv *origins, struct err *err)
{
	struct strv names = STRV_INIT;
	struct elf elf = { NULL, 0 };
	struct buf found = BUF_INIT;
	char *search = NULL;
	bool rpath = false;
	size_t i;
	int result = -1;

	if (elf_open(path, &elf, err) || elf_digest(&elf, d, err) ||
	    elf_needed(&elf, &names, &search, &rpath, err))
		goto out;
	for (i = 0; i < names.n; i++) {
		const char *soname = names.v[i];

		digest_adds(d, soname);
		if (!(find_along(rpath ? search : NULL, path, soname, &found) ||
		      find_along(getenv("LD_LIBRARY_PATH"), path, soname, &found) ||
		      find_along(search, path, soname, &found)) ||
		    is_system(buf_str(&found)) || strv_has(needs, soname))
			continue;
		b->rpath = b->rpath || rpath;
		if (strv_add(needs, soname, err) || strv_add(origins, buf_str(&found), err))
			goto out;
	}
	result = buf_check(&found, err);
out:
	free(search);
	buf_release(&found);
	elf_close(&elf);
	strv_release(&names);
	return result ? err_in(err, "%s", path) : 0;
}

int bundle_of(const char *exe, struct bundle *out, struct err *err)
{
	struct bundle b;
	struct digest d = DIGEST_INIT;
	struct strv needs = STRV_INIT;
	size_t i;
	int result = -1;

	memset(&b, 0, sizeof(b));
	if (str_set(&b.exe, exe, err) || digest_begin(&d, err) ||
	    add_object(&b, &d, exe, &needs, &b.objects, err))
		goto out;
	for (i = 0; i < b.objects.n; i++) {
		if (i >= MAX_OBJECTS) {
			err_set(err, ERR_LIMIT, "'%s' loads more than %d shared objects", exe,
				MAX_OBJECTS);
			goto out;
		}
		if (add_object(&b, &d, b.objects.v[i], &needs, &b.objects, err))
			goto out;
	}
	if (digest_end(&d, b.id, err))
		goto out;
	*out = b;
	memset(&b, 0, sizeof(b));
	result = 0;
out:
	digest_release(&d);
	strv_release(&needs);
	bundle_release(&b);
	return result;
}
