/*
 * layout_fixture - words, and links recorded by the real pawl in a folder of the test.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_LAYOUT_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_LAYOUT_FIXTURE_H

#include "tests/unit/collector/compile_fixture.h"

#include <sys/stat.h>

#include "lib/base/file.h"

/* A list of the words of one line; they have no blanks. */
static inline struct strv words_of(const char *line)
{
	struct strv words = STRV_INIT;

	assert_int_equal(words_split(line, &words, NULL), 0);
	return words;
}

/* The words as one line, each in its brackets; valid until the next call. */
static inline const char *line_of(const struct strv *words)
{
	static struct buf line;
	size_t i;

	buf_reset(&line);
	for (i = 0; i < words->n; i++)
		buf_addf(&line, "[%s]", words->v[i]);
	return buf_str(&line);
}

/*
 * Three files of a program that prints what each of its parts gives, with constructors, a thread's
 * variable, merged strings and functions of one name.
 */
#define MAIN_PART \
	"#include <stdio.h>\n" \
	"int f(int), h(int);\n" \
	"int started, plain = 5, many[300];\n" \
	"const int table[] = { 1, 2, 3, 4, 5, 6 };\n" \
	"__attribute__((constructor)) static void first(void) { started = 1; }\n" \
	"static int local(int x) { return x + many[x]; }\n" \
	"int main(int c, char **v) { (void)v;\n" \
	"\tprintf(\"%d %d %d\\n\", f(c), h(c), table[c] + plain + started + local(c));\n" \
	"\treturn 0; }\n"
#define F_PART \
	"extern int started; int kept[50] = { 1, 2 }, q;\n" \
	"__attribute__((constructor)) static void second(void) { started = started * 10 + 2; }\n" \
	"__attribute__((noinline)) static int local(int x) { return x * 7; }\n" \
	"int f(int x) { int i; for (i = 0; i < x; i++) q += local(i); return q + kept[x]; }\n"
#define H_PART \
	"extern int started; __thread int t = 4; const char *const names[] = { \"abc\", \"def\" " \
	"};\n" \
	"__attribute__((constructor)) static void third(void) { started = started * 10 + 3; }\n" \
	"__attribute__((noinline)) static int local(int x) { return x * 9; }\n" \
	"int h(int x) { t += local(x); return t + names[x & 1][0]; }\n"

static inline int layout_workshop_open(void **state)
{
	if (workshop_open(state))
		return -1;
	write_source("main.c", MAIN_PART);
	write_source("f.c", F_PART);
	write_source("h.c", H_PART);
	return 0;
}

#endif
