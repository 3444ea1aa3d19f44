#include "collector/code/inputs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define DEPTH_MAX 64

struct gathering {
	struct digest d;
	size_t n_files;
	uint64_t n_bytes;
	bool too_much;
};

static void add_entry(struct gathering *g, const char *path, int depth);

/* A folder's entries in the order of their names; git's own files are no input. */
static void add_folder(struct gathering *g, const char *path, int depth)
{
	struct dirent **names = NULL;
	struct buf entry = BUF_INIT;
	int n = scandir(path, &names, NULL, alphasort), i;

	g->too_much = g->too_much || n < 0 || depth > DEPTH_MAX;
	for (i = 0; i < n; i++) {
		const char *name = names[i]->d_name;

		if (strcmp(name, ".") && strcmp(name, "..") && strcmp(name, ".git") &&
		    !g->too_much) {
			buf_reset(&entry);
			buf_addf(&entry, "%s/%s", path, name);
			digest_adds(&g->d, name);
			add_entry(g, buf_str(&entry), depth + 1);
			g->too_much = g->too_much || entry.failed;
		}
		free(names[i]);
	}
	free(names);
	buf_release(&entry);
}

static void add_entry(struct gathering *g, const char *path, int depth)
{
	char one[DIGEST_HEX], link[4096];
	struct stat st;
	ssize_t n;

	if (lstat(path, &st))
		return;
	if (depth && S_ISLNK(st.st_mode)) {
		n = readlink(path, link, sizeof(link) - 1);
		link[n > 0 ? n : 0] = '\0';
		digest_adds(&g->d, link);
		if (stat(path, &st) || !S_ISREG(st.st_mode))
			return;
	} else if (stat(path, &st)) {
		return;
	}
	if (S_ISDIR(st.st_mode)) {
		add_folder(g, path, depth);
		return;
	}
	if (!S_ISREG(st.st_mode))
		return;
	g->n_files++;
	g->n_bytes += (uint64_t)st.st_size;
	if (depth && (g->n_files > INPUTS_MAX_FILES || g->n_bytes > INPUTS_MAX_BYTES))
		g->too_much = true;
	else if (!digest_of_file(path, one, NULL))
		digest_adds(&g->d, one);
}

/* "--name=PATH" names a file by what stands behind the sign. */
static const char *path_in(const char *word)
{
	const char *sign = word[0] == '-' ? strchr(word, '=') : NULL;

	return sign ? sign + 1 : word;
}

static void add_word(struct gathering *g, const char *top, const char *word)
{
	const char *name = path_in(word);
	struct buf path = BUF_INIT;
	struct stat st;

	digest_adds(&g->d, word);
	buf_addf(&path, "%s%s%s", name[0] == '/' ? "" : top, name[0] == '/' ? "" : "/", name);
	/* A folder elsewhere is the machine's, not the commit's. */
	if (*name && !path.failed && !stat(buf_str(&path), &st) &&
	    (S_ISREG(st.st_mode) || name[0] != '/'))
		add_entry(g, buf_str(&path), 0);
	g->too_much = g->too_much || path.failed;
	buf_release(&path);
}

/* A line for a shell: nobody can tell what it reads. */
static void add_what_never_is_the_same(struct gathering *g)
{
	static unsigned n;
	char text[64];

	snprintf(text, sizeof(text), "%ld %u %llu", (long)getpid(), n++,
		 (unsigned long long)when_now_us());
	digest_adds(&g->d, text);
}

static void check_input(const char *top, const struct bench_config *config, const char *input,
			const struct talk *talk)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s%s%s", input[0] == '/' ? "" : top, input[0] == '/' ? "" : "/", input);
	if (access(buf_str(&path), R_OK))
		talk_warn(talk, "correct the path, it is relative to the top of the work tree",
			  "input '%s' of benchmark '%s' cannot be read", input, config->name);
	buf_release(&path);
}

int inputs_digest(const char *top, const struct bench_config *config, const struct talk *talk,
		  char out[DIGEST_HEX], bool *out_known, struct err *err)
{
	struct gathering g = { .d = DIGEST_INIT };
	size_t i;

	if (digest_begin(&g.d, err))
		return -1;
	for (i = 1; i < config->command.n; i++)
		add_word(&g, top, config->command.v[i]);
	for (i = 0; i < config->inputs.n; i++) {
		check_input(top, config, config->inputs.v[i], talk);
		add_word(&g, top, config->inputs.v[i]);
	}
	if (config->prepare || config->cleanup)
		add_what_never_is_the_same(&g);
	if (config->input)
		add_word(&g, top, config->input);
	*out_known = !g.too_much;
	return digest_end(&g.d, out, err);
}

static int add_path(const char *word, struct strv *out, struct err *err)
{
	const char *name = path_in(word);

	while (str_starts(name, "./"))
		name += 2;
	if (!*name || name[0] == '/' || name[0] == '-' || str_starts(name, ".."))
		return 0;
	return strv_add(out, name, err);
}

int inputs_paths(const struct bench_config *config, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; i < config->command.n; i++)
		if (add_path(config->command.v[i], out, err))
			return -1;
	for (i = 0; i < config->inputs.n; i++)
		if (add_path(config->inputs.v[i], out, err))
			return -1;
	return config->input ? add_path(config->input, out, err) : 0;
}
