#include "server/page/login.h"

#include <string.h>

#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "server/page/frame.h"

#include "lib/base/banned.h"

/* It goes into a header: encoded as a browser sends it, no blank, nothing above ASCII. */
bool login_leads(const char *to)
{
	const unsigned char *p = (const unsigned char *)to;

	for (; *p; p++)
		if (*p <= ' ' || *p >= 0x7f || *p == '\\')
			return false;
	return !strcmp(to, "/") || !strncmp(to, "/p/", 3);
}

void login_write(struct request *r, const char *to, const char *message)
{
	struct buf *out = &r->reply.body;

	frame_begin(r, "Log in", (struct crumb[]){ { "Projects", "/" }, { "log in", NULL } }, 2);
	if (message) {
		buf_adds(out, "<p class=\"error\" role=\"alert\">");
		text_xml(message, out);
		buf_adds(out, "</p>\n");
	}
	buf_adds(out, "<form method=\"post\" action=\"" LOGIN_PATH "\">\n"
		      "<input type=\"hidden\" name=\"to\" value=\"");
	html_value(login_leads(to) ? to : "/", out);
	buf_adds(out, "\">\n<label>Token <input type=\"password\" name=\"token\" size=\"44\" "
		      "required autocomplete=\"current-password\" spellcheck=\"false\"></label>\n"
		      "<button>Log in</button>\n</form>\n"
		      "<p class=\"soft\">A token that reads: whoever runs this server makes one "
		      "with <code>pawld token add --scope read</code>. It is sent once; the "
		      "browser keeps a cookie for 12 hours in its place.</p>\n");
	frame_end(r);
}
