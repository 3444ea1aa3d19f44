/* Where results go, and what proves who sends them. */
#include "lib/config/values.h"

#include <string.h>
#include <strings.h>

#include "lib/base/banned.h"

/* Whether all of text is visible ASCII: neither a blank nor what could end a header line. */
static bool is_visible(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

/* What follows "http://" or "https://", or NULL. */
static const char *behind_scheme(const char *url)
{
	static const char *const schemes[] = { "https://", "http://" };
	size_t i;

	for (i = 0; i < 2; i++)
		if (!strncasecmp(url, schemes[i], strlen(schemes[i])))
			return url + strlen(schemes[i]);
	return NULL;
}

static int check_server(const char *url, struct err *err)
{
	const char *host = behind_scheme(url);
	size_t n;

	if (!is_visible(url))
		return err_set(err, ERR_CONFIG,
			       "expected a URL without blanks, line ends and "
			       "characters beyond ASCII");
	if (!host)
		return err_set(err, ERR_CONFIG, "expected a URL with http:// or https://");
	n = strcspn(host, "/?#");
	if (memchr(host, '@', n)) {
		err_set(err, ERR_CONFIG, "expected a URL without user and password");
		return err_hint(err, "set PAWL_TOKEN, or leave the token to git's credential "
				     "helpers");
	}
	if (!n || *host == ':')
		return err_set(err, ERR_CONFIG, "expected a URL that names a host");
	if (strpbrk(host, "?#"))
		return err_set(err, ERR_CONFIG, "expected a URL without '?' and '#'");
	return 0;
}

int value_server(const char *text, char **slot, struct err *err)
{
	size_t n;

	if (*text && check_server(text, err))
		return -1;
	if (value_text(text, slot, err))
		return -1;
	/* paths are put behind it */
	for (n = *slot ? strlen(*slot) : 0; n && (*slot)[n - 1] == '/'; n--)
		(*slot)[n - 1] = '\0';
	return 0;
}

int value_token(const char *text, char **slot, struct err *err)
{
	if (!is_visible(text))
		return err_set(err, ERR_CONFIG,
			       "expected no blanks, no line ends and nothing "
			       "beyond ASCII");
	return value_text(text, slot, err);
}
