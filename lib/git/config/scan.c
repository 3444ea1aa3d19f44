#include "lib/git/config/scan.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lib/base/banned.h"

void gitconfig_scan_init(struct gitconfig_scan *scan, const char *text, size_t n)
{
	memset(scan, 0, sizeof(*scan));
	scan->p = text;
	scan->end = text + n;
	scan->line = 1;
	if (n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		scan->p += 3;
}

void gitconfig_scan_release(struct gitconfig_scan *scan)
{
	buf_release(&scan->section);
	buf_release(&scan->key);
}

static void fault(struct gitconfig_scan *scan, const char *what)
{
	if (scan->fault_line)
		return;
	scan->fault_line = scan->line;
	scan->fault = what;
}

/* The byte to come, or -1 at the end. */
static int peek(const struct gitconfig_scan *scan)
{
	return scan->p < scan->end ? (unsigned char)*scan->p : -1;
}

static void step(struct gitconfig_scan *scan)
{
	if (*scan->p++ == '\n')
		scan->line++;
}

static void skip_line(struct gitconfig_scan *scan)
{
	while (peek(scan) >= 0 && peek(scan) != '\n')
		step(scan);
}

static void skip_space(struct gitconfig_scan *scan)
{
	while (peek(scan) >= 0 && isspace(peek(scan)))
		step(scan);
}

/* Behind the opening quote of a subsection: its case stays, a backslash quotes. */
static void subsection(struct gitconfig_scan *scan)
{
	buf_addc(&scan->section, '.');
	while (peek(scan) >= 0 && peek(scan) != '\n' && peek(scan) != '"') {
		if (peek(scan) == '\\')
			step(scan);
		if (peek(scan) < 0 || peek(scan) == '\n')
			return;
		buf_addc(&scan->section, (char)peek(scan));
		step(scan);
	}
	if (peek(scan) == '"')
		step(scan);
}

/* At '[': up to and with the ']', or to the line's end. */
static void header(struct gitconfig_scan *scan)
{
	step(scan);
	buf_reset(&scan->section);
	while (peek(scan) >= 0 && peek(scan) != '\n' && peek(scan) != ']') {
		int c = peek(scan);

		step(scan);
		if (c == '"')
			subsection(scan);
		else if (!isspace(c))
			buf_addc(&scan->section, (char)tolower(c));
	}
	if (peek(scan) == ']')
		step(scan);
}

/* At a backslash of a value. */
static void escape(struct gitconfig_scan *scan)
{
	step(scan);
	if (peek(scan) == '\r' && scan->p + 1 < scan->end && scan->p[1] == '\n')
		step(scan);
	if (peek(scan) < 0)
		return;
	if (!strchr("ntb\"\\\n", peek(scan)) || !peek(scan))
		fault(scan, "a backslash that quotes nothing");
	step(scan);
}

/* Behind a variable's name: to the end of its value, over continued lines. */
static void value(struct gitconfig_scan *scan)
{
	bool quoted = false;

	while (peek(scan) >= 0 && peek(scan) != '\n') {
		int c = peek(scan);

		if (!quoted && (c == '#' || c == ';')) {
			skip_line(scan);
			return;
		}
		if (c == '\\') {
			escape(scan);
			continue;
		}
		if (c == '"')
			quoted = !quoted;
		step(scan);
	}
	if (quoted)
		fault(scan, "a double quote is not closed");
}

static void variable(struct gitconfig_scan *scan)
{
	scan->key_line = scan->line;
	buf_reset(&scan->key);
	buf_add(&scan->key, buf_str(&scan->section), scan->section.len);
	if (scan->section.len)
		buf_addc(&scan->key, '.');
	while (peek(scan) >= 0 && (isalnum(peek(scan)) || peek(scan) == '-')) {
		buf_addc(&scan->key, (char)tolower(peek(scan)));
		step(scan);
	}
	value(scan);
}

bool gitconfig_scan_next(struct gitconfig_scan *scan)
{
	for (;;) {
		skip_space(scan);
		switch (peek(scan)) {
		case -1:
			return false;
		case '#':
		case ';':
			skip_line(scan);
			break;
		case '[':
			header(scan);
			break;
		default:
			variable(scan);
			return true;
		}
	}
}

static bool is_comment(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p < end && (*p == '#' || *p == ';');
}

int gitconfig_scan_include(const char *text, size_t n)
{
	static const char mark[] = "[include";
	const char *p = text, *end = text + n;
	int line;

	for (line = 1; p < end; line++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		const char *at = p;

		if (!stop)
			stop = end;
		while (!is_comment(p, stop) && at + strlen(mark) <= stop)
			if (!strncasecmp(at++, mark, strlen(mark)))
				return line;
		p = stop + 1;
	}
	return 0;
}
