/*
 * executed_kept - what is known of a run, in a file beside the program's layouts.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collector/child/named.h"
#include "collector/extent/executed_local.h"
#include "lib/base/file.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#define MAGIC "pawl executed 8\n"
#define HEAD (sizeof(MAGIC) - 1 + DIGEST_HEX) /* with the digest of the rest, a line */
#define FILE_MAX ((size_t)16 << 20)
#define NAME_DIGITS 16

char *executed_path(const char *folder, const struct strv *key, struct err *err)
{
	struct digest d = DIGEST_INIT;
	struct buf path = BUF_INIT;
	char hex[DIGEST_HEX], *result = NULL;
	size_t i;

	if (digest_begin(&d, err))
		return NULL;
	for (i = 0; i < key->n; i++)
		digest_adds(&d, key->v[i]);
	if (!digest_end(&d, hex, err)) {
		buf_addf(&path, "%s/executed-%.*s", folder, NAME_DIGITS, hex);
		if (!buf_check(&path, err))
			result = buf_detach(&path);
	}
	buf_release(&path);
	return result;
}

/*
 * Lines: "ADDRESS" of each function, " FILE" of each file, "?FILE" of each that it asks for,
 * "=STATE FILE" of each elsewhere.
 */

/* A function that damage took from it would be one that is not executed. */
static bool is_whole(const struct buf *text)
{
	char sum[DIGEST_HEX];

	return text->len >= HEAD && strlen(text->data) == text->len &&
	       str_starts(text->data, MAGIC) && text->data[HEAD - 1] == '\n' &&
	       !digest_of(text->data + HEAD, text->len - HEAD, sum, NULL) &&
	       !strncmp(text->data + sizeof(MAGIC) - 1, sum, DIGEST_HEX - 1);
}

static bool take_line(char *line, const struct entries *e, struct executed *out)
{
	char *end;
	uint64_t address;
	const uint64_t *found;

	if (*line == ' ')
		return !strv_add(&out->files, line + 1, NULL);
	if (*line == '?')
		return !strv_add(&out->asked, line + 1, NULL);
	if (*line == '=')
		return named_is_as_it_was(line + 1) && !strv_add(&out->outside, line + 1, NULL);
	address = strtoull(line, &end, 16);
	found = entry_of(e, address);
	if (!found || *end)
		return false;
	e->hit[found - e->v] = true;
	return true;
}

/* false: nothing was kept, or it is of something else. */
bool executed_load(const char *path, const struct entries *e, struct executed *out)
{
	struct buf text = BUF_INIT;
	char *line, *rest;
	bool good = !file_read_whole(path, FILE_MAX, &text, NULL) && is_whole(&text);

	line = good ? strtok_r(text.data + HEAD, "\n", &rest) : NULL;
	for (; good && line; line = strtok_r(NULL, "\n", &rest))
		good = take_line(line, e, out);
	if (!good) {
		if (e->n)
			memset(e->hit, 0, e->n * sizeof(*e->hit));
		strv_cut(&out->files, 0);
		strv_cut(&out->asked, 0);
		strv_cut(&out->outside, 0);
	}
	buf_release(&text);
	return good;
}

/* Each in a line of its own; false: a name has more than one. */
static bool add_files(const struct strv *files, char mark, struct buf *out)
{
	size_t i;

	for (i = 0; i < files->n; i++) {
		if (strchr(files->v[i], '\n'))
			return false;
		buf_addf(out, "%c%s\n", mark, files->v[i]);
	}
	return true;
}

void executed_store(const char *path, const struct entries *e, const struct executed *known)
{
	struct buf text = BUF_INIT, all = BUF_INIT;
	char sum[DIGEST_HEX];
	bool good = !known->is_fleeting;
	size_t i;

	for (i = 0; i < known->outside.n; i++)
		buf_addf(&text, "=%s\n", known->outside.v[i]);
	for (i = 0; i < e->n; i++)
		if (e->hit[i])
			buf_addf(&text, "%" PRIx64 "\n", e->v[i]);
	good = good && add_files(&known->files, ' ', &text) && add_files(&known->asked, '?', &text);
	if (good && !buf_check(&text, NULL) && !digest_of(buf_str(&text), text.len, sum, NULL)) {
		buf_addf(&all, MAGIC "%s\n%s", sum, buf_str(&text));
		if (!buf_check(&all, NULL))
			file_write_whole(path, all.data, all.len, 0600, NULL);
	}
	buf_release(&text);
	buf_release(&all);
}

bool executed_kept_files(const char *path, struct executed *out)
{
	const struct entries none = { NULL, NULL, NULL, 0 };

	return executed_load(path, &none, out);
}

void executed_keep(const char *path, const struct parts *p, const struct executed *known)
{
	struct entries e = { NULL, NULL, NULL, 0 };
	const uint64_t *found;
	size_t i;

	if (!entries_of(p, &e, NULL)) {
		for (i = 0; i < p->n; i++) {
			found = entry_of(&e, p->v[i].address);
			if (known->runs[i] && found)
				e.hit[found - e.v] = true;
		}
		executed_store(path, &e, known);
	}
	entries_release(&e);
}
