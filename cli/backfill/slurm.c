#include "cli/backfill/slurm.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/digest/digest.h"
#include "lib/process/proc.h"

#include "lib/base/banned.h"

#define PATH_ROOM 4096
#define SUBMIT_NS 60000000000ull
#define OUTPUT_MOST 65536
#define DIGITS 8 /* of the digest in a script's name */

/* What every job does; the lines before it set pawl, repo, head, dir and part. */
static const char body[] =
	"[ -n \"$part\" ] || { echo \"no part has the number $SLURM_ARRAY_TASK_ID\" >&2; exit 2; "
	"}\n"
	"work=$(mktemp -d \"${TMPDIR:-/tmp}/pawl-part.XXXXXX\")\n"
	"trap 'rm -rf \"$work\"' EXIT\n"
	"trap 'exit 143' HUP INT TERM\n"
	"git clone --quiet --no-checkout \"$repo\" \"$work/tree\"\n"
	"cd \"$work/tree\"\n"
	"git checkout --quiet --detach \"$head\"\n"
	"[ ! -f \"$repo/.pawlconfig\" ] || cp \"$repo/.pawlconfig\" .\n"
	"# settings of this clone alone: git does not hand them on\n"
	"# a line each: a line break in a value is a mark meanwhile\n"
	"mark=$(printf '\\001')\n"
	"git -C \"$repo\" config --local -z --get-regexp '^(pawl|benchmark)[.]' |\n"
	"\ttr '\\n\\000' '\\001\\n' | while IFS= read -r line; do\n"
	"\t\tkey=${line%%\"$mark\"*} value=true\n"
	"\t\t[ \"$key\" = \"$line\" ] || value=$(printf %s \"${line#*\"$mark\"}\" | tr '\\001' "
	"'\\n')\n"
	"\t\tgit config --add \"$key\" \"$value\"\n"
	"\tdone || :\n"
	"# results of nodes of one kind belong together\n"
	"PAWL_POOL=${PAWL_POOL:-slurm ${SLURM_CLUSTER_NAME:-cluster}}\n"
	"export PAWL_POOL\n"
	"status=0\n";

int backfill_words(const struct options *o, struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; i + 1 < o->settings.n; i += 2)
		if (strv_addf(out, err, "--%s=%s", option_of_setting(o->settings.v[i]),
			      o->settings.v[i + 1]))
			return -1;
	for (i = 0; i < o->benchmarks.n; i++)
		if (strv_addf(out, err, "--benchmark=%s", o->benchmarks.v[i]))
			return -1;
	if ((o->quick && strv_add(out, "--quick", err)) ||
	    (o->budget && strv_addf(out, err, "--budget=%s", o->budget)))
		return -1;
	if (o->command.n && (strv_add(out, "--", err) || strv_add_all(out, o->command.v, err)))
		return -1;
	return 0;
}

/* NAME='value' */
static void add_variable(const char *name, const char *value, struct buf *out)
{
	char *const one[] = { (char *)(uintptr_t)value, NULL };

	buf_addf(out, "%s=", name);
	words_quote(one, out);
	buf_addc(out, '\n');
}

/* The clone's name may be another: the project is said. */
static int add_worker(const struct options *o, const struct context *c, struct buf *out,
		      struct err *err)
{
	struct strv words = STRV_INIT;
	int result = (!options_setting(o, "project") &&
		      strv_addf(&words, err, "--project=%s", c->project)) ||
				     backfill_words(o, &words, err)
			     ? -1
			     : 0;

	buf_adds(out, "\"$pawl\" backfill --part \"$part\" --files \"$dir\" ");
	if (!result && words.n)
		words_quote(words.v, out);
	buf_adds(out, " || status=$?\nexit \"$status\"\n");
	strv_release(&words);
	return result;
}

static int self_path(char out[PATH_ROOM], struct err *err)
{
	ssize_t n = readlink("/proc/self/exe", out, PATH_ROOM - 1);

	if (n <= 0)
		return err_sys(err, ERR_IO, "cannot find this program's own file");
	out[n] = '\0';
	return 0;
}

