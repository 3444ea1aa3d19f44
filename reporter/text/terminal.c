#include "reporter/text/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/base/number.h"

#include "lib/base/banned.h"

#define WIDEST 10000

static bool is_set(const char *value)
{
	return value && *value;
}

void terminal_look(int fd, struct terminal_facts *out)
{
	struct winsize size;

	*out = (struct terminal_facts){
		.is_tty = isatty(fd) == 1,
		.term = getenv("TERM"),
		.no_color = getenv("NO_COLOR"),
		.clicolor_force = getenv("CLICOLOR_FORCE"),
		.force_color = getenv("FORCE_COLOR"),
		.columns_env = getenv("COLUMNS"),
		.lc_all = getenv("LC_ALL"),
		.lc_ctype = getenv("LC_CTYPE"),
		.lang = getenv("LANG"),
	};
	if (out->is_tty && ioctl(fd, TIOCGWINSZ, &size) == 0)
		out->columns = size.ws_col;
}

static bool demands(const char *value)
{
	return is_set(value) && strcmp(value, "0") != 0;
}

bool terminal_colour(const struct terminal_facts *facts, enum terminal_when when)
{
	if (when != TERMINAL_AUTO)
		return when == TERMINAL_ALWAYS;
	if (is_set(facts->no_color))
		return false;
	if (demands(facts->clicolor_force) || demands(facts->force_color))
		return true;
	return facts->is_tty && is_set(facts->term) && strcmp(facts->term, "dumb") != 0;
}

bool terminal_utf8(const struct terminal_facts *facts)
{
	const char *locale = is_set(facts->lc_all)     ? facts->lc_all
			     : is_set(facts->lc_ctype) ? facts->lc_ctype
						       : facts->lang;

	return locale && (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8"));
}

int terminal_width(const struct terminal_facts *facts)
{
	uint64_t asked;

	if (is_set(facts->columns_env) && number_u64(facts->columns_env, &asked) && asked > 0 &&
	    asked <= WIDEST)
		return (int)asked;
	if (!facts->is_tty)
		return 0;
	return facts->columns > 0 ? facts->columns : 80;
}

void terminal_ink(enum ink ink, bool colour, struct buf *out)
{
	static const char *const codes[] = {
		[INK_PLAIN] = "0",  [INK_BOLD] = "1",	 [INK_DIM] = "2",   [INK_RED] = "31",
		[INK_GREEN] = "32", [INK_YELLOW] = "33", [INK_BLUE] = "36",
	};

	if (colour)
		buf_addf(out, "\033[%sm", codes[ink]);
}
