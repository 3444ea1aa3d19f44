/*
 * trees_tools - which programs a build may have run, by what describes it: its command, makefiles
 * and their like, and the scripts that these name.
 *
 * The compilers that cc and c++ stand for are known beforehand (compilers_identity.c), those that
 * ran through a wrapper afterwards.  What else makes programs (rustc, go, another compiler, a
 * generator) is named somewhere: each word of a description that PATH leads to counts, and so does
 * each file outside of the tree that one names.  Of Rust and Go the toolchain is asked for, as what
 * PATH leads to may only choose it.
 */
#include <dirent.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/build/trees_local.h"
#include "lib/base/file.h"
#include "lib/process/proc.h"

#include "lib/base/banned.h"

#define TEXT_MAX ((size_t)1 << 20)
#define FOREIGN_MAX ((size_t)1 << 14) /* bytes of a script outside of the tree that is read */
#define WORD_MAX 200
#define ASK_NS (UINT64_C(60) * 1000000000)

struct tools {
	const struct trees_tools_request *rq;
	struct trees_tools *out;
	const char *path; /* PATH of the build */
	void *words;	  /* a tree of strings: what was looked at */
	bool rust, go;
	bool failed;
};

static void scan(struct tools *t, const char *text);

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Whether it is the first time. */
static bool is_new(struct tools *t, const char *word)
{
	char *copy = strdup(word);
	void *at = copy ? tsearch(copy, &t->words, by_text) : NULL;
	bool new = at &&*(char **)at == copy;

	t->failed = t->failed || !at;
	if (!new)
		free(copy);
	return new;
}

static void add(struct tools *t, struct strv *to, const char *path)
{
	t->failed = t->failed || strv_add(to, path, NULL);
}

/* A script may start anything: its words count, too. */
static void scan_script(struct tools *t, const char *path, size_t most)
{
	struct buf text = BUF_INIT;
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode) && (size_t)st.st_size <= most &&
	    !file_read_whole(path, most, &text, NULL) && str_starts(buf_str(&text), "#!"))
		scan(t, buf_str(&text));
	buf_release(&text);
}

/* What the kernel shows has the time at which it was first looked at. */
static bool is_of_kernel(const char *path)
{
	static const char *const folders[] = { "/proc/", "/sys/" };

	return STR_STARTS_ONE_OF(path, folders);
}

static void take_file(struct tools *t, const char *path)
{
	struct stat st;

	if (is_of_kernel(path) || stat(path, &st) || !S_ISREG(st.st_mode))
		return;
	add(t, &t->out->files, path);
	scan_script(t, path, FOREIGN_MAX);
}

/* They are on every system, and what they write says nothing of which one it was. */
static bool is_plain(const char *word)
{
	static const char *const names[] = {
		"[",	   "basename", "bash",	 "cat",	 "chmod",  "cp",   "cut",     "dash",
		"dirname", "echo",     "env",	 "expr", "false",  "head", "install", "ln",
		"ls",	   "mkdir",    "mktemp", "mv",	 "printf", "pwd",  "rm",      "rmdir",
		"seq",	   "sh",       "sleep",	 "sort", "tail",   "tee",  "test",    "touch",
		"tr",	   "true",     "uname",	 "uniq", "wc",	   "which"
	};

	return STR_IS_ONE_OF(word, names);
}

/* What PATH leads to; in the folders in front of it one may come to lie. */
static void look_up(struct tools *t, const char *word)
{
	struct buf file = BUF_INIT;
	struct strv before = STRV_INIT;
	const char *path = t->path;
	bool found = false;
	size_t i;

	while (!found && path && *path) {
		size_t n = strcspn(path, ":");

		buf_reset(&file);
		buf_add(&file, path, n);
		buf_addf(&file, "/%s", word);
		if (*path == '/' && !file.failed && !str_below(buf_str(&file), t->rq->root)) {
			found = !access(buf_str(&file), X_OK);
			if (!found)
				add(t, &before, buf_str(&file));
		}
		path += n;
		path += *path == ':';
	}
	if (found) {
		t->rust = t->rust || !strcmp(word, "cargo") || !strcmp(word, "rustc");
		t->go = t->go || !strcmp(word, "go");
		take_file(t, buf_str(&file));
	}
	for (i = 0; found && i < before.n; i++)
		add(t, &t->out->absent, before.v[i]);
	strv_release(&before);
	buf_release(&file);
}

