#include "collector/pool/moves.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/code/elf.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define SELF "/proc/self/exe"
#define ARCHIVE "!<arch>\n"
#define MEMBER 60 /* bytes in front of one */
#define BITCODE "BC\xc0\xde"

/* What is looked for, and where. */
struct look {
	const struct link *link;
	const char *top;
	bool has_rust; /* its library is among what was linked */
};

bool moves_is_in_doubt(const char *path)
{
	struct elf elf;
	bool found;

	if (elf_map(path, &elf, NULL))
		return true;
	found = elf_names_self(&elf);
	elf_close(&elf);
	return found;
}

/* ---- one file ------------------------------------------------------------------------------- */

static bool is_rust(const char *path)
{
	const char *name = path_base(path);
	size_t n = strlen(name);

	return str_starts(name, "libstd-") && n > strlen(".rlib") &&
	       !strcmp(name + n - strlen(".rlib"), ".rlib") && strstr(path, "/rustlib/");
}

static bool is_library(const struct look *l, const char *path)
{
	return !str_below(path, l->top) && (is_rust(path) || !strcmp(path_base(path), "libc.a"));
}

static bool begins(const struct elf *file, const char *magic)
{
	return file->n >= strlen(magic) && !memcmp(file->data, magic, strlen(magic));
}

/* A library of the machine's, or of another program: what is in it is not in this one. */
static bool is_shared(const struct elf *file)
{
	return begins(file, ELFMAG) && file->n > 17 &&
	       file->data[16 + (file->data[EI_DATA] == ELFDATA2MSB)] == ET_DYN;
}

/*
 * Whether a member of an archive is LLVM's, and nothing but that: a header of 60 bytes is in front
 * of each, with its size in decimal digits at 48.
 */
static bool has_bitcode(const struct elf *file)
{
	uint64_t at = strlen(ARCHIVE), size;
	char digits[11] = "";

	if (!begins(file, ARCHIVE))
		return false;
	for (; at < file->n && file->n - at > MEMBER; at += MEMBER + size + size % 2) {
		memcpy(digits, file->data + at + 48, sizeof(digits) - 1);
		size = strtoull(digits, NULL, 10);
		if (size > file->n - at - MEMBER)
			return true; /* damaged */
		if (size >= strlen(BITCODE) &&
		    !memcmp(file->data + at + MEMBER, BITCODE, strlen(BITCODE)))
			return true;
	}
	return false;
}

/* Why it may ask, or that nobody can tell; NULL: it does not. */
static const char *doubt(const struct look *l, const struct elf *file)
{
	if (is_shared(file))
		return NULL;
	if (!begins(file, ELFMAG) && !begins(file, ARCHIVE)) {
		if (begins(file, "!<thin>\n") || begins(file, BITCODE))
			return "cannot be read for it";
		return elf_mentions(file, "INPUT") || elf_mentions(file, "GROUP")
			       ? "may name further files"
			       : NULL;
	}
	if (elf_mentions(file, "__gnu_lto_slim") || has_bitcode(file))
		return "is optimised when it is linked";
	if (elf_names_self(file))
		return "names " SELF;
	if (l->has_rust && elf_mentions(file, "current_exe"))
		return "asks for current_exe()";
	if (!l->has_rust && elf_mentions(file, "getauxval"))
		return "calls getauxval()";
	return elf_mentions(file, "$ORIGIN") || elf_mentions(file, "${ORIGIN}") ? "names $ORIGIN"
										: NULL;
}

/* A short one is none that is linked. */
static int look_at(const struct look *l, const char *path, struct err *err)
{
	const char *why;
	struct elf file;

	if (is_library(l, path) || elf_map(path, &file, NULL))
		return 0;
	why = doubt(l, &file);
	elf_close(&file);
	return why ? err_set(err, ERR_ABSENT,
			     "it may look for files beside itself, so no other file can replace "
			     "it: '%s' %s",
			     path_base(path), why)
		   : 0;
}

