#include "lib/foreign/foreign.h"

#include <string.h>
#include <strings.h>

#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

#define ROW(name, what) \
	{ \
#name, what, name##_recognise, name##_parse \
	}

/* What is told by a field of its own comes before what is told by its shape alone. */
const struct foreign_format foreign_formats[] = {
	ROW(google, "google-benchmark's JSON"),
	ROW(go, "the text of 'go test -bench'"),
	ROW(hyperfine, "hyperfine's JSON"),
	ROW(criterion,
	    "what Criterion prints, its estimates.json or sample.json, or cargo-criterion's "
	    "messages"),
	ROW(catch2, "Catch2's XML report"),
	ROW(nanobench, "nanobench's JSON"),
	ROW(junit, "JUnit XML"),
	ROW(perf, "'perf stat -j'"),
	ROW(callgrind, "a callgrind.out file"),
	ROW(bmf, "Bencher Metric Format"),
	ROW(lnt, "LNT's 'benchmark.metric value' lines"),
};
const size_t foreign_n_formats = sizeof(foreign_formats) / sizeof(foreign_formats[0]);

const struct foreign_format *foreign_find(const char *name)
{
	size_t i;

	for (i = 0; i < foreign_n_formats; i++)
		if (!strcmp(foreign_formats[i].name, name))
			return &foreign_formats[i];
	return NULL;
}

/* Appends "google, go, hyperfine ... or lnt". */
static void list_names(struct buf *out)
{
	size_t i;

	for (i = 0; i < foreign_n_formats; i++)
		buf_addf(out, "%s%s",
			 !i			     ? ""
			 : i + 1 < foreign_n_formats ? ", "
						     : " or ",
			 foreign_formats[i].name);
}

static int not_recognised(const struct foreign_doc *doc, struct err *err)
{
	struct buf names = BUF_INIT;

	if (doc->fault.code) {
		*err = doc->fault;
		return -1;
	}
	if (!doc->n)
		return err_set(err, ERR_SYNTAX, "is empty");
	list_names(&names);
	err_set(err, ERR_SYNTAX, "in no known format: tried %s", buf_str(&names));
	buf_release(&names);
	return err_hint(err, "name it with --format; see pawl-import(1) for what each one is");
}

static const struct foreign_format *recognise(const struct foreign_doc *doc)
{
	size_t i;

	if (doc->is_structured && doc->fault.code)
		return NULL;
	for (i = 0; i < foreign_n_formats; i++)
		if (foreign_formats[i].recognise(doc))
			return &foreign_formats[i];
	return NULL;
}

static int parse(const struct foreign_doc *doc, const struct foreign_format *format,
		 struct summary *out, struct err *err)
{
	struct foreign_sink sink = { 0 };
	struct imported_file *file = NULL;
	size_t had = out->n_benchmarks;
	int result = -1;

	if (out->imported.n >= SUMMARY_MAX_IMPORTED)
		return err_set(err, ERR_LIMIT, "more than %d files", SUMMARY_MAX_IMPORTED);
	file = summary_add_imported(out, doc->name, err);
	if (!file || str_set(&file->format, format->name, err) ||
	    sink_open(&sink, doc, out, format->name, err))
		goto out;
	sink.file = &file->facts;
	if (format->parse(doc, &sink, err) || doc_go_on(doc, err))
		goto out;
	if (out->n_benchmarks == had) {
		err_set(err, ERR_RANGE, "holds no benchmark");
		err_hint(err, "it was read as %s", format->what);
		goto out;
	}
	result = 0;
out:
	sink_release(&sink);
	return result;
}

int foreign_read(const struct foreign_text *text, const struct foreign_format *format,
		 struct summary *out, struct err *err)
{
	struct foreign_doc doc = { 0 };
	int result = -1;

	if (!doc_open(text, &doc, err)) {
		if (!format)
			format = recognise(&doc);
		result = format ? parse(&doc, format, out, err) : not_recognised(&doc, err);
	}
	doc_release(&doc);
	return result ? err_in(err, "'%s'", text->name) : 0;
}
