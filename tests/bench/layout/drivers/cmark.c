/* cmark: a page of Markdown made HTML. */
#include <stdlib.h>

#include <cmark.h>

#include "pawl.h"
#include "words.h"

#define PIECES 100 /* a commit that works more does more of them */

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

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	unsigned sum = 0;

	(void)ctx;
	(void)r;
	while (n--)
		for (int i = 0; i < PIECES; i++)
			sum += piece();
	pawl_keep(sum);
}

int main(int argc, char **argv)
{
	static const struct pawl_bench b[] = { { .name = "all", .run = run } };

	prepare();
	return pawl_main(argc, argv, b, 1);
}
