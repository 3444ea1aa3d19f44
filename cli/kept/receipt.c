#include "cli/kept/receipt.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/kept/config_key.h"
#include "cli/range.h"
#include "cli/kept/files.h"
#include "cli/kept/sealed.h"
#include "collector/build/trees.h"
#include "collector/code/identify.h"
#include "collector/machine/machine.h"
#include "lib/base/file.h"
#include "lib/base/when.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#define RECEIPT_MAX_BYTES (64u << 20)
#define LONGEST_S (90 * 86400)

/* Files of the work tree, which both sides may be given where no commit has them. */
static bool add_inputs(struct digest *d, const char *top, const struct bench_config *b)
{
	struct buf path = BUF_INIT;
	bool is_all = true;
	size_t i;

	for (i = 0; i < b->given.n; i++)
		is_all = receipt_files(b->given.v[i], d) && is_all;
	is_all = (!b->prepare || receipt_files(b->prepare, d)) && is_all;
	is_all = (!b->cleanup || receipt_files(b->cleanup, d)) && is_all;
	is_all = (!b->input || receipt_files(b->input, d)) && is_all;
	for (i = 0; top && i < b->inputs.n; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", top, b->inputs.v[i]);
		is_all = receipt_files(buf_str(&path), d) && is_all;
	}
	is_all = is_all && !buf_check(&path, NULL);
	buf_release(&path);
	return is_all;
}

/* What the benchmarks use of the machine; false: it cannot be told. */
static bool add_files(struct digest *d, const struct config *config, const char *top)
{
	struct buf program = BUF_INIT;
	bool is_all = !config->build || receipt_files(config->build, d);
	size_t i, k;

	for (i = 0; i < config->n_benchmarks; i++) {
		const struct strv *command = &config->benchmarks[i].command;

		buf_reset(&program);
		if (!strchr(command->v[0], '/') &&
		    !identify_find(".", command->v[0], &program, NULL))
			is_all = receipt_files(buf_str(&program), d) && is_all;
		for (k = 0; k < command->n; k++)
			is_all = receipt_files(command->v[k], d) && is_all;
		is_all = add_inputs(d, top, &config->benchmarks[i]) && is_all;
	}
	buf_release(&program);
	return is_all;
}

static int add_commit(struct repo *repo, const char *rev, struct digest *d, struct err *err)
{
	char id[OID_TEXT];

	if (range_commit(repo, rev, id, err))
		return -1;
	digest_adds(d, id);
	return 0;
}

static int add_request(const struct receipt *r, struct digest *d, struct err *err)
{
	const struct compare_request *rq = r->rq;
	struct summary s; /* for its machine */
	struct buf how = BUF_INIT;
	char tools[TREES_KEY];
	size_t i;
	int result = -1;

	summary_init(&s);
	if (machine_describe(&s.machine, err) || trees_toolchain(r->c->state_dir, tools, err))
		goto out;
	buf_addf(&how, "%d %u %d %d %d %d %d", rq->quick, rq->pairs, rq->measure_identical,
		 rq->count_work, rq->submodules, rq->partial, rq->explain);
	digest_adds(d, PAWL_VERSION);
	digest_adds(d, s.machine.id);
	digest_adds(d, tools);
	digest_adds(d, r->c->project);
	if (add_commit(rq->repo, rq->base, d, err) || add_commit(rq->repo, rq->head, d, err))
		goto out;
	digest_add_list(d, &r->o->benchmarks);
	digest_adds(d, buf_str(&how));
	config_key_add(d, rq->config);
	for (i = 0; i < rq->config->n_benchmarks; i++)
		config_key_bench(d, &rq->config->benchmarks[i]);
	result = buf_check(&how, err);
out:
	summary_release(&s);
	buf_release(&how);
	return result;
}

/* Uncommitted work has no name by which it could be found again. */
static bool has_name(const struct receipt *r)
{
	return r->c->state_dir && !r->rq->working_tree && !r->rq->rebuild;
}

/* Makes the path, once. */
static int ask_path(struct receipt *r, struct err *err)
{
	struct digest d = DIGEST_INIT;
	char key[DIGEST_HEX];
	bool is_all;
	int result = -1;

	if (r->is_asked || !has_name(r))
		return 0;
	if (digest_begin(&d, err) || add_request(r, &d, err))
		goto out;
	is_all = add_files(&d, r->rq->config, repo_top(r->rq->repo));
	if (digest_end(&d, key, err))
		goto out;
	if (is_all)
		buf_addf(&r->path, "%s/receipts/%.32s.json", r->c->state_dir, key);
	r->is_asked = true;
	result = buf_check(&r->path, err);
out:
	digest_release(&d);
	return result;
}

void receipt_release(struct receipt *r)
{
	buf_release(&r->path);
}

int receipt_find(struct receipt *r, struct summary *out, struct err *err)
{
	struct err fault = ERR_INIT;
	char when[WHEN_ISO];

	summary_init(out);
	if (ask_path(r, &fault)) {
		if (!r->o->reuse) /* who keeps it will tell */
			return 0;
		*err = fault;
		return -1;
	}
	if (!r->o->reuse || !r->path.len ||
	    sealed_read(buf_str(&r->path), RECEIPT_MAX_BYTES, out, NULL)) {
		summary_init(out);
	} else {
		r->is_found = true;
		talk_note(r->c->talk, "compared already on this machine, %s: the result is reused",
			  when_iso(out->finished_us, false, when));
	}
	return 0;
}

static bool is_decided(const struct summary *s)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++) {
		enum verdict v = bench_verdict(&s->benchmarks[i]);

		if (v == VERDICT_INCONCLUSIVE || v == VERDICT_FAILED ||
		    s->benchmarks[i].status == BENCH_SKIPPED)
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

int receipt_keep(struct receipt *r, const struct summary *s, struct err *err)
{
	struct err fault = ERR_INIT;
	struct buf dir = BUF_INIT;
	int result = 0;

	if (r->is_found || !is_decided(s))
		return 0;
	if (ask_path(r, err))
		return -1;
	if (!r->path.len)
		return 0;
	buf_addf(&dir, "%s/receipts", r->c->state_dir);
	if (buf_check(&dir, err)) {
		result = -1;
	} else {
		file_make_dirs(buf_str(&dir), 0700, NULL);
		trim(buf_str(&dir));
		if (sealed_write(buf_str(&r->path), s, &fault) && fault.code == ERR_NOMEM)
			result = err_nomem(err);
	}
	buf_release(&dir);
	return result;
}
