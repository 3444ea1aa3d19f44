#include "collector/layout/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/code/elf.h"
#include "collector/layout/flat.h"
#include "collector/layout/gold.h"
#include "collector/layout/libraries.h"
#include "collector/layout/script.h"
#include "collector/layout/store.h"
#include "collector/layout/traits.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define MAP_MAX ((size_t)256 << 20)
#define REFERENCE "reference"

/*
 * Its files: what it loads is the program's; reference with its relocations, map and script; of
 * what is optimised when it is linked, the record of the link that takes its place.
 */
struct reference {
	char *plain, *path, *map, *script, *flat;
};

static void reference_release(struct reference *r)
{
	free(r->plain);
	free(r->path);
	free(r->map);
	free(r->script);
	free(r->flat);
}

static char *name_of(const char *folder, const char *name, const char *end)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s/" REFERENCE "%s%s", folder, name, end);
	return buf_detach(&path);
}

char *layouts_reference(const struct layouts *l, const char *end, struct err *err)
{
	char *path = name_of(l->folder, end, "");

	if (!path)
		err_nomem(err);
	return path;
}

static int reference_name(const char *folder, const char *end, struct reference *out,
			  struct err *err)
{
	out->plain = name_of(folder, ".plain", end);
	out->path = name_of(folder, "", end);
	out->map = name_of(folder, ".map", end);
	out->script = name_of(folder, ".script", end);
	out->flat = name_of(folder, ".flat", end);
	return out->plain && out->path && out->map && out->script && out->flat ? 0 : err_nomem(err);
}

/* The link as it was, without anything more: its program must come out of it again. */
static int link_as_it_was(const struct layouts *l, const char *output, const char *code,
			  struct err *err)
{
	const struct relink relink = { .link = &l->link,
				       .output = output,
				       .timeout_ns = LAYOUT_RELINK_NS };
	char again[DIGEST_HEX];

	if (relink_run(&relink, NULL, err) || elf_code(output, again, err))
		return -1;
	return strcmp(again, code) ? err_set(err, ERR_CORRUPT, "made again, it is another program")
				   : 0;
}

/* Its relocations are no part of what is loaded: most linkers keep them beside the same program. */
static int check_reference(const struct layouts *l, const struct reference *r, const char *code,
			   struct err *err)
{
	char of_reference[DIGEST_HEX];

	if (elf_code(r->path, of_reference, err))
		return -1;
	if (!strcmp(of_reference, code))
		return 0;
	/* lld orders what lies in front otherwise when it keeps relocations */
	return link_as_it_was(l, r->plain, code, err) ||
			       traits_compare_code(r->path, r->plain, l->linker == LINKER_LLD, err)
		       ? -1
		       : 0;
}

/* lld and mold shuffle without one. */
static bool has_map(const struct layouts *l)
{
	return l->linker == LINKER_GNU || l->linker == LINKER_GOLD;
}

/* With its relocations; of GNU ld also its map, its script and slim libraries. */
static int link_reference(const struct layouts *l, const struct reference *r, struct err *err)
{
	struct buf printed = BUF_INIT;
	struct strv more = STRV_INIT;
	const struct relink relink = {
		.link = &l->link, .output = r->path, .more = &more, .timeout_ns = LAYOUT_RELINK_NS
	};
	char *script = NULL;
	int result = -1;

	if (layouts_keep_relocations(l, &more, err) ||
	    (has_map(l) && strv_addf(&more, err, "-Map=%s", r->map)) ||
	    (l->linker == LINKER_GNU && strv_add(&more, "--verbose", err)) ||
	    relink_run(&relink, &printed, err))
		goto out;
	if (l->linker != LINKER_GNU) {
		result = 0;
		goto out;
	}
	script = script_of_verbose(buf_str(&printed), err);
	if (script)
		result = file_write_new(r->script, script, strlen(script), 0600, err) ||
					 libraries_make(l, r->path, buf_str(&printed), err)
				 ? -1
				 : 0;
out:
	free(script);
	buf_release(&printed);
	strv_release(&more);
	return result;
}

static void take_flat(struct layouts *l, struct link *flat)
{
	link_release(&l->link);
	l->link = *flat;
	l->is_flat = true;
}

/* Where it was made before. */
static int read_flat(struct layouts *l, const struct reference *r, struct err *err)
{
	struct link flat = LINK_INIT;
	struct buf record = BUF_INIT;
	int result = -1;

	if (l->is_flat || !file_exists(r->flat))
		return 0;
	if (!file_read_whole(r->flat, MAP_MAX, &record, err) && !link_decode(&record, &flat, err)) {
		take_flat(l, &flat);
		result = 0;
	}
	buf_release(&record);
	return result;
}

