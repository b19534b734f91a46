/* SPDX-License-Identifier: MPL-2.0 */
/* The time of a line of the log, both ways. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define LOG_TIME_LENGTH (sizeof("2026-01-02T03:04:05.123456789Z") - 1)

/*
 * Nanoseconds since 1970 from exactly LOG_TIME_LENGTH bytes. -EINVAL where that is no time of UTC
 * from 1970 to 2554, which is as far as 64 bits reach.
 */
int log_time_parse(const char *text, size_t length, uint64_t *ret_time);

/* UTC, "2026-01-02T03:04:05.123456789Z", from nanoseconds since 1970. */
#define JSON_TIME_SIZE sizeof("2026-01-02T03:04:05.123456789Z")
void json_format_time(uint64_t nanoseconds, char ret_time[JSON_TIME_SIZE]);
