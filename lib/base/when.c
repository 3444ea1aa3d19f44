#include "lib/base/when.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/base/banned.h"

int64_t when_now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

bool when_is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

uint64_t when_monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Returns the microseconds within the second. */
static int64_t calendar_of(int64_t us, struct tm *out)
{
	int64_t seconds = us / 1000000, rest = us % 1000000;
	time_t t;

	if (rest < 0) {
		rest += 1000000;
		seconds--;
	}
	t = (time_t)seconds;
	if (!gmtime_r(&t, out) || out->tm_year < -1900 || out->tm_year > 8099) {
		t = 0;
		rest = 0;
		gmtime_r(&t, out);
	}
	return rest;
}

const char *when_iso(int64_t us, bool with_ms, char out[WHEN_ISO])
{
	struct tm tm;
	int64_t rest = calendar_of(us, &tm);

	/* not strftime: its %Y does not fill up to four digits */
	snprintf(out, WHEN_ISO, "%04u-%02u-%02uT%02u:%02u:%02u",
		 (unsigned)(tm.tm_year + 1900) % 10000, (unsigned)(tm.tm_mon + 1) % 100,
		 (unsigned)tm.tm_mday % 100, (unsigned)tm.tm_hour % 100, (unsigned)tm.tm_min % 100,
		 (unsigned)tm.tm_sec % 100);
	if (with_ms)
		snprintf(out + 19, WHEN_ISO - 19, ".%03uZ", (unsigned)(rest / 1000) % 1000);
	else
		snprintf(out + 19, WHEN_ISO - 19, "Z");
	return out;
}

const char *when_header(int64_t us, const char *zone, char out[WHEN_HEADER])
{
	static const char *const days[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	struct tm tm;

	calendar_of(us, &tm);
	snprintf(out, WHEN_HEADER, "%s, %02d %s %04d %02d:%02d:%02d %s", days[tm.tm_wday],
		 tm.tm_mday, months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec,
		 zone);
	return out;
}

/* Reads exactly n digits. */
static bool digits(const char **p, int n, int *out)
{
	int value = 0;

	for (; n > 0; n--, (*p)++) {
		if (**p < '0' || **p > '9')
			return false;
		value = value * 10 + (**p - '0');
	}
	*out = value;
	return true;
}

static bool literal(const char **p, char c)
{
	if (**p != c)
		return false;
	(*p)++;
	return true;
}

/* ".123" -> 123000 us; more than six digits are cut. */
static bool fraction(const char **p, int64_t *out_us)
{
	int64_t unit = 100000;

	*out_us = 0;
	if (**p != '.')
		return true;
	(*p)++;
	if (**p < '0' || **p > '9')
		return false;
	for (; **p >= '0' && **p <= '9'; (*p)++, unit /= 10)
		*out_us += unit * (**p - '0');
	return true;
}

static bool zone(const char **p, int64_t *out_s)
{
	int h, m, sign = **p == '-' ? -1 : 1;

	*out_s = 0;
	if (literal(p, 'Z'))
		return true;
	if (!literal(p, '+') && !literal(p, '-'))
		return false;
	if (!digits(p, 2, &h) || !literal(p, ':') || !digits(p, 2, &m) || h > 23 || m > 59)
		return false;
	*out_s = sign * (h * 3600 + m * 60);
	return true;
}

static int days_in(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

bool when_parse(const char *text, int64_t *out_us)
{
	struct tm tm;
	const char *p = text;
	int64_t us, offset;
	int year, month;

	memset(&tm, 0, sizeof(tm));
	if (!digits(&p, 4, &year) || !literal(&p, '-') || !digits(&p, 2, &month) ||
	    !literal(&p, '-') || !digits(&p, 2, &tm.tm_mday) || !literal(&p, 'T') ||
	    !digits(&p, 2, &tm.tm_hour) || !literal(&p, ':') || !digits(&p, 2, &tm.tm_min) ||
	    !literal(&p, ':') || !digits(&p, 2, &tm.tm_sec) || !fraction(&p, &us) ||
	    !zone(&p, &offset) || *p)
		return false;
	if (month < 1 || month > 12 || tm.tm_mday < 1 || tm.tm_mday > days_in(year, month) ||
	    tm.tm_hour > 23 || tm.tm_min > 59 || tm.tm_sec > 60)
		return false;
	tm.tm_year = year - 1900;
	tm.tm_mon = month - 1;
	*out_us = ((int64_t)timegm(&tm) - offset) * 1000000 + us;
	return true;
}