/* Where the optimiser need not run each time: else the link stays as it is recorded. */
static int make_flat(struct layouts *l, const struct reference *r, const char *code,
		     struct err *err)
{
	char *stem = path_join(l->folder, "optimised", err);
	struct link flat = LINK_INIT;
	struct buf record = BUF_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	if (!stem)
		return -1;
	if (!flat_is_needed(&l->link) ||
	    flat_make(&l->link, l->linker, stem, code, &flat, &fault)) {
		result = err_is_fatal(&fault) ? -1 : 0;
		if (result && err)
			*err = fault;
	} else if (!link_encode(&flat, &record, err) &&
		   !file_write_whole(r->flat, record.data, record.len, 0600, err)) {
		take_flat(l, &flat);
		flat = (struct link)LINK_INIT;
		result = 0;
	}
	link_release(&flat);
	buf_release(&record);
	free(stem);
	return result;
}

/* Under the lock.  What it makes lies there whole or not at all: its own file comes last. */
static int make_reference(struct layouts *l, const struct reference *r, const char *code,
			  struct err *err)
{
	struct reference before = { .path = NULL };
	int result = -1;

	if (reference_name(l->folder, STORE_UNFINISHED, &before, err))
		goto out;
	if (make_flat(l, r, code, err) || link_reference(l, &before, err) ||
	    check_reference(l, &before, code, err))
		goto clear;
	if ((has_map(l) && rename(before.map, r->map)) ||
	    (l->linker == LINKER_GNU && rename(before.script, r->script)) ||
	    rename(before.path, r->path))
		err_sys(err, ERR_IO, "cannot make '%s'", r->path);
	else
		result = 0;
clear:
	unlink(before.plain);
	unlink(before.path);
	unlink(before.map);
	unlink(before.script);
out:
	reference_release(&before);
	return result;
}

static int read_map(struct layouts *l, const struct reference *r, struct err *err)
{
	struct buf map = BUF_INIT, script = BUF_INIT;
	int result = -1;

	if (file_read_whole(r->map, MAP_MAX, &map, err) ||
	    file_read_whole(r->script, MAP_MAX, &script, err))
		goto out;
	buf_adds(&map, "");
	buf_adds(&script, "");
	if (buf_check(&map, err) || buf_check(&script, err) ||
	    map_read(buf_detach(&map), &l->map, err))
		goto out;
	l->script = buf_detach(&script);
	result = 0;
out:
	buf_release(&map);
	buf_release(&script);
	return result;
}

static int read_names(struct layouts *l, const struct reference *r, struct err *err)
{
	struct buf map = BUF_INIT;
	int result = file_read_whole(r->map, MAP_MAX, &map, err) ||
				     gold_names(buf_str(&map), &l->names, err)
			     ? -1
			     : 0;

	buf_release(&map);
	return result;
}

/* Reads what the reference has; -1 where it is not there, or not whole. */
static int read_reference(struct layouts *l, const struct reference *r, struct err *err)
{
	if (read_flat(l, r, err))
		return -1;
	if (l->linker == LINKER_MOLD && traits_refuse_data_start(r->path, err))
		return -1;
	if (!traits_read(r->path, &l->traits, err) &&
	    (l->linker != LINKER_GNU || !read_map(l, r, err)) &&
	    (l->linker != LINKER_GOLD || !read_names(l, r, err))) {
		free(l->libraries);
		l->libraries = l->linker == LINKER_GNU ? libraries_find(l) : NULL;
		return 0;
	}
	strv_cut(&l->names, 0);
	strv_cut(&l->traits, 0);
	return -1;
}

bool reference_is_lasting(enum err_code code)
{
	return code == ERR_CHILD || code == ERR_ABSENT || code == ERR_CORRUPT ||
	       code == ERR_SYNTAX || code == ERR_TIMEOUT || code == ERR_LIMIT;
}

int reference_find(struct layouts *l, const char *code, struct err *err)
{
	struct reference r = { .path = NULL };
	struct buf why = BUF_INIT;
	struct err fault = ERR_INIT;
	int lock_fd = -1, result = -1;

	if (reference_name(l->folder, "", &r, err))
		goto out;
	if (!read_reference(l, &r, NULL)) {
		result = 0;
		goto out;
	}
	if (store_lock(l->folder, &lock_fd, err) || store_reason(r.path, &why, err))
		goto out;
	if (why.len) {
		err_set(err, ERR_ABSENT, "%s", buf_str(&why));
		goto out;
	}
	result = !read_reference(l, &r, NULL)						? 0
		 : make_reference(l, &r, code, &fault) || read_reference(l, &r, &fault) ? -1
											: 0;
	if (result && reference_is_lasting(fault.code)) {
		store_refuse(r.path, fault.text);
		fault.code = ERR_ABSENT;
	}
	if (result && err)
		*err = fault;
out:
	file_close(&lock_fd);
	buf_release(&why);
	reference_release(&r);
	return result;
}
