#include "collector/layout/flat.h"

#include <dirent.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/code/elf.h"
#include "collector/layout/layout.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define OPTIONS "COLLECT_GCC_OPTIONS="
#define DUMPDIR "'-dumpdir' '"
#define BITCODE "BC\xc0\xde"

/* Where the objects stand: where what was optimised first stood, or behind all (lld). */
enum flat_place { FLAT_FIRST, FLAT_LAST };

/* ---- what is optimised ---------------------------------------------------------------------- */

static bool is_optimised(const struct link *l, const char *word)
{
	struct buf path = BUF_INIT;
	struct elf file;
	bool is = false;

	if (*word == '-' || !strcmp(word, l->output))
		return false;
	buf_addf(&path, "%s%s%s", *word == '/' ? "" : l->folder, *word == '/' ? "" : "/", word);
	if (!buf_check(&path, NULL) && !elf_map(buf_str(&path), &file, NULL)) {
		is = !memcmp(file.data, BITCODE, strlen(BITCODE)) ||
		     (!memcmp(file.data, ELFMAG, SELFMAG) && file.data[16] != ET_DYN &&
		      elf_mentions(&file, ".gnu.lto_"));
		elf_close(&file);
	}
	buf_release(&path);
	return is;
}

bool flat_is_needed(const struct link *l)
{
	size_t i;

	for (i = 0; i < l->words.n; i++)
		if (is_optimised(l, l->words.v[i]))
			return true;
	return false;
}

/* ---- the optimiser's objects ---------------------------------------------------------------- */

/* gcc's "STEM.ltrans0.ltrans.o" or "STEM.lto.o", lld's "STEM.lto", "STEM.lto1"; else -1. */
static long number_of(const char *name, const char *stem)
{
	size_t n = strlen(stem);
	int used = 0;
	long number = 0;

	if (strncmp(name, stem, n) != 0)
		return -1;
	name += n;
	if (!strcmp(name, ".lto.o") || !strcmp(name, ".lto"))
		return 0;
	if (sscanf(name, ".lto%ld%n", &number, &used) == 1 && used && !name[used])
		return number;
	used = 0;
	if (sscanf(name, ".ltrans%ld.ltrans.o%n", &number, &used) == 1 && used && !name[used])
		return number;
	return -1;
}

struct left {
	long number;
	char *path;
};

static int by_number(const void *a, const void *b)
{
	const struct left *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

struct lefts {
	struct left *v;
	size_t n;
};

static void lefts_release(struct lefts *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->v[i].path);
	free(l->v);
}

static int add_left(struct lefts *l, const char *folder, const char *name, long number,
		    struct err *err)
{
	struct left *grown = realloc(l->v, (l->n + 1) * sizeof(*grown));
	char *path = path_join(folder, name, err);

	if (grown)
		l->v = grown;
	if (!grown || !path) {
		free(path);
		return err_nomem(err);
	}
	l->v[l->n++] = (struct left){ number, path };
	return 0;
}

/* Those that there are, in order; what else begins with the stem is removed. */
static int find_left(const char *stem, struct lefts *out, struct err *err)
{
	char *folder = strndup(stem, (size_t)(path_base(stem) - stem));
	DIR *d = folder ? opendir(folder) : NULL;
	const struct dirent *e;
	int result = -1;

	if (!d) {
		err_sys(err, ERR_IO, "cannot look into '%s'", folder ? folder : stem);
		goto out;
	}
	while ((e = readdir(d))) {
		long number = number_of(e->d_name, path_base(stem));

		if (number >= 0 && add_left(out, folder, e->d_name, number, err))
			goto out;
		if (number < 0 && str_starts(e->d_name, path_base(stem)))
			unlinkat(dirfd(d), e->d_name, 0);
	}
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_number);
	result = out->n ? 0 : err_set(err, ERR_ABSENT, "the optimiser left no objects");
out:
	if (d)
		closedir(d);
	free(folder);
	return result;
}

/* ---- asking for them ------------------------------------------------------------------------ */

/*
 * What gcc's plugin and its helpers read.  The plugin takes the first -dumpdir, with all that
 * stands behind it: there is one, the last word.
 */
static int add_options(const char *options, const char *stem, struct strv *env, struct err *err)
{
	const char *dump = strstr(options, DUMPDIR), *end = dump;

	if (!dump)
		dump = end = options + strlen(options);
	else
		end = strchr(dump + strlen(DUMPDIR), '\'');
	if (!end || (*end && end[1] && end[1] != ' '))
		return err_set(err, ERR_ABSENT, "gcc's options have a quote in them");
	return strv_addf(env, err, "%.*s%s '-save-temps' " DUMPDIR "%s.'", (int)(dump - options),
			 options, *end ? end + 1 : end, stem);
}

