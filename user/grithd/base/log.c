/* SPDX-License-Identifier: MPL-2.0 */
/* The only place of grithd that writes to stderr. */
#include <stdarg.h>

#include "lib/base/base.h"
#include "log.h"

/* `line` is safe to print. */
static void print(int priority, const char *line)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "grithd: %s\n", line);
	else
		fprintf(stderr, "<%d>%s\n", priority, line);
}

void log_line(int priority, const char *format, ...)
{
	OWNED_TEXT struct text safe = { 0 };
	OWNED_MEM char *line = NULL;
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vasprintf(&line, format, arguments);
	va_end(arguments);
	if (n < 0) {
		line = NULL;
		print(LOG_ERR, "out of memory");
	} else if (text_add_escaped(&safe, line, n) < 0 || !safe.data) {
		print(LOG_ERR, "out of memory");
	} else {
		print(priority, safe.data);
	}
}

void log_diag(int priority, const struct diag *diag)
{
	OWNED_MEM char *all = diag_text(diag); /* escaped already */
	char *next = all;

	if (!all)
		print(LOG_ERR, "out of memory");
	for (char *line; (line = strsep(&next, "\n"));)
		if (*line)
			print(priority, line);
}
