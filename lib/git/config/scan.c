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
	buf_release(&scan->value);
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

/* What git takes for a blank: no form feed, no vertical tab. */
static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(struct gitconfig_scan *scan)
{
	while (is_blank(peek(scan)))
		step(scan);
}

/* Git takes a carriage return before a line feed for a part of it. */
static bool at_line_end(const struct gitconfig_scan *scan)
{
	int c = peek(scan);

	return c < 0 || c == '\n' || (c == '\r' && scan->p + 1 < scan->end && scan->p[1] == '\n');
}

static bool is_key(int c)
{
	return c >= 0 && c < 128 && (isalnum(c) || c == '-');
}

static void skip_blanks(struct gitconfig_scan *scan)
{
	while (peek(scan) == ' ' || peek(scan) == '\t')
		step(scan);
}

/* Behind the opening quote of a subsection: its case stays, a backslash quotes. */
static void subsection(struct gitconfig_scan *scan)
{
	buf_addc(&scan->section, '.');
	while (!at_line_end(scan) && peek(scan) != '"') {
		if (peek(scan) == '\\')
			step(scan);
		if (at_line_end(scan))
			break;
		buf_addc(&scan->section, (char)peek(scan));
		step(scan);
	}
	if (at_line_end(scan))
		fault(scan, "a double quote is not closed");
	else
		step(scan);
}

/* At '[': up to and with the ']'. */
static void header(struct gitconfig_scan *scan)
{
	step(scan);
	buf_reset(&scan->section);
	while (is_key(peek(scan)) || peek(scan) == '.') {
		buf_addc(&scan->section, (char)tolower(peek(scan)));
		step(scan);
	}
	if (!scan->section.len && !scan->section.failed && peek(scan) == ']') {
		fault(scan, "a section without a name");
		return;
	}
	if (peek(scan) == ' ' || peek(scan) == '\t') {
		skip_blanks(scan);
		if (peek(scan) != '"') {
			fault(scan, "missing quotation marks in section header");
			return;
		}
		step(scan);
		subsection(scan);
	}
	if (peek(scan) == ']')
		step(scan);
	else
		fault(scan, "missing ']' in section header");
}

/* At a backslash of a value. */
static void escape(struct gitconfig_scan *scan)
{
	static const char letters[] = "ntb\"\\", meant[] = "\n\t\b\"\\";
	const char *at;

	step(scan);
	if (peek(scan) == '\r' && at_line_end(scan))
		step(scan);
	if (peek(scan) == '\n') {
		step(scan);
		return;
	}
	at = peek(scan) > 0 ? strchr(letters, peek(scan)) : NULL;
	if (!at) {
		fault(scan, "a backslash that quotes nothing");
		return;
	}
	buf_addc(&scan->value, meant[at - letters]);
	step(scan);
}

/* At what begins a comment: right behind a word, and a word follows. */
static bool is_of_shell(const struct gitconfig_scan *scan, size_t end)
{
	const char *p = scan->p + 1;

	while (p < scan->end && (*p == ' ' || *p == '\t' || *p == ';'))
		p++;
	return *scan->p == ';' && end && end == scan->value.len && p < scan->end &&
	       !strchr("\r\n#", *p);
}

/*
 * Behind the '=': to the end of the value, over continued lines.  Blanks around it are not part of
 * it, those inside stay as they are.
 */
static void value(struct gitconfig_scan *scan)
{
	size_t end = 0; /* bytes up to the last that is no blank */
	bool quoted = false;

	while (!at_line_end(scan) && !scan->fault_line) {
		int c = peek(scan);

		if (!quoted && (c == '#' || c == ';')) {
			scan->is_cut = is_of_shell(scan, end);
			skip_line(scan);
			break;
		}
		if (c == '\\') {
			escape(scan);
			end = scan->value.len > end ? scan->value.len : end;
			continue;
		}
		step(scan);
		if (c == '"') {
			quoted = !quoted;
		} else if (!quoted && is_blank(c)) {
			if (end)
				buf_addc(&scan->value, (char)c);
		} else {
			buf_addc(&scan->value, (char)c);
			end = scan->value.len;
		}
	}
	if (quoted)
		fault(scan, "a double quote is not closed");
	buf_truncate(&scan->value, end);
}

static void variable(struct gitconfig_scan *scan)
{
	scan->key_line = scan->line;
	scan->is_cut = false;
	buf_reset(&scan->key);
	buf_reset(&scan->value);
	buf_add(&scan->key, buf_str(&scan->section), scan->section.len);
	scan->key.failed |= scan->section.failed;
	if (scan->section.len)
		buf_addc(&scan->key, '.');
	if (!isalpha(peek(scan)))
		fault(scan, "invalid configuration key");
	while (is_key(peek(scan))) {
		buf_addc(&scan->key, (char)tolower(peek(scan)));
		step(scan);
	}
	skip_blanks(scan);
	scan->has_value = peek(scan) == '=';
	if (scan->has_value) {
		step(scan);
		value(scan);
	} else if (peek(scan) == '#' || peek(scan) == ';') {
		/* git refuses the whole file for it */
		fault(scan, "a comment after a key without a value");
	} else if (!at_line_end(scan)) {
		fault(scan, "invalid configuration key");
	}
}

bool gitconfig_scan_next(struct gitconfig_scan *scan)
{
	while (!scan->fault_line) {
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
			return !scan->fault_line;
		}
	}
	return false;
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
