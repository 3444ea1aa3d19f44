#include "cli/receipt.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/machine.h"
#include "collector/trees.h"
#include "lib/base/digest.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define RECEIPT_MAX_BYTES (64u << 20)
#define LONGEST_S (90 * 86400)

static void add_list(struct digest *d, const struct strv *list)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		digest_adds(d, list->v[i]);
	digest_adds(d, NULL);
}

/* All that decides what is measured and how it is judged. */
static void add_config(struct digest *d, const struct config *config)
{
	struct buf numbers = BUF_INIT;
	size_t i;

	digest_adds(d, config->build);
	add_list(d, &config->sources);
	buf_addf(&numbers, "%zu %d %d %d %.17g %llu", config->sources.n, config->runs_given,
		 config->runs_min, config->runs_max, config->confidence,
		 (unsigned long long)config->min_time_ns);
	for (i = 0; i < config->n_benchmarks; i++) {
		const struct bench_config *b = &config->benchmarks[i];

		digest_adds(d, b->name);
		add_list(d, &b->command);
		digest_adds(d, b->metric);
		add_list(d, &b->inputs);
		digest_adds(d, b->output);
		buf_addf(&numbers, " %zu %zu %d %d %.17g %llu %llu %llu %llu %llu %llu",
			 b->command.n, b->inputs.n, (int)b->format, b->format_given, b->threshold,
			 (unsigned long long)b->timeout_ns,
			 (unsigned long long)b->limits.memory_bytes,
			 (unsigned long long)b->limits.file_bytes,
			 (unsigned long long)b->limits.cpu_ns,
			 (unsigned long long)b->limits.open_files,
			 (unsigned long long)b->limits.processes);
	}
	digest_adds(d, buf_str(&numbers));
	buf_release(&numbers);
}

/* The path of the receipt of a request. */
static int path_of(const struct options *o, const struct context *c,
		   const struct compare_request *rq, struct buf *out, struct err *err)
{
	struct git_commit base = GIT_COMMIT_INIT, head = GIT_COMMIT_INIT;
	struct summary s; /* for its machine */
	struct digest d = DIGEST_INIT;
	struct buf how = BUF_INIT;
	char key[DIGEST_HEX], tools[TREES_KEY];
	int result = -1;

	summary_init(&s);
	if (repo_commit(rq->repo, rq->base, &base, err) ||
	    repo_commit(rq->repo, rq->head, &head, err) || machine_describe(&s.machine, err) ||
	    trees_toolchain(tools, err) || digest_begin(&d, err))
		goto out;
	buf_addf(&how, "%d %u %d %d %d %d", (int)rq->depth, rq->pairs, rq->measure_identical,
		 rq->count_work, rq->submodules, rq->partial);
	digest_adds(&d, PAWL_VERSION);
	digest_adds(&d, s.machine.id);
	digest_adds(&d, tools);
	digest_adds(&d, c->project);
	digest_adds(&d, base.id);
	digest_adds(&d, head.id);
	digest_adds(&d, o->benchmark);
	digest_adds(&d, buf_str(&how));
	add_config(&d, rq->config);
	if (digest_end(&d, key, err))
		goto out;
	buf_addf(out, "%s/receipts/%.32s.json", c->state_dir, key);
	result = buf_check(out, err);
out:
	git_commit_release(&base);
	git_commit_release(&head);
	summary_release(&s);
	digest_release(&d);
	buf_release(&how);
	return result;
}

/* Uncommitted work has no name by which it could be found again. */
static bool is_kept(const struct context *c, const struct compare_request *rq)
{
	return c->state_dir && !rq->working_tree && !rq->rebuild;
}

int receipt_find(const struct options *o, const struct context *c, const struct compare_request *rq,
		 struct summary *out, struct err *err)
{
	struct buf path = BUF_INIT, text = BUF_INIT;
	char when[WHEN_ISO];
	int result = -1;

	summary_init(out);
	if (!o->reuse || !is_kept(c, rq))
		return 0;
	if (path_of(o, c, rq, &path, err))
		goto out;
	result = 0;
	if (file_read_whole(buf_str(&path), RECEIPT_MAX_BYTES, &text, NULL))
		goto out;
	if (summary_decode(text.data, text.len, out, NULL))
		summary_init(out);
	else
		talk_note(c->talk, "compared already on this machine, %s: the result is reused",
			  when_iso(out->finished_us, false, when));
out:
	buf_release(&path);
	buf_release(&text);
	return result;
}

static bool is_decided(const struct summary *s)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++) {
		enum verdict v = bench_verdict(&s->benchmarks[i]);

		if (v == VERDICT_INCONCLUSIVE || v == VERDICT_FAILED)
			return false;
	}
	return s->n_benchmarks > 0;
}

/* What is older is of no use: the commits have long been pushed. */
static void trim(const char *dir)
{
	int64_t now = when_now_us() / 1000000;
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d)))
		if (*e->d_name != '.' && !fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    S_ISREG(st.st_mode) && st.st_mtime < now - LONGEST_S)
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
}

int receipt_keep(const struct options *o, const struct context *c, const struct compare_request *rq,
		 const struct summary *s, struct err *err)
{
	struct buf dir = BUF_INIT, path = BUF_INIT, text = BUF_INIT;
	int result = -1;

	if (!is_kept(c, rq) || !is_decided(s))
		return 0;
	buf_addf(&dir, "%s/receipts", c->state_dir);
	if (!buf_check(&dir, err) && !path_of(o, c, rq, &path, err) &&
	    !summary_encode(s, 0, &text, err)) {
		file_make_dirs(buf_str(&dir), 0700, NULL);
		trim(buf_str(&dir));
		file_write_whole(buf_str(&path), text.data, text.len, 0600, NULL);
		result = 0;
	}
	buf_release(&dir);
	buf_release(&path);
	buf_release(&text);
	return result;
}
