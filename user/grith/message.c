/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A stream in the place of stderr, not buffered like it, so that one message is one write. Newlines
 * stay: whether one is ours nobody knows here.
 */
#include <stdio.h>

#include "message.h"
#include "text.h"

static int write_all(const char *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(STDERR_FILENO, bytes, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		bytes += n;
		length -= (size_t)n;
	}
	return 0;
}

static ssize_t write_message(void *cookie, const char *bytes, size_t length)
{
	OWNED_TEXT struct text shown = { 0 };

	(void)cookie;
	if (text_add_harmless(&shown, bytes, length) < 0 || write_all(shown.data, shown.length) < 0)
		return 0;
	return (ssize_t)length;
}

void message_open(void)
{
	FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t) { .write = write_message });

	if (!stream)
		return;
	setvbuf(stream, NULL, _IONBF, 0);
	stderr = stream;
}
