/*
 * extent_fixture - two builds of a small program, as pawl has them when their links were recorded.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_EXTENT_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_EXTENT_FIXTURE_H

#include "tests/unit/collector/layout/layout_fixture.h"

#include "collector/extent/differ.h"

/* One function of each kind, and what they name. */
#define EXTENT_MAIN \
	"#include <stdio.h>\n" \
	"int hot(int), rare(int), other(int);\n" \
	"static const char *const words[] = { \"one\", \"two\", \"three\" };\n" \
	"static int seen[40];\n" \
	"__attribute__((noinline)) static int usage(int x) { puts(\"usage: this\"); return x; }\n" \
	"__attribute__((noinline)) static int note(int x) { return seen[x & 31] += x; }\n" \
	"int pick(int x) { switch (x) { case 0: return note(1); case 1: return 15;\n" \
	"\tcase 2: return puts(words[x]); case 3: return 99; case 4: return seen[2];\n" \
	"\tcase 5: return note(77); case 6: return rare(1); default: return 2; } }\n" \
	"__attribute__((constructor)) static void first(void) { seen[4] = 1; }\n" \
	"int main(int c, char **v) { if (c > 3) return usage(c) + rare(c);\n" \
	"\tprintf(\"%d %s %d\\n\", hot(c), v[0], pick(c)); return 0; }\n"
#define EXTENT_PART \
	"#include <assert.h>\n" \
	"int sum, limit = 3;\n" \
	"const int factors[] = { 1, 2, 3, 5 };\n" \
	"__attribute__((noinline)) static int step(int x) { return x * 3 + factors[x & 3]; }\n" \
	"int hot(int x) { int i; for (i = 0; i < 1000; i++) sum += step(i); return sum + x; }\n" \
	"int rare(int x) { assert(x); return x * 7 + limit; }\n"
#define EXTENT_LIB "int kept; int other(int x) { return kept += x; }\n"

/* Writes the sources of a side, "base" or "head", into a folder of its name. */
static inline void write_side(const char *side)
{
	struct buf name = BUF_INIT;

	assert_int_equal(shell("rm -rf %s && mkdir -p %s/made", side, side), 0);
	buf_addf(&name, "%s/main.c", side);
	write_source(buf_str(&name), EXTENT_MAIN);
	buf_reset(&name);
	buf_addf(&name, "%s/part.c", side);
	write_source(buf_str(&name), EXTENT_PART);
	buf_reset(&name);
	buf_addf(&name, "%s/lib.c", side);
	write_source(buf_str(&name), EXTENT_LIB);
	buf_release(&name);
}

/*
 * Builds it; with these flags for the compiler and these words for the link.  What base has of the
 * same source and flags is not compiled again, nor put into an archive: ar may look through all of
 * LLVM.
 */
static inline void build_side(const char *side, const char *flags, const char *words)
{
	if (shell("cd %s && echo '%s' >flags && new= && for n in main part lib; do "
		  "cmp -s flags ../base/flags && cmp -s $n.c ../base/$n.c && "
		  "cp -p ../base/$n.o . 2>same || new=\"$new $n.c\"; done && "
		  "{ [ -z \"$new\" ] || cc %s -c $new; } && rm -f lib.a && "
		  "{ { cmp -s lib.o ../base/lib.o && cp -p ../base/lib.a . 2>same; } || "
		  "ar rc lib.a lib.o; } && "
		  "cc -fuse-ld=bfd -o made/reference main.o part.o lib.a %s -Wl,--emit-relocs "
		  "-Wl,-Map=made/reference.map",
		  side, flags, flags, words))
		fail_msg("cannot build %s", side);
}

static inline int read_side(const char *side, struct parts *out, struct err *err)
{
	struct layouts l = LAYOUTS_INIT;
	int result;

	l.linker = LINKER_GNU;
	assert_int_equal(str_set(&l.top, in_workshop(side), NULL), 0);
	assert_int_equal(str_set(&l.link.folder, l.top, NULL), 0);
	l.folder = path_join(l.top, "made", NULL);
	assert_int_equal(strv_add(&l.link.words, "main.o", NULL), 0);
	result = parts_read(&l, out, err);
	layouts_close(&l);
	return result;
}

static struct err fault; /* of the last call */

static inline int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "a b", sorted; valid until the next call. */
static inline const char *joined(struct strv *list)
{
	static struct buf line;
	size_t i;

	buf_reset(&line);
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), by_text);
	for (i = 0; i < list->n; i++)
		buf_addf(&line, "%s%s", i ? " " : "", list->v[i]);
	return buf_str(&line);
}

/* Reads both sides and compares them; *d borrows from *base and *head. */
static inline void compare(const char *what, struct parts *base, struct parts *head,
			   struct difference *d)
{
	*base = *head = (struct parts)PARTS_INIT;
	*d = (struct difference)DIFFERENCE_INIT;
	if (read_side("base", base, &fault) || read_side("head", head, &fault))
		fail_msg("%s: %s", what, fault.text);
	assert_int_equal(differ_make(base, head, d, NULL), 0);
}

static inline void release(struct parts *base, struct parts *head, struct difference *d)
{
	differ_release(d);
	parts_release(base);
	parts_release(head);
}

/* Which functions differ; and where all run but not_run, which of these see something that does. */
static inline void check(const char *what, const char *functions, const char *executed,
			 const char *not_run)
{
	struct parts base, head;
	struct difference d;
	struct strv runs = STRV_INIT;
	bool *marked;
	size_t i;

	compare(what, &base, &head, &d);
	marked = calloc(base.n + 1, sizeof(*marked));
	assert_non_null(marked);
	for (i = 0; i < base.n; i++)
		marked[i] = base.v[i].kind == PART_FUNCTION && strcmp(base.v[i].name, not_run) != 0;
	assert_int_equal(differ_executed(&d, marked, &runs, NULL), 0);
	if (d.is_elsewhere)
		fail_msg("%s: something else differs", what);
	if (strcmp(joined(&d.functions), functions) != 0)
		fail_msg("%s: '%s' differ, not '%s'", what, joined(&d.functions), functions);
	if (strcmp(joined(&runs), executed) != 0)
		fail_msg("%s: '%s' run, not '%s'", what, joined(&runs), executed);
	free(marked);
	strv_release(&runs);
	release(&base, &head, &d);
}

static inline void change_of(const char *side, const char *file, const char *script)
{
	assert_int_equal(shell("cd %s && sed -i '%s' %s.c", side, script, file), 0);
}

/* Changes a line of the head's source. */
static inline void change(const char *file, const char *script)
{
	if (shell("cd head && sed -i '%s' %s.c && ! cmp -s %s.c ../base/%s.c", script, file, file,
		  file))
		fail_msg("%s: '%s' changes nothing", file, script);
}

#endif
