#define PAWL_BASE_ERR_C
#include "lib/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/banned.h"

void err_clean(char *text)
{
	unsigned char *p = (unsigned char *)text;

	for (; *p; p++) {
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
		else if (*p < 0x20 || *p == 0x7f)
			*p = '?';
		else if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0) /* U+0080..U+009F steer too */
			p[0] = p[1] = '?';
	}
}

/* Formats aside first: an argument may be the very text that is replaced. */
__attribute__((format(printf, 3, 0))) static void cut_into(char *out, size_t size, const char *fmt,
							   va_list ap)
{
	char line[sizeof(((struct err *)0)->text)];

	vsnprintf(line, sizeof(line), fmt, ap);
	err_clean(line);
	snprintf(out, size, "%s", line);
}

void err_clear(struct err *err)
{
	if (!err)
		return;
	err->code = ERR_NONE;
	err->text[0] = '\0';
	err->hint[0] = '\0';
}

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	cut_into(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	err->code = code;
	err->hint[0] = '\0';
	return -1;
}

static enum err_code code_of_errno(int number, enum err_code code)
{
	switch (number) {
	case ENOSPC:
	case EDQUOT:
		return ERR_FULL;
	case ENOMEM:
		return ERR_NOMEM;
	default:
		return code;
	}
}

int err_sys(struct err *err, enum err_code code, const char *fmt, ...)
{
	int number = errno;
	size_t used;
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	cut_into(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	err->code = code_of_errno(number, code);
	err->hint[0] = '\0';
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", strerror(number));
	errno = number;
	return -1;
}

int err_in(struct err *err, const char *fmt, ...)
{
	char old[sizeof(err->text)];
	size_t used;
	va_list ap;

	if (!err)
		return -1;
	memcpy(old, err->text, sizeof(old));
	va_start(ap, fmt);
	cut_into(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", old);
	return -1;
}

int err_hint(struct err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err || err->hint[0])
		return -1;
	va_start(ap, fmt);
	cut_into(err->hint, sizeof(err->hint), fmt, ap);
	va_end(ap);
	return -1;
}

int err_nomem(struct err *err)
{
	return err_set(err, ERR_NOMEM, "out of memory");
}

int err_stopped(struct err *err)
{
	return err_set(err, ERR_STOPPED, "stopped by a signal");
}

bool err_is_fatal(const struct err *err)
{
	return err->code == ERR_STOPPED || err->code == ERR_NOMEM;
}

bool err_is_of_bytes(const struct err *err)
{
	return err->code == ERR_CORRUPT || err->code == ERR_SYNTAX || err->code == ERR_RANGE ||
	       err->code == ERR_LIMIT || err->code == ERR_NEWER;
}

const char *err_name(enum err_code code)
{
	static const char *const names[] = {
		[ERR_NONE] = "none",	     [ERR_ABSENT] = "absent",	[ERR_RANGE] = "range",
		[ERR_USAGE] = "usage",	     [ERR_CONFIG] = "config",	[ERR_SYNTAX] = "syntax",
		[ERR_LIMIT] = "limit",	     [ERR_IO] = "io",		[ERR_FULL] = "full",
		[ERR_NOMEM] = "nomem",	     [ERR_GIT] = "git",		[ERR_STORE] = "store",
		[ERR_CORRUPT] = "corrupt",   [ERR_NEWER] = "newer",	[ERR_BUSY] = "busy",
		[ERR_CONFLICT] = "conflict", [ERR_NET] = "net",		[ERR_REFUSED] = "refused",
		[ERR_CHILD] = "child",	     [ERR_TIMEOUT] = "timeout", [ERR_STOPPED] = "stopped",
		[ERR_LATER] = "later",
	};

	if ((unsigned)code >= sizeof(names) / sizeof(names[0]))
		return "unknown";
	return names[code];
}
