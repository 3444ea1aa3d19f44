#include "collector/link/arguments.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define FILE_MAX ((size_t)16 << 20)
#define WORDS_MAX 200000
#define DEPTH_MAX 10
#define RESOLUTION "-fresolution="

/* An option, as GNU ld has it: with one dash or two, its value behind '=' or in the next word. */
struct option {
	const char *name;
	bool has_value;
};

/* What is left out when a link is made again. */
static const struct option left_out[] = { { "Map", true },
					  { "dependency-file", true },
					  { "out-implib", true },
					  { "reproduce", true },
					  { "s", false },
					  { "S", false },
					  { "strip-all", false },
					  { "strip-debug", false },
					  { "M", false },
					  { "print-map", false },
					  { "cref", false },
					  { "t", false },
					  { "trace", false },
					  { "stats", false },
					  { "verbose", false },
					  { "time-trace", false },
					  { "print-gc-sections", false } };

static const struct option no_links[] = { { "r", false },
					  { "relocatable", false },
					  { "i", false },
					  { "Ur", false },
					  { "version", false },
					  { "help", false },
					  { "print-output-format", false } };

/* Moves over the quotes and backslashes of one word. */
static const char *take_word(const char *at, struct buf *out)
{
	char quote = '\0';

	for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
		if (*at == '\\' && at[1])
			buf_addc(out, *++at);
		else if (*at == quote)
			quote = '\0';
		else if (!quote && (*at == '\'' || *at == '"'))
			quote = *at;
		else
			buf_addc(out, *at);
	}
	return at;
}

static int expand(const char *word, int depth, struct strv *out, struct err *err);

static int expand_text(const char *at, int depth, struct strv *out, struct err *err)
{
	struct buf word = BUF_INIT;
	int result = 0;

	while (!result) {
		while (isspace((unsigned char)*at))
			at++;
		if (!*at)
			break;
		buf_reset(&word);
		at = take_word(at, &word);
		result = buf_check(&word, err) || expand(buf_str(&word), depth, out, err) ? -1 : 0;
	}
	buf_release(&word);
	return result;
}

/* What is read from a pipe is gone for the linker. */
static bool may_be_read(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static int expand(const char *word, int depth, struct strv *out, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	if (out->n >= WORDS_MAX)
		return err_set(err, ERR_LIMIT, "a linker was given more than %d words", WORDS_MAX);
	if (*word != '@' || !may_be_read(word + 1) ||
	    file_read_whole(word + 1, FILE_MAX, &text, NULL)) {
		buf_release(&text);
		return strv_add(out, word, err);
	}
	if (depth == DEPTH_MAX)
		result = err_set(err, ERR_LIMIT, "response files name each other: '%s'", word + 1);
	else
		result = expand_text(buf_str(&text), depth + 1, out, err);
	buf_release(&text);
	return result;
}

int arguments_expand(char *const *argv, struct strv *out, struct err *err)
{
	for (; *argv; argv++)
		if (expand(*argv, 0, out, err))
			return -1;
	return 0;
}

void arguments_respond(const struct strv *words, struct buf *out)
{
	const char *at;
	size_t i;

	for (i = 0; i < words->n; i++) {
		if (!*words->v[i])
			buf_adds(out, "\"\"");
		for (at = words->v[i]; *at; at++) {
			if (isspace((unsigned char)*at) || strchr("\\'\"", *at))
				buf_addc(out, '\\');
			buf_addc(out, *at);
		}
		buf_addc(out, '\n');
	}
}

/*
 * How many words the option takes here: 0 when this is another one.  One letter has one dash; a
 * longer name may have two, unless it begins as -o does.
 */
static size_t is_option(const struct strv *words, size_t i, const struct option *o,
			const char **out_value)
{
	const char *word = words->v[i];
	size_t n = strlen(o->name);

	if (*word++ != '-')
		return 0;
	if (*word == '-' && n > 1)
		word++;
	if (strncmp(word, o->name, n) != 0)
		return 0;
	word += n;
	if (!o->has_value || *word == '=') {
		*out_value = *word ? word + 1 : NULL;
		return !*word || *word == '=';
	}
	if (*word || i + 1 == words->n)
		return 0;
	*out_value = words->v[i + 1];
	return 2;
}

static size_t is_one_of(const struct strv *words, size_t i, const struct option *list, size_t n)
{
	const char *value;
	size_t k, taken = 0;

	for (k = 0; !taken && k < n; k++)
		taken = is_option(words, i, &list[k], &value);
	return taken;
}

#define IS_ONE_OF(words, i, list) is_one_of(words, i, list, sizeof(list) / sizeof((list)[0]))

/* -o FILE, -oFILE, --output FILE, --output=FILE: how many words, or 0. */
static size_t is_output(const struct strv *words, size_t i, const char **out_value)
{
	static const struct option longer = { "output", true };
	const char *word = words->v[i];

	if (str_starts(word, "--"))
		return is_option(words, i, &longer, out_value);
	if (!str_starts(word, "-o"))
		return 0;
	*out_value = word[2] ? word + 2 : words->v[i + 1];
	return *out_value ? (word[2] ? 1 : 2) : 0;
}

bool arguments_are_link(const struct strv *words)
{
	static const struct option talk[] = { { "v", false }, { "V", false } };
	size_t i, n = 0;

	for (i = 0; i < words->n; i++) {
		if (IS_ONE_OF(words, i, no_links))
			return false;
		n += !IS_ONE_OF(words, i, talk);
	}
	return n > 1;
}

const char *arguments_refusal(const struct strv *words)
{
	static const struct option scripts[] = {
		{ "T", true },	{ "script", true }, { "default-script", true },
		{ "dT", true }, { "c", true },	    { "mri-script", true }
	};
	size_t i;

	for (i = 0; i < words->n; i++)
		if (IS_ONE_OF(words, i, scripts) ||
		    (str_starts(words->v[i], "-T") && !str_starts(words->v[i], "-Ttext") &&
		     !str_starts(words->v[i], "-Tbss") && !str_starts(words->v[i], "-Tdata") &&
		     !str_starts(words->v[i], "-Trodata") && !str_starts(words->v[i], "-Tldata")))
			return "it has a linker script of its own";
	return NULL;
}

const char *arguments_output(const struct strv *words)
{
	const char *value, *last = "a.out";
	size_t i;

	for (i = 0; i < words->n; i++)
		if (is_output(words, i, &value))
			last = value;
	return last;
}

/* "-plugin-opt=-fresolution=FILE", or the part behind "-plugin-opt": FILE is somewhere else. */
static int add_word(const char *word, const char *output, struct strv *out, struct err *err)
{
	const char *value = *word == '-' ? strstr(word, RESOLUTION) : NULL;

	if (!value)
		return strv_add(out, word, err);
	return strv_addf(out, err, "%.*s" RESOLUTION "%s.resolution", (int)(value - word), word,
			 output);
}

int arguments_again(const struct strv *words, const char *output, struct strv *out, struct err *err)
{
	const char *value;
	size_t i, taken;

	for (i = 0; i < words->n; i += taken ? taken : 1) {
		taken = is_output(words, i, &value);
		taken = taken ? taken : IS_ONE_OF(words, i, left_out);
		if (!taken && add_word(words->v[i], output, out, err))
			return -1;
	}
	return strv_add(out, "-o", err) || strv_add(out, output, err) ? -1 : 0;
}
