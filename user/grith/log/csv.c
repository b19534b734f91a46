/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Every line has every column. What an agent may have chosen goes through add_text() alone.
 */
#include "grith/base/base.h"
#include "csv.h"

#define FORMULA "=+-@" /* what a spreadsheet takes for the start of one */

static const char header[] =
	"time,session,seq,kind,op,verdict,errno,path,path2,address,port,family,type,target_pid,"
	"target_comm,command,status,rule,reason,score,context,review,state,for,by,directory,pid,"
	"tid,ppid,uid,comm,program,parent,flags,lost\r\n";

/* A row that is being made. */
struct row {
	struct line line;
	struct text cell; /* escaped, before it is known whether it needs quotes */
	bool started;
};

int view_csv_header(struct text *out)
{
	return text_add(out, header, sizeof(header) - 1);
}

static void begin(struct row *row)
{
	if (row->started)
		line_add(&row->line, ",");
	row->started = true;
}

static void add_word(struct row *row, const char *word)
{
	begin(row);
	if (word)
		line_add(&row->line, word);
}

static void add_number(struct row *row, bool is_there, uint64_t number)
{
	begin(row);
	if (is_there)
		line_add_u64(&row->line, number);
}

/* The cell's text: neither a formula nor anything but one field. */
static void end_text(struct row *row)
{
	const char *text = row->cell.length ? row->cell.data : "";
	bool formula = *text && strchr(FORMULA, *text);
	bool quoted =
		strpbrk(text, ",\"") || *text == ' ' || (*text && text[strlen(text) - 1] == ' ');

	if (quoted)
		line_add(&row->line, "\"");
	if (formula)
		line_add(&row->line, "'");
	while (*text && row->line.r == 0) {
		size_t length = strcspn(text, "\"");

		row->line.r = text_add(row->line.out, text, length);
		text += length;
		if (*text) {
			line_add(&row->line, "\"\"");
			text++;
		}
	}
	if (quoted)
		line_add(&row->line, "\"");
}

/* Bytes that need the slow path. */
static inline uint64_t stops(uint64_t word)
{
	return swar_unseen(word) | swar_equal(word, '\\') | swar_equal(word, ',') |
	       swar_equal(word, '"') | swar_equal(word, ' ');
}

/* The fast path: most are a field as they are. */
static bool is_plain(struct record_bytes text)
{
	return !text.length || (!strchr(FORMULA, *text.data) &&
				swar_run(text.data, text.length, stops) == text.length);
}

static void add_text(struct row *row, struct record_bytes text)
{
	begin(row);
	if (is_plain(text)) {
		if (row->line.r == 0)
			row->line.r = text_add(row->line.out, text.data, text.length);
		return;
	}
	row->cell.length = 0;
	if (row->line.r == 0)
		row->line.r = text_add_escaped(&row->cell, text.data, text.length);
	end_text(row);
}

static void add_command(struct row *row, struct record_bytes argv)
{
	struct line cell = { .out = &row->cell };

	begin(row);
	row->cell.length = 0;
	line_add_argv(&cell, argv);
	if (cell.r < 0)
		row->line.r = cell.r;
	end_text(row);
}

static void add_time(struct row *row, uint64_t time)
{
	char text[JSON_TIME_SIZE];

	json_format_time(time, text);
	add_word(row, text);
}

static void add_score(struct row *row, bool is_there, int score)
{
	begin(row);
	if (is_there)
		line_add_hundredths(&row->line, score);
}

/* "-1" is a number here, and harmless: no text of an agent can be one. */
static void add_status(struct row *row, const struct log_event *event)
{
	begin(row);
	if (event->kind != LOG_EXIT)
		return;
	if (event->status < 0)
		line_add(&row->line, "-");
	line_add_u64(&row->line, (uint64_t)llabs((long long)event->status));
}

static void add_object(struct row *row, const struct log_event *event)
{
	add_text(row, event->path);
	add_text(row, event->second);
	add_text(row, event->address);
	add_number(row, event->address.length, event->port);
	add_text(row, event->family);
	add_text(row, event->type);
	add_number(row, event->kind == LOG_PROCESS, event->target);
	add_text(row, event->target_comm);
	if (event->argv.length)
		add_command(row, event->argv);
	else
		add_text(row, event->command);
	add_status(row, event);
}

int view_csv(const struct log_event *event, struct text *out)
{
	bool is_record = event->sequence != LOG_NO_NUMBER;
	struct row row = { .line.out = out };

	add_time(&row, event->time);
	add_text(&row, event->session);
	add_number(&row, is_record, event->sequence);
	add_word(&row, log_kind_name(event->kind));
	if (event->change.length)
		add_text(&row, event->change);
	else
		add_word(&row, event->op != GRITH_OP_NONE ? op_name(event->op) : NULL);
	add_word(&row, event->decided ? verdict_name(event->verdict) : NULL);
	begin(&row);
	line_add_errno(&row.line, event->error);
	add_object(&row, event);
	add_text(&row, event->rule);
	add_text(&row, event->reason);
	add_score(&row, event->decided || event->kind == LOG_REVIEW, event->score);
	add_score(&row, event->context, event->context);
	add_number(&row, event->review, event->review);
	add_text(&row, event->state);
	add_text(&row, event->scope);
	add_text(&row, event->by);
	add_text(&row, event->directory);
	add_number(&row, is_record || event->pid, event->pid);
	add_number(&row, is_record, event->tid);
	add_number(&row, is_record, event->ppid);
	add_number(&row, is_record || event->kind == LOG_SESSION, event->uid);
	add_text(&row, event->comm);
	add_text(&row, event->program);
	add_text(&row, event->parent);
	begin(&row);
	line_add_flags(&row.line, event->flags, " ");
	add_number(&row, event->kind == LOG_GAP, event->lost);
	line_add(&row.line, "\r\n");
	text_free(&row.cell);
	return row.line.r;
}