/* A script of the tree, which is no file outside of it. */
static void look_in_tree(struct tools *t, const char *word)
{
	char *path = path_join(t->rq->tree, str_starts(word, "./") ? word + 2 : word, NULL);

	if (!path)
		t->failed = true;
	else
		scan_script(t, path, TEXT_MAX);
	free(path);
}

static void take_word(struct tools *t, const char *word)
{
	if (!is_new(t, word))
		return;
	if (*word == '/') {
		if (!str_below(word, t->rq->root))
			take_file(t, word);
		return;
	}
	look_in_tree(t, word);
	if (!strchr(word, '/') && !is_plain(word))
		look_up(t, word);
}

/* How many bytes stand for the home folder. */
static size_t home_length(const char *text)
{
	static const char *const homes[] = { "~/", "$HOME/", "$$HOME/", "${HOME}/", "$(HOME)/" };
	size_t i;

	for (i = 0; i < sizeof(homes) / sizeof(homes[0]); i++)
		if (str_starts(text, homes[i]))
			return strlen(homes[i]) - 1;
	return 0;
}

static size_t scan_word(struct tools *t, const char *text)
{
	const char *home = home_length(text) ? strv_value(t->rq->env, "HOME") : NULL;
	size_t skip = home ? home_length(text) : 0;
	size_t n = strcspn(text + skip, " \t\r\n\"'`;&|<>()=,:@{}$[]*?\\");
	struct buf word = BUF_INIT;

	if (n && n <= WORD_MAX) {
		buf_adds(&word, home ? home : "");
		buf_add(&word, text + skip, n);
		if (word.failed)
			t->failed = true;
		else
			take_word(t, buf_str(&word));
	}
	buf_release(&word);
	return skip + n;
}

/* Not the lines that are comments. */
static void scan(struct tools *t, const char *text)
{
	bool begins = true;

	while (*text && !t->failed) {
		size_t n;

		if (begins && *text == '#' && text[1] != '!') {
			text += strcspn(text, "\n");
			continue;
		}
		n = scan_word(t, text);
		if (!n)
			n = 1;
		else if (text[n] && !strchr("\n$~", text[n]))
			n++;
		begins = text[n - 1] == '\n' || (begins && strchr(" \t", text[n - 1]));
		text += n;
	}
}

/* ---- toolchains ------------------------------------------------------------------------- */

/* The lines of an answer; none where there is no such program, or it fails. */
static int ask(struct tools *t, char *const *argv, struct strv *out, struct err *err)
{
	const struct proc_options options = { .dir = t->rq->tree,
					      .environment = t->rq->env->v,
					      .no_other = true,
					      .max = TEXT_MAX,
					      .timeout_ns = ASK_NS,
					      .stops = true };
	struct err fault = ERR_INIT;
	struct buf text = BUF_INIT;
	char *rest, *line;
	int status, result = proc_run(&options, argv, &text, NULL, &status, &fault);

	rest = result || status ? NULL : text.data;
	while (rest && (line = strsep(&rest, "\n")))
		if (*line)
			add(t, out, line);
	buf_release(&text);
	if (!result || !err_is_fatal(&fault))
		return 0;
	*err = fault;
	return -1;
}

/* There, or not there: both count. */
static void take_below(struct tools *t, const char *folder, const char *name)
{
	char *path = folder && *folder == '/' ? path_join(folder, name, NULL) : NULL;

	if (path)
		add(t, file_exists(path) ? &t->out->files : &t->out->absent, path);
	free(path);
}

