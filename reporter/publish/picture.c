#include "reporter/publish/picture.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/digest/digest.h"
#include "reporter/figures/rows.h"
#include "reporter/parts/plot.h"

#include "lib/base/banned.h"

#define BEFORE "pawl-"
#define AFTER ".svg"
#define DIGITS 16 /* of the digest: tells one comparison from the one before it */
#define ADDRESS_SIGNS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#&=%+,;"

void picture_release(struct picture *p)
{
	buf_release(&p->svg);
	p->name[0] = '\0';
}

static bool is_picture(const struct row *row)
{
	return row_has_moved(row->kind) && row->gate && row->gate->n && row->gate->n_baseline;
}

/* The first row that moved: they are in the order in which a reader needs them. */
static int draw(const struct summary *s, const struct rows *rows, struct picture *out,
		struct err *err)
{
	struct buf names[2] = { BUF_INIT, BUF_INIT };
	struct err fault = ERR_INIT;
	struct plot_cdf plot;
	size_t i = 0;
	int result;

	while (i < rows->n && !is_picture(&rows->v[i]))
		i++;
	if (i == rows->n)
		return 0;
	result = render_plot_find(s, rows, rows->v[i].bench->name, names, &plot, &fault) ||
				 plot_cdf_svg(&plot, &out->svg, &fault)
			 ? -1
			 : 0;
	buf_release(&names[0]);
	buf_release(&names[1]);
	/* What cannot be drawn is no fault of the comment. */
	if (result && (fault.code == ERR_ABSENT || fault.code == ERR_RANGE))
		buf_reset(&out->svg);
	else if (result)
		*err = fault;
	return result && fault.code == ERR_NOMEM ? -1 : buf_check(&out->svg, err);
}

int picture_make(const struct summary *s, struct picture *out, struct err *err)
{
	struct picture made = PICTURE_INIT;
	char digest[DIGEST_HEX];
	struct rows rows = { 0 };
	int result = rows_of(s, &rows, err);

	if (!result)
		result = draw(s, &rows, &made, err);
	if (!result && made.svg.len)
		result = digest_of(made.svg.data, made.svg.len, digest, err);
	if (!result && made.svg.len)
		snprintf(made.name, sizeof(made.name), BEFORE "%.*s" AFTER, DIGITS, digest);
	rows_release(&rows);
	if (result)
		picture_release(&made);
	else
		*out = made;
	return result;
}

bool picture_is_address(const char *text)
{
	size_t n = strlen(text);

	return n <= PICTURE_ADDRESS && strspn(text, ADDRESS_SIGNS) == n &&
	       (str_starts(text, "https://") || str_starts(text, "http://") ||
		(text[0] == '/' && n > 1 && text[1] != '/'));
}

/* The first of the lines tells whether the file of this name is there. */
static void add_mark(const char *name, struct buf *out)
{
	buf_addf(out, "\n<!-- picture: %s -->\n", *name ? name : "given");
}

void picture_lines(const char *name, const char *address, struct buf *out)
{
	add_mark(name, out);
	buf_addf(out, "![Share of runs at or below each time, base and head](%s)\n", address);
}

const char *picture_find(const char *comment, const char *name)
{
	struct buf mark = BUF_INIT;
	const char *at;

	add_mark(name, &mark);
	at = mark.failed ? NULL : strstr(comment, buf_str(&mark));
	if (at && !str_starts(at + mark.len, "!["))
		at = NULL;
	buf_release(&mark);
	return at;
}

int picture_form(const struct picture *p, const char *field, char type[PICTURE_TYPE],
		 struct buf *out, struct err *err)
{
	/* No line of an SVG begins with two dashes and its own digest. */
	snprintf(type, PICTURE_TYPE, "multipart/form-data; boundary=%s", p->name);
	buf_addf(out,
		 "--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n"
		 "Content-Type: image/svg+xml\r\n\r\n",
		 p->name, field, p->name);
	buf_add(out, p->svg.data, p->svg.len);
	buf_addf(out, "\r\n--%s--\r\n", p->name);
	return buf_check(out, err);
}

bool picture_is_ours(const char *name)
{
	size_t n = strlen(BEFORE);

	return str_starts(name, BEFORE) && strspn(name + n, "0123456789abcdef") == DIGITS &&
	       !strcmp(name + n + DIGITS, AFTER);
}
