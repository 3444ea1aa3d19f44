#include "collector/build/compilers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/link/linkers.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define DONE "done-4" /* in a folder of wrappers: it is whole */
/* Files beside a wrapper: whether its compiler takes the option. */
#define TAKES ".takes"
#define REFUSES ".refuses"

static int set_in(struct strv *env, const char *name, const char *value, struct err *err)
{
	struct buf entry = BUF_INIT;
	size_t i, n = strlen(name);
	int result = -1;

	buf_addf(&entry, "%s=%s", name, value);
	if (buf_check(&entry, err))
		goto out;
	for (i = 0; i < env->n; i++)
		if (!strncmp(env->v[i], name, n) && env->v[i][n] == '=')
			break;
	result = i < env->n ? str_set(&env->v[i], buf_str(&entry), err)
			    : strv_add(env, buf_str(&entry), err);
out:
	buf_release(&entry);
	return result;
}

/* The program of that name that PATH leads to; false when there is none. */
static bool find_program(const char *path, const char *name, struct buf *out)
{
	struct stat st;

	while (path && *path) {
		size_t n = strcspn(path, ":");

		buf_reset(out);
		buf_add(out, path, n);
		buf_addf(out, "/%s", name);
		if (*path == '/' && !buf_check(out, NULL) && !access(buf_str(out), X_OK) &&
		    !stat(buf_str(out), &st) && S_ISREG(st.st_mode))
			return true;
		path += n;
		path += *path == ':';
	}
	return false;
}

/*
 * What the compiler reads is told in three ways: gcc appends it to SUNPRO_DEPENDENCIES, where it is
 * asked for no dependencies, clang in any case to CC_PRINT_HEADERS_FILE; where gcc is asked for
 * those of the project alone (-MMD), or for a file that nobody would find, it is asked once more.
 * So it is behind a compiler cache, which makes no object where it sees the variable, and which
 * does not run the compiler for what it has. Noted are also the program itself, and the folders
 * that are searched: a header may come to lie in one.
 */
static const char notes[] =
	"if [ -n \"$" COMPILERS_SEEN "\" ]; then\n"
	"\t[ -n \"$cache\" ] || export SUNPRO_DEPENDENCIES=\"$" COMPILERS_SEEN
	"\" CC_PRINT_HEADERS=1 "
	"CC_PRINT_HEADERS_FILE=\"$" COMPILERS_SEEN COMPILERS_HEADERS "\"\n"
	"\tagain=$cache was= used=\"$real\n\"\n"
	"\tfor w; do\n"
	"\t\tcase $was in\n"
	"\t\t-I | -isystem | -iquote | -idirafter) used=\"$used$w/\n\" ;;\n"
	"\t\t-MF) case $w in *.d | *.Po | *.Plo | *.Tpo) ;; *) again=1 ;; esac ;;\n"
	"\t\tesac\n"
	"\t\tcase $w in\n"
	"\t\t-I/*) used=\"$used${w#-I}/\n\" ;;\n"
	"\t\t-isystem/*) used=\"$used${w#-isystem}/\n\" ;;\n"
	"\t\t-iquote/*) used=\"$used${w#-iquote}/\n\" ;;\n"
	"\t\t-idirafter/*) used=\"$used${w#-idirafter}/\n\" ;;\n"
	"\t\t-MF?* | -Wp,*-MD,*) case $w in *.d | *.Po | *.Plo | *.Tpo) ;; *) again=1 ;; esac ;;\n"
	"\t\t-MMD | -Wp,*-MMD*) again=1 ;;\n"
	"\t\tesac\n"
	"\t\twas=$w\n"
	"\tdone\n"
	"\tprintf %s \"$used\" >>\"$" COMPILERS_SEEN COMPILERS_USED "\"\n"
	"\t[ -z \"$again\" ] || (\n"
	"\t\twas=\n"
	"\t\tfor w; do\n"
	"\t\t\tshift\n"
	"\t\t\tcase $was in -o | -MF) was= && continue ;; esac\n"
	"\t\t\tcase $w in\n"
	"\t\t\t-o | -MF) was=$w ;;\n"
	"\t\t\t-c | -S | -E | -o* | -M | -MM | -MD | -MMD | -MF* | -Wp,*-M*) ;;\n"
	"\t\t\t*) set -- \"$@\" \"$w\" ;;\n"
	"\t\t\tesac\n"
	"\t\tdone\n"
	"\t\tunset SUNPRO_DEPENDENCIES CC_PRINT_HEADERS CC_PRINT_HEADERS_FILE\n"
	"\t\t\"$real\" \"$@\" -M </dev/null >>\"$" COMPILERS_SEEN ".$$\" 2>/dev/null\n"
	"\t)\n"
	"fi\n";

/* Whether what is called like a compiler is a link to ccache, as it lies in a folder of PATH. */
static bool is_cache(const char *program)
{
	char *real = realpath(program, NULL);
	bool is = real && !strcmp(path_base(real), "ccache");

	free(real);
	return is;
}

