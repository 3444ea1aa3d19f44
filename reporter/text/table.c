#include "reporter/text/table.h"

#include <assert.h>
#include <string.h>

#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define KEEP 16	 /* columns go before the flexible one becomes narrower than this */
#define NARROW 4 /* it never becomes narrower than this */
#define INDENT "    "

struct table_line {
	size_t at; /* in texts */
	int width;
	enum ink ink;
	bool is_note;
};

struct layout {
	bool is_shown[TABLE_MAX_COLUMNS];
	int width[TABLE_MAX_COLUMNS];
};

void table_init(struct table *t, const struct table_column *columns, size_t n_columns)
{
	size_t i;

	assert(n_columns > 0 && n_columns <= TABLE_MAX_COLUMNS);
	*t = (struct table){ .columns = columns, .n_columns = n_columns };
	for (i = 0; i < n_columns; i++)
		t->widest[i] = text_width(columns[i].title);
}

void table_release(struct table *t)
{
	buf_release(&t->texts);
	buf_release(&t->lines);
}

static void add_line(struct table *t, const char *text, struct table_line line)
{
	line.at = t->texts.len;
	line.width = text_width(text);
	buf_add(&t->texts, text, strlen(text) + 1);
	buf_add(&t->lines, &line, sizeof(line));
}

void table_cell(struct table *t, const char *text, enum ink ink)
{
	size_t column = t->n_cells++ % t->n_columns;
	int width = text_width(text);

	if (width > t->widest[column])
		t->widest[column] = width;
	if (*text && strcmp(text, TABLE_EMPTY) != 0)
		t->has_content[column] = true;
	add_line(t, text, (struct table_line){ .ink = ink });
}

void table_note(struct table *t, const char *text)
{
	assert(t->n_cells % t->n_columns == 0);
	add_line(t, text, (struct table_line){ .is_note = true });
}

/* Width of the columns shown, the flexible one counted with at most `flex`. */
static int layout_width(const struct table *t, const struct layout *layout, int flex)
{
	int width = 0;
	size_t i;

	for (i = 0; i < t->n_columns; i++) {
		if (!layout->is_shown[i])
			continue;
		width += (width ? t->columns[i].gap : 0) +
			 (t->columns[i].is_flex && layout->width[i] > flex ? flex
									   : layout->width[i]);
	}
	return width;
}

/* The column that goes next, or n_columns. */
static size_t next_to_drop(const struct table *t, const struct layout *layout)
{
	size_t i, found = t->n_columns;

	for (i = 0; i < t->n_columns; i++)
		if (layout->is_shown[i] && t->columns[i].drop > 0 &&
		    (found == t->n_columns || t->columns[i].drop < t->columns[found].drop))
			found = i;
	return found;
}

static void fit(const struct table *t, int width, struct layout *layout)
{
	size_t i, gone;
	int over;

	for (i = 0; i < t->n_columns; i++) {
		layout->is_shown[i] = t->columns[i].drop == 0 || t->has_content[i];
		layout->width[i] = t->widest[i];
	}
	if (width <= 0)
		return;
	while (layout_width(t, layout, KEEP) > width) {
		gone = next_to_drop(t, layout);
		if (gone == t->n_columns)
			break;
		layout->is_shown[gone] = false;
	}
	for (i = 0; i < t->n_columns; i++) {
		over = layout_width(t, layout, layout->width[i]) - width;
		if (!t->columns[i].is_flex || over <= 0)
			continue;
		layout->width[i] -= over;
		if (layout->width[i] < NARROW)
			layout->width[i] = NARROW;
	}
}

static void print_cell(const struct table *t, const struct layout *layout, size_t column,
		       const char *text, enum ink ink, bool utf8, bool colour, struct buf *out)
{
	struct buf cut = BUF_INIT;
	int blanks;

	text_cut(text, layout->width[column], utf8, &cut);
	blanks = layout->width[column] - text_width(buf_str(&cut));
	if (t->columns[column].is_right)
		buf_addn(out, ' ', (size_t)blanks);
	colour &= ink != INK_PLAIN;
	terminal_ink(ink, colour, out);
	buf_adds(out, buf_str(&cut));
	terminal_ink(INK_PLAIN, colour, out);
	if (!t->columns[column].is_right)
		buf_addn(out, ' ', (size_t)blanks);
	out->failed |= cut.failed;
	buf_release(&cut);
}

static void end_row(struct buf *out)
{
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		buf_truncate(out, out->len - 1);
	buf_addc(out, '\n');
}

/* One cell with the gap before it; the row's end behind the last column. */
static void print_column(const struct table *t, const struct layout *layout, size_t column,
			 const char *text, enum ink ink, bool utf8, bool colour, struct buf *out)
{
	size_t i;
	bool is_first = true;

	for (i = 0; i < column; i++)
		is_first &= !layout->is_shown[i];
	if (layout->is_shown[column]) {
		if (!is_first)
			buf_addn(out, ' ', (size_t)t->columns[column].gap);
		print_cell(t, layout, column, text, ink, utf8, colour, out);
	}
	if (column + 1 == t->n_columns)
		end_row(out);
}

int table_print(const struct table *t, int width, bool utf8, bool colour, struct buf *out,
		struct err *err)
{
	const char *bytes = buf_str(&t->lines);
	struct layout layout;
	struct table_line line;
	size_t i, at, column = 0;

	assert(t->n_columns > 0);
	if (buf_check(&t->texts, err) || buf_check(&t->lines, err))
		return -1;
	fit(t, width, &layout);
	for (i = 0; i < t->n_columns; i++)
		print_column(t, &layout, i, t->columns[i].title, INK_BOLD, utf8,
			     colour && *t->columns[i].title, out);
	for (at = 0; at < t->lines.len; at += sizeof(line)) {
		memcpy(&line, bytes + at, sizeof(line));
		if (line.is_note) {
			text_wrap(t->texts.data + line.at, width, INDENT, INDENT, out);
			continue;
		}
		print_column(t, &layout, column, t->texts.data + line.at, line.ink, utf8, colour,
			     out);
		column = (column + 1) % t->n_columns;
	}
	return buf_check(out, err);
}
