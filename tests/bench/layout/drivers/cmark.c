/* cmark: a page of Markdown made HTML. */
#include <stdlib.h>

#include <cmark.h>

#include "words.h"

#define PIECES 100 /* a commit that works more does more of them */
#include "driver.h"

enum { PLAIN = 1500 };

static char plain[PLAIN + 1];

static void prepare(void)
{
	static const char *const marks[] = { "\n\n# ", "\n\n- ", " *",	 "* ",	     " `",
					     "` ",     "\n\n> ", "\n\n", " [a](b) ", " &amp; " };

	words_write(plain, PLAIN, 1, marks, 10);
}

static unsigned piece(void)
{
	char *html = cmark_markdown_to_html(plain, PLAIN, CMARK_OPT_DEFAULT);
	unsigned first = (unsigned char)html[0];

	free(html);
	return first;
}
