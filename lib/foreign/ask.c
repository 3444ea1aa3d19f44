#include "lib/foreign/ask.h"

#include <stdio.h>
#include <string.h>

#include "lib/foreign/foreign.h"

#include "lib/base/banned.h"

/* ---- patterns ---------------------------------------------------------------------------- */

/* Appends text so that a regular expression matches just it. */
static void add_quoted(struct buf *out, const char *text, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (strchr("\\.[]{}()*+?^$|", text[i]))
			buf_addc(out, '\\');
		buf_addc(out, text[i]);
	}
}

static int add_option(struct strv *argv, const char *option, const struct buf *value,
		      struct err *err)
{
	return buf_check(value, err) || strv_addf(argv, err, "%s%s", option, buf_str(value)) ? -1
											     : 0;
}

/* ---- google-benchmark -------------------------------------------------------------------- */

static int google_list(struct strv *argv, struct err *err)
{
	return strv_add(argv, "--benchmark_list_tests=true", err);
}

/* A name a line; all that is said otherwise goes to stderr. */
static int google_names(const char *text, size_t n, struct strv *names, struct strv *selectors,
			struct err *err)
{
	const char *end = text + n, *line;
	size_t length;

	for (line = text; line < end; line += length + 1) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		int size;

		length = stop ? (size_t)(stop - line) : (size_t)(end - line);
		size = (int)(length && line[length - 1] == '\r' ? length - 1 : length);
		if (size && (strv_addf(names, err, "%.*s", size, line) ||
			     strv_addf(selectors, err, "%.*s", size, line)))
			return -1;
	}
	return 0;
}

/*
 * Iterations are frozen since 1.8 ("100x"); before, only the time can be given, as a bare number.
 */
static int google_run(const struct foreign_wish *wish, struct strv *argv, struct err *err)
{
	struct buf filter = BUF_INIT;
	int result = -1;

	buf_addc(&filter, '^');
	add_quoted(&filter, wish->selector, strlen(wish->selector));
	buf_addc(&filter, '$');
	if (add_option(argv, "--benchmark_filter=", &filter, err) ||
	    strv_add(argv, "--benchmark_format=json", err) ||
	    strv_add(argv, "--benchmark_repetitions=1", err) ||
	    strv_add(argv, "--benchmark_report_aggregates_only=false", err))
		goto out;
	result = wish->n ? strv_addf(argv, err, "--benchmark_min_time=%llux",
				     (unsigned long long)wish->n)
			 : strv_addf(argv, err, "--benchmark_min_time=%llu.%09llu",
				     (unsigned long long)(wish->time_ns / 1000000000u),
				     (unsigned long long)(wish->time_ns % 1000000000u));
out:
	buf_release(&filter);
	return result;
}

/* ---- go test ----------------------------------------------------------------------------- */

/*
 * Benchmarks inside benchmarks are known only to who runs them: once.  On one processor nothing is
 * written behind their names.
 */
static int go_list(struct strv *argv, struct err *err)
{
	return strv_add(argv, "-test.run=^$", err) || strv_add(argv, "-test.bench=.", err) ||
			       strv_add(argv, "-test.benchtime=1x", err) ||
			       strv_add(argv, "-test.count=1", err) ||
			       strv_add(argv, "-test.cpu=1", err)
		       ? -1
		       : 0;
}

/* The name, of a result of Go with what was taken for the number of processors behind it. */
static int add_name(const struct bench *b, struct strv *out, struct err *err)
{
	const char *procs = facts_find(&b->facts, "gomaxprocs");

	return strv_addf(out, err, "%s%s%s", b->name, procs ? "-" : "", procs ? procs : "");
}

const struct bench *foreign_bench_of(const struct summary *s, const char *name)
{
	const struct bench *b = summary_find(s, name);
	size_t i, n;

	for (i = 0; !b && i < s->n_benchmarks; i++) {
		const struct bench *one = &s->benchmarks[i];
		const char *procs = facts_find(&one->facts, "gomaxprocs");

		n = strlen(one->name);
		if (procs && !strncmp(name, one->name, n) && name[n] == '-' &&
		    !strcmp(name + n + 1, procs))
			b = one;
	}
	return b;
}

static int names_of(const char *format, const char *text, size_t n, const char *selector_fact,
		    struct strv *names, struct strv *selectors, struct err *err)
{
	const struct foreign_text what = { "its answer", text, n, NULL };
	struct summary s;
	int result = -1;
	size_t i;

	summary_init(&s);
	if (foreign_read(&what, foreign_find(format), &s, err))
		goto out;
	for (i = 0; i < s.n_benchmarks; i++) {
		const struct bench *b = &s.benchmarks[i];
		const char *by = selector_fact ? facts_find(&b->facts, selector_fact) : NULL;

		if (add_name(b, names, err) ||
		    strv_add(selectors, by ? by : names->v[names->n - 1], err))
			goto out;
	}
	result = 0;
out:
	summary_release(&s);
	return result;
}

static int go_names(const char *text, size_t n, struct strv *names, struct strv *selectors,
		    struct err *err)
{
	return names_of("go", text, n, NULL, names, selectors, err);
}