/* Of a folder in the home folder that a variable may name. */
static void take_setting(struct tools *t, const char *variable, const char *by_default,
			 const char *name)
{
	const char *folder = strv_value(t->rq->env, variable);
	const char *home = strv_value(t->rq->env, "HOME");
	char *own = folder || !home ? NULL : path_join(home, by_default, NULL);

	take_below(t, folder ? folder : own, name);
	free(own);
}

/* What librustc_driver is called changes with its version. */
static void take_driver(struct tools *t, const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (str_starts(e->d_name, "librustc_driver"))
			take_below(t, folder, e->d_name);
	if (d)
		closedir(d);
}

static int take_rust(struct tools *t, struct err *err)
{
	/* it installs none for the answer's sake */
	static char with[] = "env", no[] = "RUSTUP_AUTO_INSTALL=0", rustc[] = "rustc",
		    print[] = "--print", sysroot[] = "sysroot";
	char *const argv[] = { with, no, rustc, print, sysroot, NULL };
	struct strv roots = STRV_INIT;
	int result;
	size_t i;

	take_word(t, "cargo");
	take_word(t, "rustc");
	take_setting(t, "RUSTUP_HOME", ".rustup", "settings.toml");
	take_setting(t, "CARGO_HOME", ".cargo", "config.toml");
	take_setting(t, "CARGO_HOME", ".cargo", "config");
	result = ask(t, argv, &roots, err);
	for (i = 0; i < roots.n; i++) {
		char *libraries = path_join(roots.v[i], "lib", NULL);

		take_below(t, roots.v[i], "bin/rustc");
		take_below(t, roots.v[i], "bin/cargo");
		if (libraries)
			take_driver(t, libraries);
		free(libraries);
	}
	strv_release(&roots);
	return result;
}

static int take_go(struct tools *t, struct err *err)
{
	static char go[] = "go", env[] = "env", root[] = "GOROOT", file[] = "GOENV";
	char *const argv[] = { go, env, root, file, NULL };
	struct strv lines = STRV_INIT;
	int result = ask(t, argv, &lines, err);

	if (lines.n > 0) {
		take_below(t, lines.v[0], "VERSION");
		take_below(t, lines.v[0], "bin/go");
	}
	if (lines.n > 1 && *lines.v[1] == '/')
		take_below(t, "/", lines.v[1] + 1);
	strv_release(&lines);
	return result;
}

/* ---- all --------------------------------------------------------------------------------- */

/* A description of how it is built, by its name. */
bool trees_tools_is_description(const char *name)
{
	static const char *const names[] = { "Makefile",       "makefile",    "GNUmakefile",
					     "CMakeLists.txt", "meson.build", "configure",
					     "SConstruct",     "SConscript",  "CMakeCache.txt",
					     "link.txt" };
	static const char *const ends[] = { ".mk", ".mak", ".make", ".cmake", ".ninja" };
	size_t i;

	if (STR_IS_ONE_OF(name, names))
		return true;
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (str_ends(name, ends[i]))
			return true;
	return false;
}

int trees_tools(const struct trees_tools_request *rq, struct trees_tools *out, struct err *err)
{
	struct tools t = { .rq = rq, .out = out, .path = strv_value(rq->env, "PATH") };
	int result = 0;
	size_t i;

	if (rq->command)
		scan(&t, rq->command);
	for (i = 0; i < rq->descriptions->n; i++) {
		struct buf text = BUF_INIT;

		if (!file_read_whole(rq->descriptions->v[i], TEXT_MAX, &text, NULL))
			scan(&t, buf_str(&text));
		buf_release(&text);
	}
	if (t.rust)
		result = take_rust(&t, err);
	if (!result && t.go)
		result = take_go(&t, err);
	tdestroy(t.words, free);
	return result || t.failed ? (result ? -1 : err_nomem(err)) : 0;
}

void trees_tools_release(struct trees_tools *t)
{
	strv_release(&t->files);
	strv_release(&t->absent);
}
