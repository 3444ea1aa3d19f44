/*
 * elf_self - whether a file names /proc/self/exe, or the same by a number: /proc/%d/exe.
 *
 * A short text that a compiler writes to the stack, or into a std::string, is in the file in
 * pieces: numbers of eight bytes among the instructions (gcc 13 at -O2: "/proc/se", and near it
 * "self/exe" or "lf/e").
 */
#include <string.h>

#include "collector/code/elf.h"

#include "lib/base/banned.h"

#define FIRST "/proc/se"
#define REST "lf/exe"
#define PIECE "lf/e" /* a part of the second number, whether it overlaps the first or not */
#define NUMBER "/proc/%"
#define LETTERS 4 /* of a number's format, at most */
#define EXE "/exe"
#define PAWL "PAWL_FD is not a descriptor" /* libpawl is linked into it */
#define NEAR 64				   /* bytes of instructions between the two */

static bool is_near(const struct elf *elf, size_t at)
{
	size_t from = at > NEAR ? at - NEAR : 0, behind = at + strlen(FIRST) + NEAR;
	size_t end = behind < elf->n ? behind : elf->n;

	return memmem(elf->data + from, end - from, PIECE, strlen(PIECE)) != NULL;
}

/* The text goes on at once: what it names is to be read there. */
static bool is_whole(const struct elf *elf, size_t at, bool *out_self)
{
	const unsigned char *rest = elf->data + at + strlen(FIRST);
	size_t left = elf->n - at - strlen(FIRST);

	*out_self = left >= strlen(REST) && !memcmp(rest, REST, strlen(REST));
	return left >= 3 && !memcmp(rest, REST, 3);
}

/* "/proc/%d/exe", "/proc/%lu/exe": of itself, as a rule. */
static bool names_by_number(const struct elf *elf)
{
	const unsigned char *found, *end = elf->data + elf->n;
	size_t at = 0, n;

	while (at < elf->n &&
	       (found = memmem(elf->data + at, elf->n - at, NUMBER, strlen(NUMBER)))) {
		found += strlen(NUMBER);
		for (n = 0; found + n < end && n < LETTERS && found[n] != '/'; n++)
			;
		if ((size_t)(end - found) >= n + strlen(EXE) &&
		    !memcmp(found + n, EXE, strlen(EXE)))
			return true;
		at = (size_t)(found - elf->data);
	}
	return false;
}

bool elf_names_self(const struct elf *elf)
{
	const unsigned char *found;
	size_t at = 0;
	bool self;

	while (at < elf->n && (found = memmem(elf->data + at, elf->n - at, FIRST, strlen(FIRST)))) {
		at = (size_t)(found - elf->data);
		if (is_whole(elf, at, &self) ? self : is_near(elf, at))
			return true;
		at += strlen(FIRST);
	}
	return names_by_number(elf);
}

/* "/exe" that does not go on to a longer word; an 'f' may be an instruction's. */
static bool ends_in_exe(const struct elf *elf)
{
	const unsigned char *found, *at = elf->data, *end = elf->data + elf->n;

	while ((found = memmem(at, (size_t)(end - at), EXE, strlen(EXE)))) {
		at = found + strlen(EXE);
		if (at == end || *at < 'a' || *at > 'z' || *at == 'f')
			return true;
	}
	return false;
}

/* A name of its own, as a symbol has: "environ", and not "environment". */
static bool has_name(const struct elf *elf, const char *name)
{
	size_t n = strlen(name) + 1;
	const unsigned char *at = elf->data, *end = elf->data + elf->n, *found;

	while ((found = memmem(at, (size_t)(end - at), name, n))) {
		if (found > elf->data && !found[-1])
			return true;
		at = found + 1;
	}
	return false;
}

/* What leads to the auxiliary vector, to the loader's list, and to how it lies in memory. */
static bool has_way_to_itself(const struct elf *elf)
{
	static const char *const names[] = { "dlinfo", "_r_debug", "environ", "__environ",
					     "_environ" };
	/* libpawl makes its environment anew, and would let each of its programs be looked at */
	size_t i, n = elf_mentions(elf, PAWL) ? 2 : sizeof(names) / sizeof(names[0]);

	for (i = 0; i < n; i++)
		if (has_name(elf, names[i]))
			return true;
	return elf_mentions(elf, "/maps") || elf_mentions(elf, "/auxv");
}

bool elf_may_find_itself(const struct elf *elf)
{
	static const char end[] = "\0exe";

	/* plugins beside it */
	if (elf_mentions(elf, "dlopen") && elf_mentions(elf, "$ORIGIN"))
		return true;
	if (has_way_to_itself(elf))
		return true;
	return elf_mentions(elf, "getauxval") || elf_mentions(elf, "dladdr") || ends_in_exe(elf) ||
	       memmem(elf->data, elf->n, end, sizeof(end)) != NULL;
}