static int ask_gcc(const struct link *l, const char *stem, struct strv *env, struct err *err)
{
	bool found = false;
	size_t i;

	for (i = 0; i < l->env.n; i++) {
		bool is = str_starts(l->env.v[i], OPTIONS);

		found = found || is;
		if (is ? add_options(l->env.v[i], stem, env, err) : strv_add(env, l->env.v[i], err))
			return -1;
	}
	return found ? 0 : err_set(err, ERR_ABSENT, "the link was not asked for by gcc");
}

static int optimise(const struct link *l, enum linker linker, const char *stem, struct err *err)
{
	struct link asked = *l;
	struct strv more = STRV_INIT;
	struct buf output = BUF_INIT;
	struct relink r = { .link = &asked, .more = &more, .timeout_ns = LAYOUT_RELINK_NS };
	int result = -1;

	asked.env = (struct strv)STRV_INIT;
	if (strchr(stem, '\''))
		return err_set(err, ERR_ABSENT, "its folder has a quote in its name");
	buf_addf(&output, "%s.once", stem);
	if (buf_check(&output, err))
		goto out;
	r.output = buf_str(&output);
	if (linker == LINKER_LLD) {
		if (strv_add_all(&asked.env, l->env.v, err) ||
		    strv_addf(&more, err, "--lto-obj-path=%s.lto", stem))
			goto out;
	} else if (linker != LINKER_GNU && linker != LINKER_GOLD) {
		err_set(err, ERR_ABSENT, "its linker is not asked for the optimiser's objects");
		goto out;
	} else if (ask_gcc(l, stem, &asked.env, err)) {
		goto out;
	}
	result = relink_run(&r, NULL, err);
	unlink(r.output);
out:
	strv_release(&asked.env);
	strv_release(&more);
	buf_release(&output);
	return result;
}

/* ---- the link of them ----------------------------------------------------------------------- */

/* How many words are about the plugin here. */
static size_t is_plugin(const struct strv *words, size_t i)
{
	const char *word = words->v[i];

	word += *word == '-' && word[1] == '-';
	if (!strcmp(word, "-plugin") || !strcmp(word, "-plugin-opt"))
		return 2;
	return str_starts(word, "-plugin=") || str_starts(word, "-plugin-opt=") ||
	       str_starts(word, "-flto");
}

static int add_lefts(const struct lefts *lefts, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; i < lefts->n; i++)
		if (strv_add(out, lefts->v[i].path, err))
			return -1;
	return 0;
}

static int write_words(const struct link *l, const struct lefts *lefts, enum flat_place where,
		       struct strv *out, struct err *err)
{
	bool done = where == FLAT_LAST;
	size_t i, taken;

	for (i = 0; i < l->words.n; i += taken ? taken : 1) {
		taken = is_plugin(&l->words, i);
		if (taken)
			continue;
		if (!is_optimised(l, l->words.v[i])) {
			if (strv_add(out, l->words.v[i], err))
				return -1;
			continue;
		}
		if (!done && add_lefts(lefts, out, err))
			return -1;
		done = true;
	}
	return where == FLAT_LAST ? add_lefts(lefts, out, err) : 0;
}

static int write_link(const struct link *l, const char *stem, enum flat_place where,
		      struct link *out, struct err *err)
{
	struct link made = LINK_INIT;
	struct lefts lefts = { NULL, 0 };
	int result = -1;

	if (find_left(stem, &lefts, err) || str_set(&made.linker, l->linker, err) ||
	    str_set(&made.folder, l->folder, err) || str_set(&made.output, l->output, err) ||
	    strv_add_all(&made.env, l->env.v, err) ||
	    write_words(l, &lefts, where, &made.words, err))
		goto out;
	*out = made;
	made = (struct link)LINK_INIT;
	result = 0;
out:
	link_release(&made);
	lefts_release(&lefts);
	return result;
}

/* Whether that program comes of it. */
static int check(const struct link *l, const char *stem, const char *code, struct err *err)
{
	struct relink r = { .link = l, .timeout_ns = LAYOUT_RELINK_NS };
	struct buf output = BUF_INIT;
	char again[DIGEST_HEX];
	int result = -1;

	buf_addf(&output, "%s.once", stem);
	if (buf_check(&output, err))
		goto out;
	r.output = buf_str(&output);
	if (!relink_run(&r, NULL, err) && !elf_code(r.output, again, err))
		result = strcmp(again, code)
				 ? err_set(err, ERR_ABSENT,
					   "another program comes of what the optimiser left")
				 : 0;
	unlink(r.output);
out:
	buf_release(&output);
	return result;
}

int flat_make(const struct link *l, enum linker linker, const char *stem, const char *code,
	      struct link *out, struct err *err)
{
	struct link made;
	int where;

	if (optimise(l, linker, stem, err))
		return -1;
	for (where = FLAT_FIRST; where <= FLAT_LAST; where++) {
		made = (struct link)LINK_INIT;
		if (!write_link(l, stem, where, &made, err) && !check(&made, stem, code, err)) {
			*out = made;
			return 0;
		}
		link_release(&made);
	}
	return -1;
}
