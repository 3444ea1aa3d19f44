#include "lib/base/talk.h"

#include <stdarg.h>
#include <stdio.h>

#include "lib/base/banned.h"

#define TALK_LINE 1024

void talk_warn(const struct talk *talk, const char *cure, const char *fmt, ...)
{
	char line[TALK_LINE];
	va_list ap;

	if (!talk || !talk->warn)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	talk->warn(talk->ctx, line, cure);
}

void talk_note(const struct talk *talk, const char *fmt, ...)
{
	char line[TALK_LINE];
	va_list ap;

	if (!talk || !talk->note)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	talk->note(talk->ctx, line);
}

void talk_progress(const struct talk *talk, double done, double total, const char *fmt, ...)
{
	char line[TALK_LINE];
	va_list ap;

	if (!talk || !talk->progress)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	talk->progress(talk->ctx, done, total, line);
}
