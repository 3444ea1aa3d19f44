/*
 * What compilers are: their own words are asked for once, and remembered beside the files that
 * gave them for as long as those files stay as they are.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/build/compilers.h"
#include "collector/code/elf.h"
#include "lib/base/file.h"
#include "lib/digest/digest.h"
#include "lib/process/proc.h"

#include "lib/base/banned.h"

#define TIME_NS (UINT64_C(60) * 1000000000)
#define ANSWER_BYTES (1u << 20)

/* The time of its change, too: who writes into a file may set the other one back. */
static void add_file(const char *path, const struct stat *st, struct buf *out)
{
	buf_addf(out, "%s %llu %llu %lld %lld.%09ld %lld.%09ld\n", path,
		 (unsigned long long)st->st_dev, (unsigned long long)st->st_ino,
		 (long long)st->st_size, (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
		 (long long)st->st_ctim.tv_sec, st->st_ctim.tv_nsec);
}

void compilers_packages(struct buf *out)
{
	static const char *const files[] = { "/var/lib/dpkg/status",
					     "/var/lib/rpm/rpmdb.sqlite",
					     "/usr/lib/sysimage/rpm/rpmdb.sqlite",
					     "/var/lib/pacman/local",
					     "/lib/apk/db/installed",
					     "/etc/ld.so.cache" };
	struct stat st;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!stat(files[i], &st))
			buf_addf(out, "%s %lld %lld.%09ld\n", files[i], (long long)st.st_size,
				 (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* A script may start anything, by rules of its own: it has to be asked. */
static bool is_script(const char *path)
{
	char first[3] = "";

	return file_first_line(path, first, sizeof(first)) && !strcmp(first, "#!");
}

/*
 * Every file that a word of a command may stand for: of a compiler's name also those later in PATH,
 * since the first may be a cache that starts the next.  False when what it does cannot be known.
 */
static bool add_word(const char *word, const char *path, struct buf *out)
{
	struct buf file = BUF_INIT;
	struct stat st;
	bool known = true;

	if (strchr(word, '/'))
		path = "";
	while (known && path) {
		size_t n = strcspn(path, ":");

		buf_reset(&file);
		buf_add(&file, path, n);
		buf_addf(&file, "%s%s", n ? "/" : "", word);
		if (!file.failed && !stat(buf_str(&file), &st) && S_ISREG(st.st_mode)) {
			add_file(buf_str(&file), &st, out);
			known = !is_script(buf_str(&file));
		}
		known = known && !file.failed;
		path = path[n] ? path + n + 1 : NULL;
	}
	buf_release(&file);
	return known;
}

static bool add_command(const char *command, const char *path, struct buf *out)
{
	struct strv words = STRV_INIT;
	bool known = !words_split(command, &words, NULL);
	size_t i;

	for (i = 0; known && i < words.n; i++)
		known = add_word(words.v[i], path, out);
	strv_release(&words);
	return known;
}

/* Under what the answer is remembered; false when it cannot be. */
static bool find_key(const struct strv *env, char out[DIGEST_HEX])
{
	const char *cc = strv_value(env, "CC"), *cxx = strv_value(env, "CXX");
	const char *path = strv_value(env, "PATH");
	struct buf facts = BUF_INIT;
	size_t i;
	bool known;

	for (i = 0; i < env->n; i++)
		buf_add(&facts, env->v[i], strlen(env->v[i]) + 1);
	known = path && add_command(cc && *cc ? cc : "cc", path, &facts) &&
		add_command(cxx && *cxx ? cxx : "c++", path, &facts) &&
		add_word("as", path, &facts) && add_word("ld", path, &facts);
	known = known && !facts.failed && !digest_of(facts.data, facts.len, out, NULL);
	buf_release(&facts);
	return known;
}

/* One file, of the key in its first line and what was said: another key replaces it. */
static bool recall(const char *memory, const char *key, struct buf *out)
{
	struct buf text = BUF_INIT;
	size_t n = strlen(key);
	bool found = !file_read_whole(memory, ANSWER_BYTES, &text, NULL) && text.len > n &&
		     !memcmp(text.data, key, n) && text.data[n] == '\n';

	if (found)
		buf_adds(out, text.data + n + 1);
	buf_release(&text);
	return found;
}

static void remember(const char *memory, const char *key, const char *answer)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s\n%s", key, answer);
	if (!text.failed)
		file_write_whole(memory, text.data, text.len, 0600, NULL);
	buf_release(&text);
}

/*
 * Their words, and which files do the work: the compiler proper behind the driver, the assembler
 * and the linker, and what is linked into every program.
 */
static int ask(const struct strv *env, struct buf *out, struct err *err)
{
	static char sh[] = "sh", c[] = "-c",
		    script[] = "tell() { case $1 in /*) f=$1 ;; *) f=$(command -v \"$1\") ;; esac; "
			       "[ -f \"$f\" ] && echo \"" COMPILERS_FILE "$f\"; }\n"
			       "for c in \"${CC:-cc}\" \"${CXX:-c++}\" as ld; do echo \"$c\"; "
			       "tell \"${c##* }\"; $c --version; done 2>&1\n"
			       "for c in \"${CC:-cc}\" \"${CXX:-c++}\"; do "
			       "for p in cc1 cc1plus collect2 lto1 as ld; do "
			       "tell \"$($c -print-prog-name=$p)\"; done; "
			       "for p in crt1.o crti.o libgcc.a libc.a libstdc++.a; do "
			       "tell \"$($c -print-file-name=$p)\"; done; done 2>/dev/null; :\n";
	char *const words[] = { sh, c, script, NULL };
	const struct proc_options options = {
		.environment = env->v, .no_other = true, .max = ANSWER_BYTES, .timeout_ns = TIME_NS
	};
	int status;

	return proc_run(&options, words, out, NULL, &status, err);
}

/* ---- contents -------------------------------------------------------------------------- */

/* The digest of a file that was read before and is as it was then. */
static bool recall_sum(const struct buf *sums, const char *file, char out[DIGEST_HEX])
{
	const char *at = sums->len ? strstr(sums->data, file) : NULL;
	size_t n = strlen(file);

	if (!at || (at != sums->data && at[-1] != '\n') || strlen(at) < n + DIGEST_HEX - 1)
		return false;
	memcpy(out, at + n, DIGEST_HEX - 1);
	out[DIGEST_HEX - 1] = '\0';
	return true;
}

/* "PATH INODE SIZE TIME DIGEST" of one file, from `known` or by reading it; added to `now`. */
static int add_sum(const char *path, const struct buf *known, struct buf *now, char out[DIGEST_HEX],
		   struct err *err)
{
	struct buf file = BUF_INIT;
	struct stat st;
	int result = -1;

	if (stat(path, &st)) {
		memcpy(out, "-", 2);
		return 0;
	}
	add_file(path, &st, &file);
	if (!buf_check(&file, err)) {
		file.data[file.len - 1] = ' '; /* the end of its line */
		result = recall_sum(known, buf_str(&file), out) ||
					 recall_sum(now, buf_str(&file), out)
				 ? 0
				 : elf_sum(path, out, err);
	}
	if (!result && !recall_sum(now, buf_str(&file), out))
		buf_addf(now, "%s%s\n", buf_str(&file), out);
	buf_release(&file);
	return result;
}

/* Puts the digest behind the name of each file in the answer. */
static int add_contents(char *answer, const char *memory, struct buf *out, struct err *err)
{
	struct buf path = BUF_INIT, known = BUF_INIT, now = BUF_INIT;
	char sum[DIGEST_HEX], *line;
	int result = -1;

	buf_addf(&path, "%s.sums", memory ? memory : "");
	if (memory && !path.failed)
		file_read_whole(buf_str(&path), ANSWER_BYTES, &known, NULL);
	while ((line = strsep(&answer, "\n"))) {
		if (!*line && !answer)
			break;
		if (!str_starts(line, COMPILERS_FILE)) {
			buf_addf(out, "%s\n", line);
			continue;
		}
		if (add_sum(line + strlen(COMPILERS_FILE), &known, &now, sum, err))
			goto out;
		buf_addf(out, "%s %s\n", line, sum);
	}
	if (memory && !now.failed &&
	    (now.len != known.len || memcmp(now.data, known.data, now.len)))
		file_write_whole(buf_str(&path), now.data, now.len, 0600, NULL);
	result = buf_check(out, err);
out:
	buf_release(&path);
	buf_release(&known);
	buf_release(&now);
	return result;
}

int compilers_identity(const struct strv *env, const char *memory, struct buf *out, struct err *err)
{
	struct buf answer = BUF_INIT;
	char key[DIGEST_HEX];
	bool known = memory && find_key(env, key);
	int result = -1;

	if (!known || !recall(memory, key, &answer)) {
		if (ask(env, &answer, err))
			goto out;
		if (known)
			remember(memory, key, buf_str(&answer));
	}
	result = answer.len ? add_contents(answer.data, memory, out, err) : 0;
out:
	buf_release(&answer);
	return result;
}
