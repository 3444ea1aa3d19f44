#include "collector/build/recipe.h"

#include <string.h>

#include "lib/base/strv.h"
#include "lib/process/proc.h"

#include "lib/base/banned.h"

#define PRINTED_MAX (4u << 20)
#define TIMEOUT_NS 20000000000ull
#define NOT_PLAIN "`$*?<(){}|\\" /* the same where one command ends */
#define UNTOLD "`$*?<&(){}"	 /* what only a shell makes something of */

/* As the last part of the program's path; compilers may have a prefix and a version, too. */
static bool is_known(const char *program, size_t n)
{
	static const char *const names[] = { "ar",  "as",    "cat",	"ccache", "cd",	    "chmod",
					     "cp",  "echo",  "install", "ld",	  "ln",	    "mkdir",
					     "mv",  "nm",    "objcopy", "printf", "ranlib", "rm",
					     "sed", "strip", "test",	"touch",  "true",   "tcc",
					     "cc",  "c89",   "c99",	":",	  "[" };
	static const char *const compilers[] = { "gcc", "g++", "clang", "clang++", "c++" };
	size_t i, m;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n && !memcmp(names[i], program, n))
			return true;
	for (i = 0; i < sizeof(compilers) / sizeof(compilers[0]); i++) {
		const char *at = memmem(program, n, compilers[i], strlen(compilers[i]));

		m = strlen(compilers[i]);
		if (at && (at == program || at[-1] == '-') &&
		    (at + m == program + n || at[m] == '-'))
			return true;
	}
	return false;
}

/* "NAME=value" before the program. */
static bool is_setting(const char *word, size_t n)
{
	const char *equals = memchr(word, '=', n);

	return equals && equals > word &&
	       strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789") ==
		       (size_t)(equals - word);
}

/* The program of one command, text[0..n). */
static bool command_builds(const char *text, size_t n)
{
	const char *end = text + n, *program;

	for (;;) {
		size_t length;

		while (text < end && strchr(" \t", *text))
			text++;
		for (length = 0; text + length < end && !strchr(" \t", text[length]);)
			length++;
		if (!length)
			return true;
		if (!is_setting(text, length)) {
			program = memrchr(text, '/', length);
			program = program ? program + 1 : text;
			return is_known(program, (size_t)(text + length - program));
		}
		text += length;
	}
}

/* A line, text[0..n), which ';', '|' and "&&" part into commands, where they are not quoted. */
static bool line_builds(const char *text, size_t n)
{
	size_t i, from = 0;
	char quote = '\0';

	for (i = 0; i < n; i++) {
		char c = text[i];

		if (quote) {
			if (c == quote)
				quote = '\0';
			else if (quote == '"' && strchr("`$\\", c))
				return false;
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (c == '\\' && i + 1 < n) {
			i++;
		} else if (c == ';' || c == '|' || (c == '&' && i + 1 < n && text[i + 1] == '&')) {
			if (!command_builds(text + from, i - from))
				return false;
			i += i + 1 < n && (text[i + 1] == '&' || text[i + 1] == '|');
			from = i + 1;
		} else if (c == '>' && i + 1 < n && text[i + 1] == '&') {
			i++; /* 2>&1 */
		} else if (strchr(UNTOLD, c)) {
			return false;
		}
	}
	return !quote && command_builds(text + from, n - from);
}

bool recipe_text_builds(const char *text)
{
	bool any = false;

	while (*text) {
		size_t n = 0;

		while (text[n] && text[n] != '\n')
			n += text[n] == '\\' && text[n + 1] ? 2 : 1;
		if (!str_starts(text, "make: ") && n) {
			if (!line_builds(text, n))
				return false;
			any = true;
		}
		text += n + (text[n] == '\n');
	}
	return any;
}

/* What make would do for the target; false where it cannot say. */
static bool ask_make(const char *top, const char *target, struct buf *out)
{
	/* Recipes that call make run in spite of -n, and $(shell ...) always does: but nothing. */
	char *const argv[] = { (char[]){ "make" },	  (char[]){ "--no-print-directory" },
			       (char[]){ "-n" },	  (char[]){ "SHELL=/bin/true" },
			       (char *)(uintptr_t)target, NULL };
	char *const alone[] = { (char[]){ "MAKEFLAGS=" }, (char[]){ "MFLAGS=" },
				(char[]){ "MAKELEVEL=" }, NULL };
	const struct proc_options how = {
		.dir = top, .environment = alone, .max = PRINTED_MAX, .timeout_ns = TIMEOUT_NS
	};
	int status = 1;

	return !proc_run(&how, argv, out, NULL, &status, NULL) && !status;
}

/* How many bytes of what is printed for the file itself $(info ...) prints for each target. */
static size_t info_length(const char *text)
{
	const char *end = str_starts(text, "make: ") ? text : strstr(text, "\nmake: ");

	return end ? (size_t)(end - text) + (*end == '\n') : strlen(text);
}

/* text less what is printed for every target, such as for the Makefile itself. */
static const char *without_info(const char *top, const char *text)
{
	static const char *const files[] = { "GNUmakefile", "makefile", "Makefile" };
	struct buf info = BUF_INIT;
	size_t i, n = 0;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		buf_reset(&info);
		if (ask_make(top, files[i], &info))
			break;
	}
	if (i < sizeof(files) / sizeof(files[0]))
		n = info_length(buf_str(&info));
	if (strncmp(text, buf_str(&info), n) != 0)
		n = 0;
	buf_release(&info);
	return text + n;
}

