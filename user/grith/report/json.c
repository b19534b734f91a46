/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The report as one JSON object, described in grith(1). Names are those of the counts, the tables
 * and their columns; new ones may be added, none change their meaning while "v" is 1.
 */
#include <jansson.h>

#include "view.h"

#define VERSION 1

static void add_bytes(struct json_writer *w, const char *name, struct record_bytes bytes)
{
	if (bytes.length)
		json_bytes(w, name, bytes.data, bytes.length);
}

static void add_time(struct json_writer *w, const char *name, uint64_t time)
{
	char text[JSON_TIME_SIZE];

	if (!time)
		return;
	json_format_time(time, text);
	json_text(w, name, text);
}

static void add_command(struct json_writer *w, struct record_bytes command)
{
	json_auto_t *words =
		command.length ? json_loadb(command.data, command.length, 0, NULL) : NULL;
	const json_t *word;
	size_t i;

	if (!json_is_array(words))
		return;
	json_open_array(w, "command");
	json_array_foreach (words, i, word)
		if (json_is_string(word))
			json_bytes(w, NULL, json_string_value(word), json_string_length(word));
	json_close_array(w);
}

static void add_session(struct json_writer *w, const struct report_session *session)
{
	json_open(w, "session");
	add_bytes(w, "id", session->id);
	add_bytes(w, "name", session->name);
	add_bytes(w, "user", session->user);
	add_bytes(w, "profile", session->profile);
	add_bytes(w, "mode", session->mode);
	add_bytes(w, "project", session->project);
	add_command(w, session->command);
	add_time(w, "started", session->started);
	add_time(w, "ended", session->ended);
	json_close(w);
}

/* What two reports are compared by. */
static void add_head(struct json_writer *w, const struct report_result *result)
{
	add_session(w, &result->session);
	json_open_array(w, "notes");
	for (size_t i = 0; i < result->n_notes; i++)
		json_text(w, NULL, result->notes[i]);
	json_close_array(w);
	json_open(w, "counts");
	for (size_t i = 0; i < REPORT_COUNTS; i++)
		json_u64(w, report_count_key(i), result->counts[i]);
	json_close(w);
}

static void add_cell(struct json_writer *w, const struct report_column *column,
		     const struct report_cell *cell)
{
	if (report_is_text(column->kind))
		json_bytes(w, column->key, cell->text.data, cell->text.length);
	else if (column->kind == REPORT_TIME)
		add_time(w, column->key, cell->number);
	else if (column->kind == REPORT_SCORE)
		json_hundredths(w, column->key, (int)(int64_t)cell->number);
	else
		json_u64(w, column->key, cell->number);
}

static void add_table(struct json_writer *w, const struct report_table *table)
{
	json_open(w, table->key);
	json_u64(w, "total", table->total);
	json_u64(w, "beyond", table->beyond);
	json_open_array(w, "rows");
	for (size_t row = 0; row < table->n_rows; row++) {
		json_open(w, NULL);
		for (size_t i = 0; i < table->n_columns; i++)
			add_cell(w, &table->columns[i], report_cell(table, row, i));
		json_close(w);
	}
	json_close_array(w);
	json_close(w);
}

/* A character that is not ASCII, as JSON's \u, two of them beyond the first 65536. */
static int add_character(struct text *out, uint32_t character)
{
	if (character < 0x10000)
		return text_addf(out, "\\u%04x", character);
	character -= 0x10000;
	return text_addf(out, "\\u%04x\\u%04x", 0xd800 + (character >> 10),
			 0xdc00 + (character & 0x3ff));
}

/*
 * Adds what a json_writer made, which is UTF-8, in ASCII: a terminal may be where it goes, and
 * characters that turn text around are in names as well.
 */
static int add_ascii(struct text *out, const struct text *json)
{
	const unsigned char *p = (const unsigned char *)json->data, *end = p + json->length;
	int r = 0;

	while (p < end && r == 0) {
		const unsigned char *plain = p;
		unsigned int more;
		uint32_t character;

		while (p < end && *p < 0x80)
			p++;
		r = text_add(out, (const char *)plain, p - plain);
		if (p == end || r < 0)
			break;
		more = *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : 1;
		character = *p & (0x3f >> more);
		for (p++; more && p < end; more--, p++)
			character = character << 6 | (*p & 0x3f);
		r = add_character(out, character);
	}
	return r < 0 ? r : text_add(out, "\n", 1);
}

int view_report_json(const struct report_result *result, struct text *out)
{
	OWNED_TEXT struct text json = { 0 };
	struct json_writer w = { .text = &json };

	json_open(&w, NULL);
	json_u64(&w, "v", VERSION);
	add_head(&w, result);
	json_u64(&w, "names_beyond", result->names_beyond);
	json_open(&w, "tables");
	for (size_t i = 0; i < REPORT_TABLES; i++)
		add_table(&w, &result->tables[i]);
	json_close(&w);
	json_close(&w);
	return w.r < 0 ? w.r : add_ascii(out, &json);
}

int view_report_compare_json(const struct report_result *left, const struct report_result *right,
			     struct text *out)
{
	const struct report_result *results[] = { left, right };
	OWNED_TEXT struct text json = { 0 };
	struct json_writer w = { .text = &json };

	json_open(&w, NULL);
	json_u64(&w, "v", VERSION);
	for (size_t i = 0; i < ARRAY_SIZE(results); i++) {
		json_open(&w, i ? "b" : "a");
		add_head(&w, results[i]);
		json_close(&w);
	}
	json_close(&w);
	return w.r < 0 ? w.r : add_ascii(out, &json);
}