/*
 * One wrapper.  It is not in the PATH of what it runs: that may look for the same name again.
 * -B, by which rustc names its linker, comes before COMPILER_PATH: our folder comes before both.
 * Whether the compiler takes the option, also when it compiles nothing, is tried when a build first
 * runs it: most builds run one or two of those that are there, and clang takes 10 ms to say so.
 */
static int write_wrapper(const char *folder, const char *to, const char *program, struct err *err)
{
	char *const names[] = { (char *)(uintptr_t)folder,  NULL, (char *)(uintptr_t)to, NULL,
				(char *)(uintptr_t)program, NULL };
	struct buf text = BUF_INIT, here = BUF_INIT, own = BUF_INIT, real = BUF_INIT;
	int result = -1;

	words_quote(names, &here);
	words_quote(&names[2], &own);
	words_quote(&names[4], &real);
	/* Others put folders in front of it, as rustc does. */
	buf_addf(&text,
		 "#!/bin/sh\n"
		 "# Made by pawl: the compiler, told to leave out where the sources lie.\n"
		 "here=%s PATH=:$PATH:\n"
		 "while case $PATH in *:\"$here\":*) ;; *) false ;; esac; do\n"
		 "\tPATH=${PATH%%%%:\"$here\":*}:${PATH#*:\"$here\":}\n"
		 "done\n"
		 "PATH=${PATH#:}\nPATH=${PATH%%:}\n",
		 buf_str(&here));
	/* Not in the environment of the whole build: a ccache that sees it makes no objects. */
	buf_adds(&text, "case $1 in -cc1*) unset " COMPILERS_TREE " ;; esac\n");
	buf_addf(&text, "real=%s cache=%s\n%s", buf_str(&real), is_cache(program) ? "1" : "",
		 notes);
	buf_addf(&text,
		 "[ -z \"$" COMPILERS_TREE "\" ] || [ -e %s" TAKES " ] || { [ ! -e %s" REFUSES
		 " ] &&\n\tenv -u SUNPRO_DEPENDENCIES -u CC_PRINT_HEADERS %s -Werror "
		 "-ffile-prefix-map=/a=. -E -xc "
		 "/dev/null -o /dev/null </dev/null &&\n\t{ true >%s" TAKES "; true; }; } "
		 ">/dev/null 2>&1 ||\n\t{ true >%s" REFUSES "; unset " COMPILERS_TREE
		 "; } 2>/dev/null\n",
		 buf_str(&own), buf_str(&own), buf_str(&real), buf_str(&own), buf_str(&own));
	buf_adds(&text, "case \" $*\" in *\" -B\"*)\n"
			"\t[ ! -d \"$" LINKERS_SEARCH "/" LINKERS_NAMED "/pawl\" ] ||\n"
			"\tset -- \"-B$" LINKERS_SEARCH "/" LINKERS_NAMED "\" \"$@\" ;;\nesac\n");
	buf_addf(&text,
		 "exec %s ${" COMPILERS_TREE ":+\"-ffile-prefix-map=$" COMPILERS_TREE
		 "=.\"} \"$@\"\n",
		 buf_str(&real));
	if (!buf_check(&text, err) && !buf_check(&here, err) && !buf_check(&own, err) &&
	    !buf_check(&real, err))
		result = file_write_whole(to, text.data, text.len, 0755, err);
	buf_release(&text);
	buf_release(&here);
	buf_release(&own);
	buf_release(&real);
	return result;
}

/* "gcc-12", "x86_64-linux-gnu-g++", "clang++-14", and not "gcc-ar" or "clang-format". */
static bool is_compiler(const char *name)
{
	static const char *const kinds[] = { "gcc", "g++", "clang++", "clang" };
	size_t i, k, n;

	for (i = 0; name[i]; i++)
		for (k = 0; (!i || name[i - 1] == '-') && k < sizeof(kinds) / sizeof(kinds[0]);
		     k++) {
			n = strlen(kinds[k]);
			if (!strncmp(name + i, kinds[k], n) &&
			    (!name[i + n] ||
			     (name[i + n] == '-' && name[i + n + 1] &&
			      !name[i + n + 1 + strspn(name + i + n + 1, "0123456789.")])))
				return true;
		}
	return false;
}

/* All compilers of the folders of a list. */
static int add_versions(const char *path, struct strv *out, struct err *err)
{
	struct buf folder = BUF_INIT;
	struct dirent *e;
	int result = 0;

	while (!result && path && *path) {
		size_t n = strcspn(path, ":");
		DIR *d;

		buf_reset(&folder);
		buf_add(&folder, path, n);
		d = *path == '/' && !folder.failed ? opendir(buf_str(&folder)) : NULL;
		while (d && !result && (e = readdir(d)))
			if (is_compiler(e->d_name) && !strv_has(out, e->d_name))
				result = strv_add(out, e->d_name, err);
		if (d)
			closedir(d);
		path += n;
		path += *path == ':';
	}
	buf_release(&folder);
	return result;
}

/*
 * ccache that is called by its name, in front of a compiler: what it has it does not compile, and
 * nobody would know of the headers.  So it compiles, and keeps, all.
 */