/* ---- all that was linked --------------------------------------------------------------------- */

/* The path of a word, from the folder that the linker ran in. */
static int place(const struct look *l, const char *word, struct buf *out, struct err *err)
{
	buf_reset(out);
	buf_addf(out, "%s%s%s", *word == '/' ? "" : l->link->folder, *word == '/' ? "" : "/", word);
	return buf_check(out, err);
}

/* The value behind an option of one letter, -L DIR or -LDIR; NULL: it is another word. */
static const char *value_of(const struct strv *words, size_t i, char letter)
{
	const char *word = words->v[i];

	if (word[0] != '-' || word[1] != letter)
		return NULL;
	return word[2] ? word + 2 : i + 1 < words->n ? words->v[i + 1] : NULL;
}

/* The C library's parts: what they name is looked for nowhere. */
static bool is_of_c(const char *name)
{
	return !strcmp(name, "c") || !strcmp(name, "m") || !strcmp(name, "gcc_s");
}

/* Every file that the name may mean: the first folder that has one, shared or not. */
static int look_at_library(const struct look *l, const char *name, struct err *err)
{
	static const char *const ends[] = { ".a", ".so" };
	const struct strv *words = &l->link->words;
	struct buf dir = BUF_INIT, path = BUF_INIT;
	bool found = is_of_c(name);
	size_t i, k;
	int result = -1;

	for (i = 0; !found && i < words->n; i++) {
		const char *folder = value_of(words, i, 'L');

		if (!folder)
			continue;
		if (place(l, folder, &dir, err))
			goto out;
		for (k = 0; k < sizeof(ends) / sizeof(ends[0]); k++) {
			buf_reset(&path);
			if (*name == ':')
				buf_addf(&path, "%s/%s", buf_str(&dir), name + 1);
			else
				buf_addf(&path, "%s/lib%s%s", buf_str(&dir), name, ends[k]);
			if (buf_check(&path, err))
				goto out;
			if (!file_exists(buf_str(&path)))
				continue;
			found = true;
			if (look_at(l, buf_str(&path), err))
				goto out;
		}
	}
	result = found ? 0
		       : err_set(err, ERR_ABSENT,
				 "it may look for files beside itself: '-l%s' is not found", name);
out:
	buf_release(&dir);
	buf_release(&path);
	return result;
}

/* What looks like an input and is not there any more might have been one that asks. */
static bool is_input(const char *word)
{
	const char *dot = strrchr(path_base(word), '.');

	return dot && (!strcmp(dot, ".o") || !strcmp(dot, ".a") || !strcmp(dot, ".rlib"));
}

static int look_at_word(const struct look *l, size_t i, struct err *err)
{
	const struct strv *words = &l->link->words;
	const char *word = words->v[i], *library = value_of(words, i, 'l');
	struct buf path = BUF_INIT;
	int result = -1;

	if (!library && str_starts(word, "--library="))
		library = word + strlen("--library=");
	else if (!strcmp(word, "--library") && i + 1 < words->n)
		library = words->v[i + 1];
	if (library)
		return look_at_library(l, library, err);
	if (*word == '-' || !strcmp(word, l->link->output))
		return 0;
	if (place(l, word, &path, err))
		goto out;
	if (file_exists(buf_str(&path)))
		result = look_at(l, buf_str(&path), err);
	else
		result = is_input(word) ? err_set(err, ERR_ABSENT, "'%s' is gone", word) : 0;
out:
	buf_release(&path);
	return result;
}

int moves_check(const struct link *link, const char *top, struct err *err)
{
	struct look l = { .link = link, .top = top };
	size_t i;

	for (i = 0; i < link->words.n; i++)
		l.has_rust = l.has_rust || is_rust(link->words.v[i]);
	for (i = 0; i < link->words.n; i++)
		if (look_at_word(&l, i, err))
			return -1;
	return 0;
}
