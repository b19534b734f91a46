/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Writes in large pieces of one size, so that the kernel is asked seldom and a page of a file is
 * written once; a caller that waits for more input flushes first.
 */
#include "csv.h"
#include "event.h"
#include "json.h"
#include "printer.h"

#define AT_ONCE (256u << 10) /* bytes; whole pages */

int log_printer_start(struct log_printer *printer)
{
	return printer->format == LOG_AS_CSV ? view_csv_header(&printer->text) : 0;
}

/* The first `length` bytes of what waits. */
static int write_out(struct log_printer *printer, size_t length)
{
	struct text *text = &printer->text;

	if (length && fwrite(text->data, 1, length, printer->out) != length)
		return errno ? -errno : -EIO;
	text->length -= length;
	if (text->length)
		memmove(text->data, text->data + length, text->length);
	return 0;
}

static int add(struct log_printer *printer, const struct log_event *event, struct record_bytes line)
{
	switch (printer->format) {
	case LOG_AS_JSON:
		return view_json(line, &printer->text);
	case LOG_AS_CSV:
		return view_csv(event, &printer->text);
	case LOG_AS_OCSF:
		return view_ocsf(event, &printer->ocsf, &printer->text);
	default:
		return view_event(event, &printer->term, &printer->memory, &printer->text);
	}
}

int log_printer_add(struct log_printer *printer, const struct log_event *event,
		    struct record_bytes line)
{
	int r = add(printer, event, line);

	while (r == 0 && printer->text.length >= AT_ONCE)
		r = write_out(printer, AT_ONCE);
	return r;
}

int log_printer_flush(struct log_printer *printer)
{
	int r = write_out(printer, printer->text.length);

	if (r == 0 && fflush(printer->out) != 0)
		r = -errno;
	return r;
}

void log_printer_free(struct log_printer *printer)
{
	ocsf_memory_free(&printer->ocsf);
	text_free(&printer->text);
}