static int wrap_cache(const char *folder, const char *path, struct err *err)
{
	struct buf program = BUF_INIT, to = BUF_INIT, text = BUF_INIT;
	char *words[] = { NULL, NULL };
	int result = -1;

	if (!find_program(path, "ccache", &program)) {
		result = 0;
		goto out;
	}
	words[0] = program.data;
	buf_adds(&text, "#!/bin/sh\n# Made by pawl: ccache, told to compile.\n"
			"CCACHE_RECACHE=1\nexport CCACHE_RECACHE\nexec ");
	words_quote(words, &text);
	buf_adds(&text, " \"$@\"\n");
	buf_addf(&to, "%s/ccache", folder);
	if (!buf_check(&to, err) && !buf_check(&text, err))
		result = file_write_whole(buf_str(&to), text.data, text.len, 0755, err);
out:
	buf_release(&program);
	buf_release(&to);
	buf_release(&text);
	return result;
}

/* The wrappers for what PATH leads to. */
static int wrap_names(const char *folder, const struct strv *env, struct err *err)
{
	static const char *const names[] = { "cc", "gcc", "clang", "c++", "g++", "clang++" };
	struct buf program = BUF_INIT, to = BUF_INIT;
	struct strv all = STRV_INIT;
	const char *asked;
	size_t i;
	int result = -1;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strv_add(&all, names[i], err))
			goto out;
	if (add_versions(strv_value(env, "PATH"), &all, err))
		goto out;
	for (i = 0; i < 2; i++) {
		asked = strv_value(env, i ? "CXX" : "CC");
		asked = asked && strrchr(asked, ' ') ? strrchr(asked, ' ') + 1 : asked;
		if (asked && *asked && *asked != '-' && !strchr(asked, '/') &&
		    !strv_has(&all, asked) && strv_add(&all, asked, err))
			goto out;
	}
	for (i = 0; i < all.n; i++) {
		if (!find_program(strv_value(env, "PATH"), all.v[i], &program))
			continue;
		buf_reset(&to);
		buf_addf(&to, "%s/%s", folder, all.v[i]);
		if (buf_check(&to, err) ||
		    write_wrapper(folder, buf_str(&to), buf_str(&program), err))
			goto out;
	}
	result = wrap_cache(folder, strv_value(env, "PATH"), err);
out:
	buf_release(&program);
	buf_release(&to);
	strv_release(&all);
	return result;
}

/* The wrapper of CC or CXX when it is an absolute path and nothing else. */
static int wrap_variable(const char *folder, const char *variable, bool make, struct strv *env,
			 struct err *err)
{
	const char *program = strv_value(env, variable);
	struct buf to = BUF_INIT;
	int result = -1;

	if (!program || *program != '/' || access(program, X_OK))
		return 0;
	buf_addf(&to, "%s/%s", folder, variable);
	if (buf_check(&to, err) || (make && file_make_dirs(buf_str(&to), 0700, err)))
		goto out;
	buf_adds(&to, strrchr(program, '/'));
	if (buf_check(&to, err))
		goto out;
	if (make && write_wrapper(folder, buf_str(&to), program, err))
		goto out;
	result = file_exists(buf_str(&to)) ? set_in(env, variable, buf_str(&to), err) : 0;
out:
	buf_release(&to);
	return result;
}

static int put_in_front(const char *folder, struct strv *env, struct err *err)
{
	const char *old = strv_value(env, "PATH");
	struct buf path = BUF_INIT;
	int result = -1;

	buf_addf(&path, "%s:%s", folder, old ? old : "/usr/local/bin:/usr/bin:/bin");
	if (!buf_check(&path, err))
		result = set_in(env, "PATH", buf_str(&path), err);
	buf_release(&path);
	return result;
}

int compilers_wrap(const char *root, const char *name, struct strv *env, struct err *err)
{
	struct buf folder = BUF_INIT, done = BUF_INIT;
	bool make;
	int result = -1;

	buf_addf(&folder, "%s/%s", root, name);
	buf_addf(&done, "%s/" DONE, buf_str(&folder));
	if (buf_check(&folder, err) || buf_check(&done, err))
		goto out;
	/* PATH cannot hold the one, the option not the other. */
	if (strpbrk(root, ":=")) {
		result = 0;
		goto out;
	}
	file_clear_place(buf_str(&folder));
	make = !file_exists(buf_str(&done));
	if (make &&
	    (file_make_dirs(buf_str(&folder), 0700, err) || wrap_names(buf_str(&folder), env, err)))
		goto out;
	if (wrap_variable(buf_str(&folder), "CC", make, env, err) ||
	    wrap_variable(buf_str(&folder), "CXX", make, env, err) ||
	    (make && file_write_whole(buf_str(&done), "", 0, 0600, err)))
		goto out;
	file_drop_left_overs(buf_str(&folder));
	utimensat(AT_FDCWD, buf_str(&folder), NULL, 0); /* used now: cleared last */
	result = put_in_front(buf_str(&folder), env, err);
out:
	buf_release(&folder);
	buf_release(&done);
	return result;
}
