#include "collector/layout/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/layout/gold.h"
#include "collector/layout/libraries.h"
#include "collector/layout/pad.h"
#include "collector/layout/script.h"
#include "collector/layout/store.h"
#include "collector/layout/traits.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

/* For GNU ld: a script of its own; it lies beside the output, as what is made below does. */
static int write_script(const struct layouts *l, uint64_t seed, const char *path,
			struct strv *words, struct err *err)
{
	const struct script_request rq = { .script = l->script,
					   .map = &l->map,
					   .words = &l->link.words,
					   .top = l->top,
					   .seed = seed };
	struct buf text = BUF_INIT;
	size_t n_moved;
	int result = -1;

	if (!script_make(&rq, &text, &n_moved, err) &&
	    !file_write_new(path, text.data, text.len, 0600, err))
		result = strv_add(words, "-dT", err) || strv_add(words, path, err) ? -1 : 0;
	buf_release(&text);
	return result;
}

/*
 * mold and gold give what differs in flags a section of its own: gaps among constants would be the
 * first of their section where all that a program has are texts, which are merged.
 */
static unsigned pads_of(const struct layouts *l)
{
	static const char *const sections[] = { "section '.text' 1/6 0 bytes",
						"section '.rodata' 1/2 0 bytes",
						"section '.bss' 8/3 0 bytes" };
	unsigned kinds = 0;
	size_t i;

	for (i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		kinds |= strv_has(&l->traits, sections[i]) ? 1u << i : 0;
	return l->linker == LINKER_LLD ? PAD_ALL : kinds;
}

/*
 * For the others, which shuffle by themselves: an object of gaps to shuffle in.  lld is not asked
 * to move .data: some programs take the address of its start for the start of all data.
 */
static int write_pad(const struct layouts *l, uint64_t seed, const char *path, struct strv *words,
		     struct err *err)
{
	static const char *const moved[] = { ".text*", ".rodata*", ".bss*" };
	unsigned long draw = (seed & 0x7fffffff) | 1;
	size_t i;

	if (pad_write(path, seed, pads_of(l), err) || strv_add(words, path, err))
		return -1;
	if (l->linker == LINKER_MOLD)
		return strv_addf(words, err, "--shuffle-sections=%lu", draw);
	for (i = 0; i < sizeof(moved) / sizeof(moved[0]); i++)
		if (strv_addf(words, err, "--shuffle-sections=%s=%lu", moved[i], draw))
			return -1;
	return 0;
}

/* Of gold the words themselves are others: gaps stand between them. */
static int link_by_gold(const struct layouts *l, unsigned number, const char *output,
			struct err *err)
{
	const struct gold_request rq = { .link = &l->link,
					 .names = &l->names,
					 .top = l->top,
					 .seed = l->seed + number,
					 .kinds = pads_of(l),
					 .beside = output };
	struct link link = l->link;
	struct strv more = STRV_INIT;
	const struct relink r = {
		.link = &link, .output = output, .more = &more, .timeout_ns = LAYOUT_RELINK_NS
	};
	int result = -1;

	link.words = (struct strv)STRV_INIT;
	if (!gold_words(&rq, &link.words, err) && !layouts_keep_relocations(l, &more, err))
		result = relink_run(&r, NULL, err);
	gold_clean(output);
	strv_release(&link.words);
	strv_release(&more);
	return result;
}

static int link_again(const struct layouts *l, const char *libraries, unsigned number,
		      const char *output, struct err *err)
{
	struct link link = l->link;
	struct buf beside = BUF_INIT;
	struct strv more = STRV_INIT, words = STRV_INIT;
	const struct relink r = {
		.link = &link, .output = output, .more = &more, .timeout_ns = LAYOUT_RELINK_NS
	};
	int result = -1;

	if (l->linker == LINKER_GOLD)
		return link_by_gold(l, number, output, err);

	if (libraries) {
		if (libraries_words(l, libraries, &words, err))
			goto out;
		link.words = words;
	}
	buf_addf(&beside, "%s.%s", output, l->linker == LINKER_GNU ? "ld" : "o");
	if (!buf_check(&beside, err) && !layouts_keep_relocations(l, &more, err) &&
	    !(l->linker == LINKER_GNU ? write_script : write_pad)(l, l->seed + number,
								  buf_str(&beside), &more, err))
		result = relink_run(&r, NULL, err);
	unlink(buf_str(&beside));
out:
	strv_release(&words);
	strv_release(&more);
	buf_release(&beside);
	return result;
}

/* What lies on the disk may be damaged since: then with the libraries themselves. */
static int link_or_without(const struct layouts *l, unsigned number, const char *output,
			   struct err *err)
{
	struct err fault = ERR_INIT;

	if (l->libraries) {
		if (!link_again(l, l->libraries, number, output, &fault))
			return 0;
		if (fault.code != ERR_CHILD) {
			*err = fault;
			return -1;
		}
	}
	return link_again(l, NULL, number, output, err);
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
	if (link_or_without(l, number, buf_str(&before), err))
		goto out;
	if (check(l, buf_str(&before), &fault)) {
		if (fault.code == ERR_SYNTAX || fault.code == ERR_CORRUPT)
			store_refuse(path, fault.text);
		err_set(err, fault.code == ERR_SYNTAX ? ERR_CORRUPT : fault.code,
			"layout %u is thrown away: %s", number, fault.text);
		goto out;
	}
	if (store_seal(buf_str(&before), path, err))
		goto out;
	if (rename(buf_str(&before), path))
		err_sys(err, ERR_IO, "cannot make '%s'", path);
	else
		result = 0;
out:
	unlink(buf_str(&before));
	buf_release(&before);
	return result;
}

static int find_or_make(const struct layouts *l, unsigned number, const char *path,
			uint64_t *took_ns, struct err *err)
{
	uint64_t start = when_monotonic_ns();
	struct buf why = BUF_INIT;
	int lock_fd = -1, result = -1;

	/* What was damaged since, or is of a pawl that did not seal it, is made again. */
	if (store_is_sealed(path)) {
		result = 0;
		goto out;
	}
	if (store_reason(path, &why, err) || store_lock(l->folder, &lock_fd, err))
		goto out;
	if (why.len) {
		err_set(err, ERR_CORRUPT, "layout %u was thrown away: %s", number, buf_str(&why));
		goto out;
	}
	result = store_is_sealed(path) ? 0 : make(l, number, path, err);
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
