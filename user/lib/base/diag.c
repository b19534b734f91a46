/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Keeps complaints in the order they were made and renders them. Prints nothing.
 */
#include <stdbool.h>
#include <string.h>

#include "array.h"
#include "diag.h"
#include "escape.h"

void diag_add(struct diag *d, const char *file, unsigned int line, unsigned int column,
	      const char *format, ...)
{
	OWNED_MEM char *message = NULL, *name = NULL;
	va_list arguments;

	if (d->count >= DIAG_MAX || ARRAY_GROW(d->entries, d->count) < 0) {
		d->dropped++;
		return;
	}
	va_start(arguments, format);
	message = text_vformat(format, arguments);
	va_end(arguments);
	if (!message || text_copy(file, &name) < 0) {
		d->dropped++;
		return;
	}
	d->entries[d->count++] = (struct diag_entry) {
		.file = TAKE_PTR(name),
		.line = line,
		.column = column,
		.message = TAKE_PTR(message),
	};
}

static bool has_place(const struct diag *d, size_t count, const struct diag_entry *entry)
{
	for (size_t i = 0; i < count; i++) {
		const struct diag_entry *e = &d->entries[i];

		if (e->line == entry->line && e->column == entry->column &&
		    !strcmp(e->file ? e->file : "", entry->file ? entry->file : ""))
			return true;
	}
	return false;
}

void diag_join(struct diag *d, const struct diag *found)
{
	size_t before = d->count;

	for (size_t i = 0; i < found->count; i++) {
		const struct diag_entry *e = &found->entries[i];

		if (!has_place(d, before, e))
			diag_add(d, e->file, e->line, e->column, "%s", e->message);
	}
	d->dropped += found->dropped;
}

static int add_entry(struct text *t, const struct diag_entry *e)
{
	char place[32] = ": ";
	int r = 0;

	if (e->line && e->column)
		snprintf(place, sizeof(place), ":%u:%u: ", e->line, e->column);
	else if (e->line)
		snprintf(place, sizeof(place), ":%u: ", e->line);
	if (e->file)
		r = text_add_escaped(t, e->file, strlen(e->file))
			    ?: text_add(t, place, strlen(place));
	return r ?: text_add_escaped(t, e->message, strlen(e->message)) ?: text_add(t, "\n", 1);
}

char *diag_text(const struct diag *d)
{
	OWNED_TEXT struct text t = { 0 };
	int r = text_add(&t, "", 0);

	for (size_t i = 0; i < d->count && r == 0; i++)
		r = add_entry(&t, &d->entries[i]);
	if (r == 0 && d->dropped)
		r = text_addf(&t, "and %zu more\n", d->dropped);
	return r < 0 ? NULL : TAKE_PTR(t.data);
}

void diag_free(struct diag *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->count; i++) {
		free(d->entries[i].file);
		free(d->entries[i].message);
	}
	free(d->entries);
	*d = (struct diag) { 0 };
}
