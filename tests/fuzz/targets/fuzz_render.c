/* A summary from anybody in every format: JSON that SQLite reads, XML that expat reads, no command
 * to a log. */
#include "tests/fuzz/fuzz.h"

#include <expat.h>
#include <sqlite3.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/record/summary.h"
#include "reporter/render/render.h"

#include "lib/base/banned.h"

const size_t fuzz_cost = 10;

static void hold_json(const struct buf *out)
{
	static sqlite3 *db;
	sqlite3_stmt *st = NULL;

	must(db || sqlite3_open(":memory:", &db) == SQLITE_OK);
	must(sqlite3_prepare_v2(db, "SELECT json_valid(?1)", -1, &st, NULL) == SQLITE_OK);
	sqlite3_bind_text(st, 1, out->data, (int)out->len, SQLITE_STATIC);
	must(sqlite3_step(st) == SQLITE_ROW && sqlite3_column_int(st, 0) == 1);
	sqlite3_finalize(st);
}

static void hold_xml(const struct buf *out)
{
	XML_Parser parser = XML_ParserCreate(NULL);

	must(parser && XML_Parse(parser, out->data, (int)out->len, 1) == XML_STATUS_OK);
	XML_ParserFree(parser);
}

/* UTF-8 without control characters but those that end or divide lines. */
static void hold_bytes(const struct buf *out, const char *allowed)
{
	const unsigned char *p = (const unsigned char *)out->data;
	size_t left = out->len, len;

	for (; left; p += len, left -= len) {
		len = utf8_length(p, left);
		must(len);
		must((*p >= 0x20 && *p != 0x7f) || (*p && strchr(allowed, *p)));
		must(*p != 0xc2 || p[1] >= 0xa0);
	}
}

/* What a runner takes for a command: "::word" begins a line, "##[" and "##vso[" may stand anywhere.
 */
static void hold_log(const struct buf *out, bool are_meant)
{
	const char *line = buf_str(out), *end;

	must(!strstr(line, "##[") && !strstr(line, "##vso["));
	for (; *line; line = *end ? end + 1 : end) {
		const char *p = line + strspn(line, " \t");

		end = line + strcspn(line, "\n");
		if (are_meant)
			must(str_starts(p, "::error") || str_starts(p, "::warning") ||
			     str_starts(p, "::notice"));
		else
			must(!str_starts(p, "::"));
	}
}

static void hold(const char *format, const struct buf *out)
{
	static const char *const json[] = { "json", "metrics", "codequality" };
	bool is_json = false;
	size_t i;

	for (i = 0; i < sizeof(json) / sizeof(json[0]); i++)
		is_json = is_json || !strcmp(format, json[i]);
	must(!out->len || out->data[out->len - 1] == '\n');
	must(strlen(buf_str(out)) == out->len);
	if (!strcmp(format, "metrics")) /* lines for Prometheus by that name, too */
		is_json = false;
	if (is_json)
		hold_json(out);
	if (!strcmp(format, "junit") || !strcmp(format, "badge"))
		hold_xml(out);
	hold_bytes(out, !strcmp(format, "csv")	       ? "\n\r\t"
			: !strcmp(format, "porcelain") ? "\n\t"
						       : "\n");
	hold_log(out, !strcmp(format, "annotations"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct render_options opt = RENDER_OPTIONS_INIT;
	const struct render_format *format;
	struct summary s;
	size_t i;

	if (n < 1 || summary_decode((const char *)data + 1, n - 1, &s, NULL))
		return 0;
	fuzz_accept();
	opt.utf8 = data[0] & 1;
	opt.verbose = data[0] & 2;
	opt.plot = data[0] & 4;
	opt.width = data[0] & 8 ? 60 : 0;
	opt.strict = data[0] & 16;
	for (i = 0; (format = render_format_at(i)); i++) {
		struct buf out = BUF_INIT;
		struct err err = ERR_INIT;

		if (render(format->name, &s, &opt, &out, &err))
			must(err.code == ERR_ABSENT && !out.len && fuzz_is_line(err.text));
		else
			hold(format->name, &out);
		buf_release(&out);
	}
	summary_release(&s);
	return 0;
}
