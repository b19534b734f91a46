/* SPDX-License-Identifier: MPL-2.0 */
/* Local times and spans: strptime(3) and strftime(3), and what these do not know. */
#include "times.h"

#define SPAN_MAX (UINT64_C(10) * 366 * 24 * 3600)

static const struct {
	char unit;
	unsigned int seconds;
} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 24 * 3600 }, { 'w', 7 * 24 * 3600 } };
#define DAYS 3 /* the largest unit that spans are shown in */

int64_t clock_ms(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int moment_parse(const char *text, int64_t *ret_ms)
{
	struct tm tm = { 0 };
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	int64_t ms = 0;

	if (!rest)
		return -EINVAL;
	/* Three digits of a fraction count; any more must be digits still. */
	if (*rest == '.')
		for (int64_t weight = 100; *++rest >= '0' && *rest <= '9'; weight /= 10)
			ms += (*rest - '0') * weight;
	if (strcmp(rest, "Z") != 0)
		return -EINVAL;
	*ret_ms = (int64_t)timegm(&tm) * 1000 + ms;
	return 0;
}

int moment_add_again(struct text *out, int64_t ms, struct moment_memory *memory)
{
	time_t seconds = ms / 1000;
	char fraction[] = { '.', (char)('0' + ms % 1000 / 100), (char)('0' + ms % 100 / 10),
			    (char)('0' + ms % 10), '\0' };
	struct tm tm;
	int r;

	if (ms < 0)
		return text_addf(out, "(no time)");
	if (!memory->known || memory->second != seconds) {
		memory->known = localtime_r(&seconds, &tm) &&
				strftime(memory->text, sizeof(memory->text), "%m-%d %H:%M:%S", &tm);
		memory->second = seconds;
	}
	if (!memory->known)
		return text_addf(out, "(no time)");
	r = text_add(out, memory->text, strlen(memory->text));
	return r < 0 ? r : text_add(out, fraction, strlen(fraction));
}

int moment_add(struct text *out, int64_t ms)
{
	struct moment_memory memory = { 0 };

	return moment_add_again(out, ms, &memory);
}

int moment_add_span(struct text *out, int64_t ms)
{
	int64_t seconds = ms > 0 ? ms / 1000 : 0;
	size_t i = DAYS;

	while (i && seconds < units[i].seconds)
		i--;
	return text_addf(out, "%lld%c", (long long)(seconds / units[i].seconds), units[i].unit);
}

int moment_parse_span(const char *text, uint64_t *ret_seconds)
{
	size_t length = strlen(text);
	uint64_t value, seconds = 1;
	char digits[24];
	int r;

	for (size_t i = 0; length && i < ARRAY_SIZE(units); i++) {
		if (text[length - 1] == units[i].unit) {
			seconds = units[i].seconds;
			length--;
			break;
		}
	}
	if (length >= sizeof(digits))
		return -EINVAL;
	memcpy(digits, text, length);
	digits[length] = '\0';

	r = text_parse_u64(digits, SPAN_MAX / seconds, &value);
	if (r < 0)
		return r;
	*ret_seconds = value * seconds;
	return 0;
}

/* 0 and the seconds since 1970. */
static int parse_point(const char *text, int64_t *ret_seconds)
{
	static const char *const formats[] = {
		"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M",
		"%Y-%m-%d %H:%M",    "%Y-%m-%d",
	};

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		struct tm tm = { .tm_isdst = -1 };
		const char *rest = strptime(text, formats[i], &tm);

		if (!rest || (*rest && strcmp(rest, "Z") != 0))
			continue;
		*ret_seconds = *rest ? timegm(&tm) : mktime(&tm);
		return *ret_seconds >= 0 ? 0 : -ERANGE;
	}
	return -EINVAL;
}

int moment_parse_point(const char *text, uint64_t now, uint64_t *ret_time)
{
	int64_t seconds;
	uint64_t span;
	int r = moment_parse_span(text, &span);

	if (r == 0) {
		span *= UINT64_C(1000000000);
		*ret_time = now > span ? now - span : 0;
		return 0;
	}
	if (r == -ERANGE)
		return r;
	r = parse_point(text, &seconds);
	if (r == 0 && seconds > INT64_MAX / 1000000000)
		r = -ERANGE;
	if (r == 0)
		*ret_time = (uint64_t)seconds * UINT64_C(1000000000);
	return r;
}
