/* What a document may take of memory while it is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <malloc.h>

#include "lib/base/buf.h"
#include "lib/json/jtree.h"
#include "lib/record/summary.h"

#include "lib/base/banned.h"

#define MANY 20000
#define MOST (SUMMARY_MAX_TREE / 12) /* a value takes 16 bytes */

/* open, so often piece (a '#' in it is a number that rises), close. */
static void fill(struct buf *out, const char *open, const char *piece, const char *close,
		 size_t often)
{
	const char *hash = strchr(piece, '#');
	size_t i;

	buf_reset(out);
	buf_adds(out, open);
	for (i = 0; i < often; i++)
		if (hash)
			buf_addf(out, "%s%.*s%zu%s", i ? "," : "", (int)(hash - piece), piece, i,
				 hash + 1);
		else
			buf_addf(out, "%s%s", i ? "," : "", piece);
	buf_adds(out, close);
	assert_false(out->failed);
}

static void tree_takes_its_limit_and_its_text_at_most(void **state)
{
	static const char *const forms[][3] = {
		{ "[", "{}", "]" },
		{ "[", "[]", "]" },
		{ "[", "1", "]" },
		{ "[", "1.25", "]" },
		{ "[", "null", "]" },
		{ "[", "\"\"", "]" },
		{ "[", "\"some words that are longer\"", "]" },
		{ "[", "[1,2,3,4,5,6,7,8,9]", "]" },
		{ "{", "\"a#\":0", "}" },
		{ "{", "\"a name that is longer #\":\"x\"", "}" },
		{ "[", "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8}", "]" },
	};
	struct buf text = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t before, after, tree_bytes;
		struct jtree *tree = NULL;

		fill(&text, forms[i][0], forms[i][1], forms[i][2], MANY);
		/* The first of these that is enough. */
		for (tree_bytes = 1024; !tree; tree_bytes += tree_bytes / 4) {
			struct err err = ERR_INIT;

			before = mallinfo2().uordblks;
			tree = jtree_parse_within(text.data, text.len, tree_bytes, 8, &err);
			after = mallinfo2().uordblks; /* a sanitizer's malloc counts nothing */
			assert_true(tree || err.code == ERR_LIMIT);
			if (tree && after > before + tree_bytes + text.len + 128)
				fail_msg("%s: %zu bytes, limit %zu", forms[i][1], after - before,
					 tree_bytes);
		}
		jtree_free(tree);
	}
	buf_release(&text);
}

#define HEAD \
	"{\"schema\":\"pawl.summary/1\",\"id\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\",\"project\":\"p\"," \
	"\"commit\":{\"id\":null,\"parents\":[],\"tree\":null,\"branch\":null,\"subject\":null," \
	"\"author_time\":\"2026-11-20T10:00:00Z\",\"commit_time\":\"2026-11-20T10:00:00Z\"," \
	"\"dirty\":false}," \
	"\"machine\":{\"id\":\"m\",\"cpu\":null,\"cores\":1},\"environment\":{\"warnings\":[]}," \
	"\"settings\":{\"runs\":[1,1],\"min_time_ns\":0,\"confidence\":0.95,\"threshold\":0.01}," \
	"\"baseline\":{\"commit\":null,\"how\":null,\"why\":null}," \
	"\"started\":\"2026-11-20T10:00:00Z\",\"finished\":\"2026-11-20T10:00:00Z\",\"pawl\":" \
	"null,\"benchmarks\":["

static void refuses(const struct buf *text, enum err_code code, const char *where)
{
	struct err err = ERR_INIT;
	struct summary s;

	assert_int_equal(summary_decode(text->data, text->len, &s, &err), -1);
	if (err.code != code || strncmp(err.text, where, strlen(where)))
		fail_msg("%s", err.text);
}

static void heavy_document_is_refused_with_its_place(void **state)
{
	struct buf numbers = BUF_INIT, bench = BUF_INIT, text = BUF_INIT;

	(void)state;
	fill(&text, "[", "{}", "]", MOST);
	refuses(&text, ERR_LIMIT, "document: holds more values");
	fill(&text, "{\"schema\":\"pawl.summary/1\",\"x\":[", "{}", "]}", MOST);
	refuses(&text, ERR_LIMIT, "document: holds more values");
	fill(&text, "{\"x\":[", "{}", "],\"schema\":\"pawl.summary/1\"}", MOST);
	refuses(&text, ERR_LIMIT, "document: holds more values");
	/* Keys are kept, also behind a fault. */
	fill(&text, "{\"schema\":5,", "\"#\":0", "}", 1200000);
	refuses(&text, ERR_LIMIT, "document: holds more values");
	fill(&text, HEAD, "{}", "]}", 500000);
	refuses(&text, ERR_RANGE, "benchmarks[0].name: is missing");
	fill(&text, HEAD "{\"name\":\"a\",\"x\":[", "{}", "]}]}", MOST);
	refuses(&text, ERR_LIMIT, "benchmarks[0]: holds more values");
	fill(&text, HEAD, "{\"name\":\"#\",\"status\":\"failed\",\"metrics\":[]}", ",{x}]}", 9000);
	refuses(&text, ERR_SYNTAX, "not JSON: line 1, column");
	fill(&numbers, "", "0", "", 300);
	buf_addf(&bench, "{\"name\":\"#\",\"status\":\"failed\",\"metrics\":[],\"x\":[%s]}",
		 buf_str(&numbers));
	fill(&text, HEAD, buf_str(&bench), ",{x}]}", 9000);
	refuses(&text, ERR_SYNTAX, "not JSON: line 1, column");
	fill(&text, HEAD, "{\"name\":\"#\",\"status\":\"failed\",\"metrics\":[]}", "]}",
	     SUMMARY_MAX_BENCHMARKS + 90000);
	refuses(&text, ERR_LIMIT, "benchmarks[10000]: is beyond 10000 benchmarks");
	buf_release(&numbers);
	buf_release(&bench);
	buf_release(&text);
}

static void metrics_without_values_take_no_more_than_twice_their_document(void **state)
{
	struct buf metrics = BUF_INIT, bench = BUF_INIT, text = BUF_INIT;

	(void)state;
	fill(&metrics, "", "{\"name\":\"#\",\"unit\":\"n\",\"better\":\"lower\"}", "", 60);
	buf_addf(&bench, "{\"name\":\"#\",\"status\":\"ok\",\"metrics\":[%s]}", buf_str(&metrics));
	/* '#' stands in the name alone: what fill() puts in comes first. */
	fill(&text, HEAD, buf_str(&bench), "]}", 4000);
	refuses(&text, ERR_LIMIT, "benchmarks[");
	buf_release(&metrics);
	buf_release(&bench);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tree_takes_its_limit_and_its_text_at_most),
		cmocka_unit_test(heavy_document_is_refused_with_its_place),
		cmocka_unit_test(metrics_without_values_take_no_more_than_twice_their_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