static int make_script(const struct options *o, const struct context *c, const struct strv *parts,
		       const char *dir, struct buf *out, struct err *err)
{
	char self[PATH_ROOM], head[OID_TEXT];
	const char *top = repo_top(c->repo);
	size_t i;

	if (!top) {
		err_set(err, ERR_USAGE, "a bare repository has no work tree to measure in");
		return err_hint(err, "run it in a clone with a work tree");
	}
	if (self_path(self, err) || repo_resolve(c->repo, "HEAD", head, err))
		return -1;
	buf_adds(out,
		 "#!/bin/sh\n# Written by 'pawl backfill --slurm': a part of a range of commits a "
		 "job.\nset -eu\n");
	add_variable("pawl", self, out);
	add_variable("repo", top, out);
	add_variable("head", head, out);
	add_variable("dir", dir, out);
	buf_adds(out, "case $SLURM_ARRAY_TASK_ID in\n");
	for (i = 0; i < parts->n; i++)
		buf_addf(out, "%zu) part=%s ;;\n", i + 1, parts->v[i]);
	buf_adds(out, "*) part= ;;\nesac\n");
	buf_adds(out, body);
	return add_worker(o, c, out, err) || buf_check(out, err) ? -1 : 0;
}

/* sbatch takes what stands behind '%' for a number of the job's. */
static int add_output(const char *dir, struct strv *words, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	buf_adds(&text, "--output=");
	for (; *dir; dir++)
		buf_adds(&text, *dir == '%' ? "%%" : (const char[]){ *dir, '\0' });
	buf_adds(&text, "/job-%A-%a.log");
	result = strv_take(words, &text, err);
	buf_release(&text);
	return result;
}

/* With these options a node is right for a part: the first time, and when one is run again. */
static int add_options(const struct options *o, const struct context *c, const char *dir,
		       struct strv *words, struct err *err)
{
	return strv_add(words, "--exclusive", err) ||
			       strv_addf(words, err, "--job-name=pawl-%s", c->project) ||
			       add_output(dir, words, err) ||
			       (o->constraint &&
				strv_addf(words, err, "--constraint=%s", o->constraint)) ||
			       (o->sbatch && words_split(o->sbatch, words, err))
		       ? -1
		       : 0;
}

static int run_sbatch(const struct strv *options, size_t n, const char *script, struct buf *out_job,
		      struct err *err)
{
	struct strv words = STRV_INIT;
	struct buf errors = BUF_INIT;
	int status, result = -1;

	if (strv_add(&words, "sbatch", err) || strv_add(&words, "--parsable", err) ||
	    strv_addf(&words, err, "--array=1-%zu", n) || strv_add_all(&words, options->v, err) ||
	    strv_add(&words, script, err))
		goto out;
	if (proc_capture(NULL, words.v, OUTPUT_MOST, SUBMIT_NS, out_job, &errors, &status, err)) {
		if (err->code == ERR_ABSENT)
			err_hint(err, "run it where jobs are submitted; a CI takes --matrix");
		goto out;
	}
	buf_truncate(out_job, strcspn(buf_str(out_job), ";\n"));
	if (status)
		err_set(err, ERR_REFUSED, "sbatch refuses the jobs (exit status %d): %.200s",
			status, buf_str(&errors));
	else
		result = buf_check(out_job, err);
out:
	strv_release(&words);
	buf_release(&errors);
	return result;
}

/* "sbatch --array=N ... SCRIPT" */
static int say_again(const struct strv *options, const char *script, struct buf *out,
		     struct err *err)
{
	struct strv words = STRV_INIT;
	int result = strv_add(&words, "sbatch", err) || strv_add(&words, "--array=N", err) ||
		     strv_add_all(&words, options->v, err) || strv_add(&words, script, err);

	if (!result)
		words_quote(words.v, out);
	strv_release(&words);
	return result || buf_check(out, err) ? -1 : 0;
}

int backfill_submit(const struct options *o, const struct context *c, const struct strv *parts,
		    const char *dir, struct buf *out_job, struct buf *out_again, struct err *err)
{
	struct buf text = BUF_INIT, script = BUF_INIT;
	struct strv options = STRV_INIT;
	char digest[DIGEST_HEX];
	int result = -1;

	if (make_script(o, c, parts, dir, &text, err) ||
	    digest_of(text.data, text.len, digest, err) || file_make_dirs(dir, 0755, err))
		goto out;
	buf_addf(&script, "%s/job-%.*s.sh", dir, DIGITS, digest);
	if (buf_check(&script, err) ||
	    file_write_whole(buf_str(&script), text.data, text.len, 0755, err) ||
	    add_options(o, c, dir, &options, err) ||
	    run_sbatch(&options, parts->n, buf_str(&script), out_job, err))
		goto out;
	result = say_again(&options, buf_str(&script), out_again, err);
out:
	buf_release(&text);
	buf_release(&script);
	strv_release(&options);
	return result;
}
