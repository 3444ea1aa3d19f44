#include "lib/git/ids.h"

#include <string.h>

#include "lib/git/backend.h"
#include "lib/git/git_command.h"

#include "lib/base/banned.h"

static int add_ids(const char *text, const char *command, struct strv *out, struct err *err)
{
	char id[OID_TEXT];

	while (*text) {
		size_t n = strcspn(text, " \n");

		if (n < sizeof(id)) {
			memcpy(id, text, n);
			id[n] = '\0';
		}
		if (n >= sizeof(id) || !oid_is_whole(id))
			return err_set(err, ERR_GIT, "cannot understand `git %s`", command);
		if (strv_add(out, id, err))
			return -1;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return 0;
}

int ids_list(struct repo *repo, const char *const *args, struct strv *out, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	if (!git_answer(repo, NULL, args, &text, err))
		result = add_ids(buf_str(&text), args[0], out, err);
	buf_release(&text);
	return result;
}

int ids_merge_bases(struct repo *repo, const char *const *args, struct strv *out, struct err *err)
{
	struct buf text = BUF_INIT;
	int status, result = -1;

	if (!git_capture(repo, NULL, args, &text, NULL, &status, err) &&
	    (status || !add_ids(buf_str(&text), args[0], out, err)))
		result = 0;
	buf_release(&text);
	return result;
}

int ids_merge_base(struct repo *repo, const char *const *args, char out[OID_TEXT], struct err *err)
{
	struct strv found = STRV_INIT;
	int result = ids_merge_bases(repo, args, &found, err);

	if (!result && found.n)
		memcpy(out, found.v[0], strlen(found.v[0]) + 1);
	else if (!result)
		*out = '\0';
	strv_release(&found);
	return result;
}
