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

/* "2026-01-02T03:04:05.123456789Z": how many digits, and what is behind them. */
enum { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, FRACTION, PARTS };
static const struct {
	uint8_t digits;
	char behind;
} parts[PARTS] = { { 4, '-' }, { 2, '-' }, { 2, 'T' }, { 2, ':' },
		   { 2, ':' }, { 2, '.' }, { 9, 'Z' } };

/* Text of LOG_TIME_LENGTH bytes; false: it does not look like a time. */
static bool take_parts(const char *text, uint32_t ret_parts[PARTS])
{
	bool ok = true;

	for (size_t i = 0; i < PARTS; i++) {
		uint32_t value = 0;

		for (size_t k = 0; k < parts[i].digits; k++) {
			unsigned int digit = (unsigned char)*text++ - (unsigned int)'0';

			ok &= digit <= 9;
			value = value * 10 + digit;
		}
		ok &= *text++ == parts[i].behind;
		ret_parts[i] = value;
	}
	return ok;
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
	uint32_t p[PARTS];
	uint64_t days, time;

	if (length != LOG_TIME_LENGTH || !take_parts(text, p) || p[HOUR] > 23 || p[MINUTE] > 59 ||
	    p[SECOND] > 59 || !add_days(p[YEAR], p[MONTH], p[DAY], &days))
		return -EINVAL;
	time = ((days * 24 + p[HOUR]) * 60 + p[MINUTE]) * 60 + p[SECOND];
	if (__builtin_mul_overflow(time, UINT64_C(1000000000), &time) ||
	    __builtin_add_overflow(time, p[FRACTION], &time))
		return -EINVAL;
	*ret_time = time;
	return 0;
}

void json_format_time(uint64_t nanoseconds, char ret_time[JSON_TIME_SIZE])
{
	time_t seconds = nanoseconds / 1000000000;
	uint32_t values[PARTS] = { [FRACTION] = nanoseconds % 1000000000 };
	struct tm tm;

	gmtime_r(&seconds, &tm);
	values[YEAR] = tm.tm_year + 1900;
	values[MONTH] = tm.tm_mon + 1;
	values[DAY] = tm.tm_mday;
	values[HOUR] = tm.tm_hour;
	values[MINUTE] = tm.tm_min;
	values[SECOND] = tm.tm_sec;
	for (size_t i = 0; i < PARTS; i++) {
		ret_time = text_put_digits(ret_time, values[i], parts[i].digits);
		*ret_time++ = parts[i].behind;
	}
	*ret_time = '\0';
}