/* Each level of a name is matched by a pattern of its own. */
static int go_run(const struct foreign_wish *wish, struct strv *argv, struct err *err)
{
	struct buf pattern = BUF_INIT;
	const char *part = wish->selector;
	int result = -1;

	for (;;) {
		size_t n = strcspn(part, "/");

		buf_addc(&pattern, '^');
		add_quoted(&pattern, part, n);
		buf_addc(&pattern, '$');
		part += n;
		if (!*part)
			break;
		buf_addc(&pattern, '/');
		part++;
	}
	if (strv_add(argv, "-test.run=^$", err) ||
	    add_option(argv, "-test.bench=", &pattern, err) ||
	    strv_add(argv, "-test.count=1", err) || strv_add(argv, "-test.timeout=0", err))
		goto out;
	result = strv_addf(argv, err, "-test.benchtime=%llu%s",
			   (unsigned long long)(wish->n ? wish->n : wish->time_ns),
			   wish->n ? "x" : "ns");
out:
	buf_release(&pattern);
	return result;
}

/* ---- Catch2 ------------------------------------------------------------------------------ */

static int catch2_common(unsigned long long samples, struct strv *argv, struct err *err)
{
	return strv_add(argv, "--reporter", err) || strv_add(argv, "xml", err) ||
			       strv_add(argv, "--benchmark-samples", err) ||
			       strv_addf(argv, err, "%llu", samples) ||
			       strv_add(argv, "--benchmark-no-analysis", err) ||
			       strv_add(argv, "--benchmark-warmup-time", err) ||
			       strv_add(argv, "10", err)
		       ? -1
		       : 0;
}

static int catch2_list(struct strv *argv, struct err *err)
{
	return catch2_common(1, argv, err);
}

static int catch2_names(const char *text, size_t n, struct strv *names, struct strv *selectors,
			struct err *err)
{
	return names_of("catch2", text, n, "test_case", names, selectors, err);
}

/* A test case can be selected, not one of its benchmarks; its name is quoted for a test spec. */
static int catch2_run(const struct foreign_wish *wish, struct strv *argv, struct err *err)
{
	struct buf spec = BUF_INIT;
	const char *p;
	int result = -1;

	for (p = wish->selector; *p; p++) {
		if (strchr("\\,[]\"*", *p))
			buf_addc(&spec, '\\');
		buf_addc(&spec, *p);
	}
	if (!add_option(argv, "", &spec, err))
		result = catch2_common(wish->n ? wish->n : 10, argv, err);
	buf_release(&spec);
	return result;
}

/* ---- the table --------------------------------------------------------------------------- */

/*
 * The first letter of each mark is left out, and looked for in front of it: so that pawl itself
 * does not hold them.
 */
#define MARK(first, rest) #first "\0" rest

static const struct foreign_asker askers[] = {
	{ "google",
	  google_list,
	  google_names,
	  google_run,
	  { MARK(_, "ZN9benchmark22RunSpecifiedBenchmarksE"), NULL, NULL } },
	{ "google",
	  google_list,
	  google_names,
	  google_run,
	  { MARK(b, "enchmark_list_tests={true|false}"), NULL, NULL } },
	{ "go",
	  go_list,
	  go_names,
	  go_run,
	  { MARK(G, "o buildinf:"), MARK(t, "est.benchtime"), NULL } },
	{ "catch2",
	  catch2_list,
	  catch2_names,
	  catch2_run,
	  { MARK(b, "enchmark-resamples"), MARK(b, "enchmark-confidence-interval"), NULL } },
};

const struct foreign_asker *foreign_asker_of(const char *format)
{
	size_t i;

	for (i = 0; i < sizeof(askers) / sizeof(askers[0]); i++)
		if (!strcmp(askers[i].format, format))
			return &askers[i];
	return NULL;
}

static bool holds(const char *bytes, size_t n, const char *mark)
{
	const char *rest = mark + strlen(mark) + 1, *at = bytes;
	size_t length = strlen(rest), left = n;

	while ((at = memmem(at, left, rest, length))) {
		if (at > bytes && at[-1] == *mark)
			return true;
		at++;
		left = n - (size_t)(at - bytes);
	}
	return false;
}

static bool holds_all(const char *bytes, size_t n, const char *const marks[3])
{
	size_t k;

	for (k = 0; k < 3 && marks[k]; k++)
		if (!holds(bytes, n, marks[k]))
			return false;
	return true;
}

const char *foreign_guess(const char *bytes, size_t n)
{
	size_t i;

	for (i = 0; i < sizeof(askers) / sizeof(askers[0]); i++)
		if (holds_all(bytes, n, askers[i].marks))
			return askers[i].format;
	return NULL;
}

const char *foreign_repeater(const char *bytes, size_t n)
{
	static const struct {
		const char *name, *marks[3];
	} repeaters[] = {
		{ "nanobench", { MARK(N, "ANOBENCH_ENDLESS"), NULL, NULL } },
		{ "criterion", { MARK(C, "RITERION_HOME"), MARK(w, "arm-up-time"), NULL } },
	};
	size_t i;

	for (i = 0; i < sizeof(repeaters) / sizeof(repeaters[0]); i++)
		if (holds_all(bytes, n, repeaters[i].marks))
			return repeaters[i].name;
	return NULL;
}

const char *foreign_alarm(const char *bytes, size_t n)
{
	/* As it is in the table of names: between two NULs. */
	static const char name[] = "\0alarm";

	return memmem(bytes, n, name, sizeof(name)) ? name + 1 : NULL;
}
