#include "collector/link/relink.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/link/arguments.h"
#include "lib/base/file.h"
#include "lib/process/proc.h"

#include "lib/base/banned.h"

#define PRINTED_MAX ((size_t)64 << 20)
#define ASK_NS (UINT64_C(10) * 1000000000)
#define KNOWN 4 /* answers kept: of both sides */

/* The line that says most: the last one that is the linker's own. */
static const char *last_line(struct buf *errors)
{
	char *line, *rest, *last = NULL;

	if (!errors->len)
		return "it printed nothing";
	for (line = strtok_r(errors->data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		last = line;
	if (!last)
		return "it printed nothing";
	err_clean(last);
	return last;
}

/* What lies with the machine may be otherwise the next time. */
static int explain(int status, const char *line, struct err *err)
{
	if (strstr(line, "No space left on device") || strstr(line, "Disk quota exceeded"))
		return err_set(err, ERR_FULL, "the link cannot be made again: %s", line);
	if (status == 128 + SIGKILL || status == 128 + SIGTERM)
		return err_set(err, ERR_IO, "the linker was killed when the link was made again");
	if (status > 128)
		return err_set(err, ERR_CHILD,
			       "the linker ends with signal %d when the link is made again",
			       status - 128);
	return err_set(err, ERR_CHILD, "the link fails when it is made again: %s", line);
}

static int run(const struct relink *r, char *const *argv, struct buf *printed, struct err *err)
{
	const struct proc_options options = { .dir = r->link->folder,
					      .environment = r->link->env.v,
					      .no_other = true,
					      .max = PRINTED_MAX,
					      .timeout_ns = r->timeout_ns,
					      .stops = true };
	struct buf errors = BUF_INIT;
	int status, result;

	result = proc_run(&options, argv, printed, &errors, &status, err);
	if (!result && status)
		result = explain(status, last_line(&errors), err);
	buf_release(&errors);
	return result;
}

/* The words go through a file: there may be more of them than a command line holds. */
static int write_words(const struct relink *r, const char *path, struct err *err)
{
	struct strv words = STRV_INIT;
	struct buf text = BUF_INIT;
	int result = -1;

	if (arguments_again(&r->link->words, r->output, &words, err) ||
	    (r->more && r->more->n && strv_add_all(&words, r->more->v, err)))
		goto out;
	arguments_respond(&words, &text);
	if (!buf_check(&text, err))
		result = file_write_new(path, text.data, text.len, 0600, err);
out:
	strv_release(&words);
	buf_release(&text);
	return result;
}

int relink_run(const struct relink *r, struct buf *printed, struct err *err)
{
	struct buf file = BUF_INIT, resolution = BUF_INIT;
	int result = -1;

	buf_addf(&file, "@%s.words", r->output);
	buf_addf(&resolution, "%s.resolution", r->output);
	if (buf_check(&file, err) || buf_check(&resolution, err))
		goto out;
	if (!write_words(r, file.data + 1, err)) {
		char *argv[] = { r->link->linker, file.data, NULL };

		result = run(r, argv, printed, err);
	}
	if (result)
		unlink(r->output);
	unlink(file.data + 1);
	unlink(resolution.data);
out:
	buf_release(&file);
	buf_release(&resolution);
	return result;
}

/* All that its answer may depend on: the file as it is, and the environment. */
static int question_of(const struct link *l, struct buf *out, struct err *err)
{
	struct stat st;
	size_t i;

	if (stat(l->linker, &st) || access(l->folder, X_OK))
		return 0; /* empty: to be asked, which says why it cannot be */
	buf_addf(out, "%s %ju %ju %jd %jd.%ld\n", l->linker, (uintmax_t)st.st_dev,
		 (uintmax_t)st.st_ino, (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
		 st.st_mtim.tv_nsec);
	for (i = 0; i < l->env.n; i++)
		buf_addf(out, "%s\n", l->env.v[i]);
	return buf_check(out, err);
}

static int ask(const struct link *l, enum linker *out, struct err *err)
{
	static const struct {
		const char *says;
		enum linker linker;
	} known[] = { { "LLD ", LINKER_LLD },
		      { "mold ", LINKER_MOLD }, /* "(compatible with GNU ld)" */
		      { "GNU gold", LINKER_GOLD },
		      { "GNU ld", LINKER_GNU } };
	char word[] = "--version", *argv[] = { l->linker, word, NULL };
	const struct relink r = { .link = l, .timeout_ns = ASK_NS };
	struct buf text = BUF_INIT;
	size_t i;
	int result = run(&r, argv, &text, err);

	*out = LINKER_OTHER;
	for (i = 0; !result && i < sizeof(known) / sizeof(known[0]); i++)
		if (*out == LINKER_OTHER && strstr(buf_str(&text), known[i].says))
			*out = known[i].linker;
	buf_release(&text);
	return result;
}

int relink_linker(const struct link *l, enum linker *out, struct err *err)
{
	static struct {
		char *question;
		enum linker answer;
	} known[KNOWN];
	static size_t n;
	struct buf question = BUF_INIT;
	int result = question_of(l, &question, err);
	size_t i = 0;

	while (i < KNOWN && (!known[i].question || !question.len ||
			     strcmp(known[i].question, buf_str(&question)) != 0))
		i++;
	if (!result && i < KNOWN) {
		*out = known[i].answer;
	} else if (!result && !(result = ask(l, out, err)) && question.len) {
		i = n++ % KNOWN;
		known[i].answer = *out;
		result = str_set(&known[i].question, buf_str(&question), err);
	}
	buf_release(&question);
	return result;
}