bool recipe_builds(const char *top, const char *target)
{
	struct buf text = BUF_INIT;
	bool builds = ask_make(top, target, &text) &&
		      (recipe_text_builds(buf_str(&text)) ||
		       recipe_text_builds(without_info(top, buf_str(&text))));

	buf_release(&text);
	return builds;
}

/* What runs the program that comes after it, text[0..n) its name. */
static bool is_runner(const char *text, size_t n)
{
	static const char *const names[] = {
		"env", "nice", "prove", "time", "timeout", "valgrind"
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n && !memcmp(names[i], text, n))
			return true;
	return false;
}

/* One command, text[0..n), up to where its output goes. */
static int add_program(const char *text, size_t n, struct strv *out, struct err *err)
{
	const char *to = memchr(text, '>', n);
	size_t length = 0;

	if (to) {
		size_t digits = 0;

		n = (size_t)(to - text);
		while (digits < n && text[n - digits - 1] >= '0' && text[n - digits - 1] <= '9')
			digits++;
		/* "2>log": which output goes there. */
		if (digits < n && strchr(" \t", text[n - digits - 1]))
			n -= digits;
	}
	for (; n && strchr(" \t", *text); n--)
		text++;
	while (n && strchr(" \t", text[n - 1]))
		n--;
	while (length < n && !strchr(" \t", text[length]))
		length++;
	if (length && is_runner(text, length)) {
		to = memmem(text, n, " ./", 3);
		return to ? add_program(to, n - (size_t)(to - text), out, err) : 0;
	}
	if (!length || *text == '/' || !memchr(text, '/', length) || is_setting(text, length))
		return 0;
	return strv_addf(out, err, "%.*s", (int)n, text);
}

/* A line, text[0..n), which ';' and '&' part into commands, where they are not quoted. */
static int add_programs(const char *text, size_t n, struct strv *out, struct err *err)
{
	size_t i, from = 0;
	char quote = '\0';

	for (i = 0; i <= n; i++) {
		char c = i < n ? text[i] : ';';

		if (i < n && quote) {
			quote = c == quote ? '\0' : quote;
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (c == ';' || c == '&') {
			if (add_program(text + from, i - from, out, err))
				return -1;
			from = i + 1;
		}
	}
	return 0;
}

int recipe_programs(const char *top, const char *target, struct strv *out, struct err *err)
{
	struct buf text = BUF_INIT;
	const char *line = ask_make(top, target, &text) ? buf_str(&text) : "";
	bool goes_on = false;
	int result = 0;

	for (; *line && !result; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t n = strcspn(line, "\n");
		bool is_part = goes_on; /* of what the line before began */

		goes_on = n && line[n - 1] == '\\';
		if (is_part || strcspn(line, NOT_PLAIN) < n || str_starts(line, "cd ") ||
		    str_starts(line, "make: "))
			continue;
		result = add_programs(line, n, out, err);
	}
	buf_release(&text);
	return result;
}
