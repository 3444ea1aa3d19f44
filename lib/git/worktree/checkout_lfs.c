/*
 * checkout_lfs - files of Git LFS, from what is already on this machine.
 *
 * The filter of git-lfs downloads what it lacks and offers no way to use only what is here, so
 * it is told to leave pointers, and these are filled in from its folder of objects.  The form of a
 * pointer and the folder are those of the Git LFS specification, version 1.
 */
#include <string.h>
#include <sys/stat.h>

#include "lib/base/file.h"
#include "lib/digest/digest.h"
#include "lib/git/git_command.h"
#include "lib/git/worktree/checkout.h"

#include "lib/base/banned.h"

#define POINTER_MAX 1024
#define OID_LINE "\noid sha256:"

/*
 * The digest a pointer names; "" for what is none, and for pointers with extensions, which a
 * program has to undo.
 */
static int read_pointer(const char *path, char out[DIGEST_HEX], struct err *err)
{
	struct buf text = BUF_INIT;
	struct err fault = ERR_INIT;
	const char *oid = NULL;
	int result = 0;

	out[0] = '\0';
	if (!file_read_whole(path, POINTER_MAX, &text, &fault)) {
		oid = strstr(buf_str(&text), "\next-") ? NULL : strstr(buf_str(&text), OID_LINE);
	} else if (fault.code != ERR_LIMIT) { /* what is longer is none */
		result = -1;
		if (err)
			*err = fault;
	}
	if (oid && strspn(oid + strlen(OID_LINE), "0123456789abcdef") == DIGEST_HEX - 1) {
		memcpy(out, oid + strlen(OID_LINE), DIGEST_HEX - 1);
		out[DIGEST_HEX - 1] = '\0';
	}
	buf_release(&text);
	return result;
}

/* Copies the object over the pointer; *out_filled false: it is not here, or not what it should be.
 */
static int fill_from(const char *object, const char *oid, const char *path, mode_t mode,
		     bool *out_filled, struct err *err)
{
	struct err fault = ERR_INIT;
	char sum[DIGEST_HEX];

	if (!digest_of_file(object, sum, &fault)) {
		*out_filled = !strcmp(sum, oid);
		return *out_filled ? file_copy(object, path, mode, err) : 0;
	}
	if (fault.code == ERR_ABSENT)
		return 0;
	if (err)
		*err = fault;
	return -1;
}

/* Puts the content in the place of the pointer; *out_filled false: it is not here. */
static int fill(const struct checkout *c, const char *name, bool *out_filled, struct err *err)
{
	struct buf path = BUF_INIT, object = BUF_INIT;
	char oid[DIGEST_HEX];
	struct stat st;
	int result = -1;

	*out_filled = false;
	buf_addf(&path, "%s/%s", c->path, name);
	if (buf_check(&path, err))
		goto out;
	if (lstat(buf_str(&path), &st) || !S_ISREG(st.st_mode)) {
		result = 0;
		goto out;
	}
	if (read_pointer(buf_str(&path), oid, err))
		goto out;
	if (!*oid) {
		result = 0;
		goto out;
	}
	buf_addf(&object, "%s/lfs/objects/%.2s/%.2s/%s", c->common_dir, oid, oid + 2, oid);
	if (!buf_check(&object, err))
		result = fill_from(buf_str(&object), oid, buf_str(&path), st.st_mode & 0777,
				   out_filled, err);
out:
	buf_release(&path);
	buf_release(&object);
	return result;
}

/* Appends the names of files that are pointers, each with its NUL. */
static int find_pointers(const struct checkout *c, struct buf *out, struct err *err)
{
	const char *const asked[] = { "grep",	    "-q", "-e",
				      "filter=lfs", "--", ":(glob)**/.gitattributes",
				      NULL };
	const char *const pointers[] = { "-c",
					 "core.quotePath=false",
					 "grep",
					 "-l",
					 "-z",
					 "-e",
					 "^version https://git-lfs.github.com/spec/v1$",
					 NULL };
	const struct git_run how = { .dir = c->path, .environment = c->environment, .stops = true };
	int status;

	if (git_run(&how, asked, NULL, NULL, &status, err))
		return -1;
	return status ? 0 : git_run(&how, pointers, out, NULL, &status, err);
}

int checkout_lfs(const struct checkout *c, struct checkout_gaps *gaps, struct err *err)
{
	struct buf list = BUF_INIT, first = BUF_INIT;
	size_t at, n = 0;
	bool filled;
	int result = -1;

	if (find_pointers(c, &list, err))
		goto out;
	for (at = 0; at < list.len; at += strlen(list.data + at) + 1) {
		if (fill(c, list.data + at, &filled, err))
			goto out;
		if (!filled && !n++)
			buf_adds(&first, list.data + at);
	}
	gaps->absent |= n > 0;
	if (n)
		buf_addf(&gaps->note,
			 "%s%zu file%s of Git LFS %s not here, as '%s': "
			 "'git lfs fetch' brings them",
			 gaps->note.len ? "; " : "", n, n == 1 ? "" : "s", n == 1 ? "is" : "are",
			 buf_str(&first));
	result = buf_check(&gaps->note, err);
out:
	buf_release(&list);
	buf_release(&first);
	return result;
}
