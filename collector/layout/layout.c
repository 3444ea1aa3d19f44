#include "collector/layout/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/layout/script.h"
#include "collector/layout/store.h"
#include "collector/layout/traits.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

void layouts_close(struct layouts *l)
{
	free(l->top);
	free(l->folder);
	free(l->script);
	link_release(&l->link);
	map_release(&l->map);
	strv_release(&l->traits);
	*l = (struct layouts)LAYOUTS_INIT;
}

/* The linker's words for layout `number`; the script lies beside the output. */
static int write_script(const struct layouts *l, unsigned number, const char *path, struct err *err)
{
	const struct script_request rq = { .script = l->script,
					   .map = &l->map,
					   .words = &l->link.words,
					   .top = l->top,
					   .seed = l->seed + number };
	struct buf text = BUF_INIT;
	size_t n_moved;
	int result = -1;

	if (!script_make(&rq, &text, &n_moved, err))
		result = file_write_new(path, text.data, text.len, 0600, err);
	buf_release(&text);
	return result;
}

static int link_again(const struct layouts *l, unsigned number, const char *output, struct err *err)
{
	struct buf script = BUF_INIT;
	struct strv more = STRV_INIT;
	struct relink r = {
		.link = &l->link, .output = output, .more = &more, .timeout_ns = LAYOUT_RELINK_NS
	};
	int result = -1;

	buf_addf(&script, "%s.script", output);
	if (!buf_check(&script, err) && !write_script(l, number, buf_str(&script), err) &&
	    !strv_add(&more, "--emit-relocs", err) && !strv_add(&more, "-dT", err) &&
	    !strv_add(&more, buf_str(&script), err))
		result = relink_run(&r, NULL, err);
	unlink(buf_str(&script));
	strv_release(&more);
	buf_release(&script);
	return result;
}

/* Whether it is the same program. */
static int check(const struct layouts *l, const char *path, struct err *err)
{
	struct strv traits = STRV_INIT;
	int result = traits_read(path, &traits, err) || traits_compare(&l->traits, &traits, err)
			     ? -1
			     : 0;

	strv_release(&traits);
	return result;
}

/* Under the lock: makes the file at path. */
static int make(const struct layouts *l, unsigned number, const char *path, struct err *err)
{
	struct buf before = BUF_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	buf_addf(&before, "%s" STORE_UNFINISHED, path);
	if (buf_check(&before, err) || store_has_room(l->top, err))
		goto out;
	if (link_again(l, number, buf_str(&before), err))
		goto out;
	if (check(l, buf_str(&before), &fault)) {
		if (fault.code == ERR_SYNTAX || fault.code == ERR_CORRUPT)
			store_refuse(path, fault.text);
		err_set(err, fault.code == ERR_SYNTAX ? ERR_CORRUPT : fault.code,
			"layout %u is thrown away: %s", number, fault.text);
		goto out;
	}
	if (rename(buf_str(&before), path))
		err_sys(err, ERR_IO, "cannot make '%s'", path);
	else
		result = 0;
out:
	unlink(buf_str(&before));
	buf_release(&before);
	return result;
}

/* What is kept may be damaged since, by a power cut: it is looked at like a new one. */
static bool is_kept(const struct layouts *l, const char *path)
{
	return file_exists(path) && !check(l, path, NULL);
}

static int find_or_make(const struct layouts *l, unsigned number, const char *path,
			uint64_t *took_ns, struct err *err)
{
	uint64_t start = when_monotonic_ns();
	struct buf why = BUF_INIT;
	int lock_fd = -1, result = -1;

	if (is_kept(l, path)) {
		result = 0;
		goto out;
	}
	if (store_reason(path, &why, err) || store_lock(l->folder, &lock_fd, err))
		goto out;
	if (why.len) {
		err_set(err, ERR_CORRUPT, "layout %u was thrown away: %s", number, buf_str(&why));
		goto out;
	}
	result = is_kept(l, path) ? 0 : make(l, number, path, err);
	*took_ns = when_monotonic_ns() - start;
out:
	file_close(&lock_fd);
	buf_release(&why);
	return result;
}

int layout_make(struct layouts *l, unsigned number, struct layout *out, struct err *err)
{
	struct layout made = { .path = NULL };
	struct buf path = BUF_INIT;
	struct stat st;
	int result = -1;

	if (!number || number > LAYOUT_MOST)
		return err_set(err, ERR_RANGE, "layouts are numbered from 1 to %d", LAYOUT_MOST);
	buf_addf(&path, "%s/%u", l->folder, number);
	if (buf_check(&path, err) || find_or_make(l, number, buf_str(&path), &made.took_ns, err))
		goto out;
	if (stat(buf_str(&path), &st)) {
		err_sys(err, ERR_IO, "cannot find '%s'", buf_str(&path));
		goto out;
	}
	made.bytes = (uint64_t)st.st_size;
	made.path = buf_detach(&path);
	*out = made;
	result = 0;
out:
	buf_release(&path);
	return result;
}
