/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Each line of a log has one: timegm(), strftime() and printf() would take longer than all the rest
 * of the line.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "text.h"
#include "timestamp.h"

/* `count` digits at *text, which moves on; anything else clears *ok. */
static unsigned int take(const char **text, int count, bool *ok)
{
	unsigned int value = 0;

	for (int i = 0; i < count; i++) {
		unsigned int digit = (unsigned char)*(*text)++ - (unsigned int)'0';

		*ok &= digit <= 9;
		value = value * 10 + digit;
	}
	return value;
}

static void skip(const char **text, char c, bool *ok)
{
	*ok &= *(*text)++ == c;
}

static bool is_leap(unsigned int year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Days from 1970-01-01 to the first of the year. */
static uint64_t days_to_year(unsigned int year)
{
	unsigned int before = year - 1;

	return (uint64_t)(year - 1970) * 365 + (before / 4 - before / 100 + before / 400) -
	       (1969 / 4 - 1969 / 100 + 1969 / 400);
}

/* false: there is no such day. */
static bool add_days(unsigned int year, unsigned int month, unsigned int day, uint64_t *ret_days)
{
	static const uint16_t start[] = {
		0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365
	};
	unsigned int length;

	if (year < 1970 || month < 1 || month > 12)
		return false;
	length = start[month] - start[month - 1] + (month == 2 && is_leap(year));
	if (day < 1 || day > length)
		return false;
	*ret_days = days_to_year(year) + start[month - 1] + (month > 2 && is_leap(year)) + day - 1;
	return true;
}

int log_time_parse(const char *text, size_t length, uint64_t *ret_time)
{
	unsigned int year, month, day, hour, minute, second, fraction;
	uint64_t days, time;
	bool ok = true;

	if (length != LOG_TIME_LENGTH)
		return -EINVAL;
	year = take(&text, 4, &ok);
	skip(&text, '-', &ok);
	month = take(&text, 2, &ok);
	skip(&text, '-', &ok);
	day = take(&text, 2, &ok);
	skip(&text, 'T', &ok);
	hour = take(&text, 2, &ok);
	skip(&text, ':', &ok);
	minute = take(&text, 2, &ok);
	skip(&text, ':', &ok);
	second = take(&text, 2, &ok);
	skip(&text, '.', &ok);
	fraction = take(&text, 9, &ok);
	skip(&text, 'Z', &ok);
	if (!ok || hour > 23 || minute > 59 || second > 59 || !add_days(year, month, day, &days))
		return -EINVAL;
	time = ((days * 24 + hour) * 60 + minute) * 60 + second;
	if (__builtin_mul_overflow(time, UINT64_C(1000000000), &time) ||
	    __builtin_add_overflow(time, fraction, &time))
		return -EINVAL;
	*ret_time = time;
	return 0;
}

void json_format_time(uint64_t nanoseconds, char ret_time[JSON_TIME_SIZE])
{
	time_t seconds = nanoseconds / 1000000000;
	char *p = ret_time;
	struct tm tm;

	gmtime_r(&seconds, &tm);
	p = text_put_digits(p, tm.tm_year + UINT64_C(1900), 4);
	*p++ = '-';
	p = text_put_digits(p, tm.tm_mon + UINT64_C(1), 2);
	*p++ = '-';
	p = text_put_digits(p, tm.tm_mday, 2);
	*p++ = 'T';
	p = text_put_digits(p, tm.tm_hour, 2);
	*p++ = ':';
	p = text_put_digits(p, tm.tm_min, 2);
	*p++ = ':';
	p = text_put_digits(p, tm.tm_sec, 2);
	*p++ = '.';
	p = text_put_digits(p, nanoseconds % 1000000000, 9);
	memcpy(p, "Z", 2);
}
