/* tinyxml2: a document parsed and printed. */
#include <tinyxml2.h>

#include "words.h"

#define PIECES 100 /* a commit that works more does more of them */
#include "driver.h"

enum { PLAIN = 1200 };

static char plain[PLAIN + 64];

static void prepare()
{
	static const char *const marks[] = { "<b a='1'>x</b>", "<c/>", "&amp;", "<d e='f' g='h'><i>j</i></d>" };

	words_write(plain + 5, PLAIN, 1, marks, 4);
	for (int i = 0; i < 5; i++)
		plain[i] = "<all>"[i];
	for (int i = 0; i < 7; i++)
		plain[PLAIN + 5 + i] = "</all>"[i];
}

static unsigned piece()
{
	tinyxml2::XMLDocument doc;
	tinyxml2::XMLPrinter out;

	doc.Parse(plain);
	doc.Print(&out);
	return (unsigned)out.CStrSize();
}
