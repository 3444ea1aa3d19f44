#include "collector/code/loader.h"

#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

const char *const loader_older_choices[] = { "tls",	 "haswell", "xeon_phi",
					     "avx512_1", "x86_64",  NULL };

bool loader_is_system(const char *path)
{
	static const char *const folders[] = { "/lib/",	    "/lib32/",	   "/lib64/",
					       "/usr/lib/", "/usr/lib64/", "/usr/lib32/" };

	return STR_STARTS_ONE_OF(path, folders);
}

/* Whether the part of a path, of n bytes, is a folder for some processors. */
static bool is_choice(const char *part, size_t n)
{
	size_t i;

	if ((n == strlen(LOADER_CHOICE) && !strncmp(part, LOADER_CHOICE, n)) ||
	    (n == strlen("x86-64-v2") && !strncmp(part, "x86-64-v", n - 1)))
		return true;
	for (i = 0; loader_older_choices[i]; i++)
		if (n == strlen(loader_older_choices[i]) &&
		    !strncmp(part, loader_older_choices[i], n))
			return true;
	return false;
}

/* Where the name begins, with the folders for processors in front of it. */
static const char *name_of(const char *path)
{
	const char *name = path_base(path), *part;

	for (; name - path > 1; name = part) {
		for (part = name - 1; part > path && part[-1] != '/'; part--)
			;
		if (!is_choice(part, (size_t)(name - 1 - part)))
			break;
	}
	return name;
}

static bool is_at(const char *folder, size_t n, const char *name)
{
	struct buf path = BUF_INIT;
	bool there;

	buf_addf(&path, "%.*s/%s", (int)n, folder, name);
	there = path.failed || file_exists(buf_str(&path));
	buf_release(&path);
	return there;
}

static size_t folder_length(const char *path)
{
	const char *name = path_base(path);

	return name > path ? (size_t)(name - path) - 1 : 0;
}

/* Whether there is one where the program was built, or where it would be looked for there. */
static bool is_in_place(const struct bundle *built, const char *name)
{
	bool found = is_at(built->exe, folder_length(built->exe), name);
	size_t i;

	for (i = 0; !found && i < built->objects.n; i++)
		found = is_at(built->objects.v[i], folder_length(built->objects.v[i]), name);
	for (i = 0; !found && i < built->folders.n; i++)
		found = is_at(built->folders.v[i], strlen(built->folders.v[i]), name);
	return found;
}

static bool is_searched(const struct bundle *at, const char *folder, size_t n)
{
	size_t i;

	for (i = 0; i < at->folders.n; i++)
		if (strlen(at->folders.v[i]) == n && !strncmp(at->folders.v[i], folder, n))
			return true;
	return false;
}

static bool is_objects_name(const struct bundle *b, const char *name)
{
	size_t i;

	for (i = 0; i < b->objects.n; i++)
		if (!strcmp(path_base(b->objects.v[i]), name))
			return true;
	return false;
}

static bool is_found_in_system(const struct strv *asked, const char *name)
{
	size_t i;

	for (i = 0; i < asked->n; i++)
		if (!strcmp(path_base(asked->v[i]), name) && loader_is_system(asked->v[i]) &&
		    file_exists(asked->v[i]))
			return true;
	return false;
}

bool loader_asks(const struct loader *l, const char *path)
{
	const char *rest = name_of(path), *name = path_base(path);
	size_t n = rest > path ? (size_t)(rest - path) - 1 : 0;

	if (strv_has(&l->at->objects, path))
		return true;
	/* that there is no such folder it notes for later */
	if (is_searched(l->at, path, strlen(path)))
		return !strv_has(l->late, path);
	if (!is_searched(l->at, path, n) || file_exists(path) || is_in_place(l->built, rest))
		return false;
	if (is_choice(name, strlen(name)))
		return true;
	if (is_objects_name(l->at, name))
		return rest < name; /* else it lies elsewhere: who asks for it there is another */
	return is_found_in_system(l->asked, name) && !is_in_place(l->built, name);
}
