/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A stream that replaces stderr, unbuffered like it, so that one message is one write. Newlines are
 * not escaped by it: only message() knows which ones are this program's.
 */
#include <stdarg.h>

#include "lib/base/base.h"
#include "message.h"

static ssize_t write_message(void *cookie, const char *bytes, size_t length)
{
	OWNED_TEXT struct text escaped = { 0 };

	(void)cookie;
	if (text_add_harmless(&escaped, bytes, length) < 0 ||
	    write_all(STDERR_FILENO, escaped.data, escaped.length) < 0)
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

void message(const char *format, ...)
{
	OWNED_TEXT struct text line = { 0 };
	OWNED_MEM char *text = NULL;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		text = NULL; /* vasprintf leaves it undefined */
	if (!text || text_add_line(&line, text, (size_t)length) < 0)
		fprintf(stderr, "grith: %s\n", strerror(ENOMEM));
	else
		fprintf(stderr, "grith: %s\n", line.data);
}
