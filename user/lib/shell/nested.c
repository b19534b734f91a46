/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Commands that are in the words or in the input of a command: a text for a shell, find -exec, and
 * what a shell reads from a here-document or from a command before it whose output is known.
 */
#include "parser.h"
#include "programs.h"

static struct args entry_args(const struct entry *entry)
{
	struct args args = { .words = entry->command.words, .length = entry->command.n_words };

	programs_effective(&args);
	return args;
}

static struct slice entry_program(const struct entry *entry)
{
	struct args args = entry_args(entry);
	struct slice arg = { "", 0 };

	args_get(&args, &arg);
	return program_name(arg);
}

static int add_bytes(struct text *t, struct bytes bytes)
{
	return text_add(t, bytes.data, bytes.length);
}

/* The words from `first` on with a byte between them, as a text for a shell. */
static int read_joined(struct source *s, size_t entry, size_t first, size_t end)
{
	OWNED_TEXT struct text t = { 0 };
	int r = text_add(&t, "", 0);

	for (size_t i = first; i < end && r == 0; i++) {
		r = i > first ? text_add(&t, " ", 1) : 0;
		r = r ?: add_bytes(&t, s->shell->entries[entry].words[i]);
	}
	if (r < 0)
		return r;
	return shell_read_nested(s, s->at, (struct bytes) { t.data, t.length });
}

/* Replaces each {}, the name of a file that is found, by what is not known. */
static int drop_file(struct shell *shell, struct shell_word *word, struct bytes *bytes)
{
	char *data = memory_copy(&shell->memory, bytes->data, bytes->length);
	const char *variables = word->variables;
	size_t length = 0;
	int r;

	if (!data)
		return -ENOMEM;
	for (size_t i = 0; i < bytes->length; i++) {
		bool name = i + 1 < bytes->length && data[i] == '{' && data[i + 1] == '}';

		data[length++] = name ? '\0' : data[i];
		i += name;
	}
	*bytes = (struct bytes) { data, length };
	r = finish_bytes(shell, *bytes, word);
	word->variables = variables;
	word->unknown = true;
	return r;
}

/* The words from `first` on as a command of their own. */
static int read_words(struct source *s, size_t entry, size_t first, size_t end)
{
	struct shell *shell = s->shell;
	struct entry inner = { .level = shell->level };
	size_t n = end - first, at = shell->n_entries;
	int r;

	if (first >= end)
		return 0;
	r = shell_enter(shell);
	if (r < 0)
		return r;
	inner.command.depth = shell->depth;
	inner.command.pipeline = shell->n_pipelines++;
	inner.command.n_words = n;
	inner.command.words = memory_take(&shell->memory, n * sizeof(*inner.command.words));
	inner.words = memory_take(&shell->memory, n * sizeof(*inner.words));
	if (!inner.command.words || !inner.words)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		inner.command.words[i] = shell->entries[entry].command.words[first + i];
		inner.words[i] = shell->entries[entry].words[first + i];
		if (strstr(inner.command.words[i].text, "{}"))
			r = drop_file(shell, &inner.command.words[i], &inner.words[i]);
		if (r < 0)
			return r;
	}
	r = command_insert(shell, at, &inner) ?: nested_read(s, at);
	if (r == 0)
		shell_leave(shell);
	return r;
}

/* find: what is between each -exec and its ; or +. */
static int read_find(struct source *s, size_t entry, size_t first)
{
	size_t n = s->shell->entries[entry].command.n_words;
	size_t start = 0;
	int r = 0;

	for (size_t i = first + 1; i < n && r == 0; i++) {
		const struct shell_word *words = s->shell->entries[entry].command.words;
		const char *word = words[i].text;

		if (start && (strcmp(word, ";") == 0 ||
			      (strcmp(word, "+") == 0 && strcmp(words[i - 1].text, "{}") == 0))) {
			r = read_words(s, entry, start, i);
			start = 0;
		} else if (!start && program_is_exec_option(slice_of(word))) {
			start = i + 1;
		}
	}
	if (r == 0 && start)
		r = read_words(s, entry, start, n);
	return r;
}

/* eval, trap, watch, parallel: their arguments are a text, or parts of one. */
static int read_arguments(struct source *s, size_t entry, size_t at, struct slice program)
{
	const struct shell_command *command = &s->shell->entries[entry].command;
	size_t first = at + 1, end = command->n_words;

	if (first < end && strcmp(command->words[first].text, "--") == 0)
		first++;
	if (slice_is(program, "trap"))
		end = first + 1 < end && command->words[first].text[0] != '-' ? first + 1 : first;
	return first < end ? read_joined(s, entry, first, end) : 0;
}

int nested_read(struct source *s, size_t entry)
{
	struct entry *e = &s->shell->entries[entry];
	struct args args = entry_args(e);
	struct slice program = entry_program(e);
	size_t at = args.at, skip;

	if (!e->command.n_words)
		return 0;
	if (slice_in(program, "eval trap"))
		return read_arguments(s, entry, at, program);
	if (slice_is(program, "find"))
		return read_find(s, entry, at);
	if (programs_text(&args, &skip)) {
		struct bytes text = e->words[args.at];

		skip = skip < text.length ? skip : text.length;
		text.data += skip;
		text.length -= skip;
		return shell_read_nested(s, s->at, text);
	}
	return e->input == INPUT_TEXT ? nested_input(s, entry) : 0;
}

static bool reads_program(const struct entry *entry)
{
	struct args args = entry_args(entry);

	return programs_reads_input(&args);
}

/* The shell that reads what the command `from` writes, from `first` on; SIZE_MAX: none. */
static size_t find_reader(const struct shell *shell, size_t from, size_t first)
{
	const struct entry *writer = &shell->entries[from];

	for (size_t i = first; i < shell->n_entries; i++) {
		const struct entry *entry = &shell->entries[i];

		if (entry->level == writer->level && entry->input == INPUT_OPEN &&
		    entry->command.pipeline == writer->command.pipeline &&
		    entry->command.position == writer->command.position + 1 && reads_program(entry))
			return i;
	}
	return SIZE_MAX;
}

int nested_input(struct source *s, size_t entry)
{
	const struct entry *e = &s->shell->entries[entry];

	if (reads_program(e) || (slice_is(entry_program(e), "cat") &&
				 find_reader(s->shell, entry, entry + 1) != SIZE_MAX))
		return shell_read_nested(s, s->at, e->input_text);
	return 0;
}

/* Adds a word of echo or printf, with those escape sequences replaced that part commands. */
static int add_output(struct text *t, struct bytes word, bool format)
{
	int r = 0;

	for (size_t i = 0; i < word.length && r == 0; i++) {
		char next = i + 1 < word.length ? word.data[i + 1] : '\0';

		if (word.data[i] == '\\' && next && strchr("nt\\", next)) {
			r = text_add(t, next == 'n' ? "\n" : next == 't' ? "\t" : "\\", 1);
			i++;
		} else if (format && word.data[i] == '%' && next) {
			r = text_add(t, next == '%' ? "%" : "", 1);
			i++;
		} else {
			r = text_add(t, word.data + i, 1);
		}
	}
	return r;
}

/* What `echo WORDS` or `printf FORMAT WORDS` writes, with a part that is not known for each %. */
static int add_outputs(const struct entry *entry, size_t first, bool printf, struct text *t)
{
	const struct shell_word *words = entry->command.words;
	size_t n = entry->command.n_words;
	bool plain = false;
	int r = 0;

	for (; first < n; first++)
		if (words[first].text[0] != '-' || (printf && strcmp(words[first].text, "--") != 0))
			break;
	if (printf && first < n && words[first].text[0] == '%' && first + 1 < n) {
		first++; /* %s: its arguments */
		plain = true;
	}
	for (size_t i = first; i < n && r == 0; i++) {
		r = i > first ? text_add(t, plain ? "\n" : " ", 1) : 0;
		r = r ?: add_output(t, entry->words[i], printf && !plain && i == first);
	}
	return r;
}

int nested_pipe(struct source *s, size_t from, size_t to)
{
	OWNED_TEXT struct text t = { 0 };
	const struct shell *shell = s->shell;
	const struct entry *writer = NULL;
	struct slice program;
	size_t reader;
	int r = text_add(&t, "", 0);

	for (size_t i = from; i < to; i++)
		if (shell->entries[i].level == shell->level)
			writer = &shell->entries[i];
	if (!writer || r < 0)
		return r;
	reader = find_reader(shell, writer - shell->entries, to);
	if (reader == SIZE_MAX)
		return 0;
	program = entry_program(writer);
	if (slice_is(program, "echo") || slice_is(program, "printf"))
		r = add_outputs(writer, entry_args(writer).at + 1, slice_is(program, "printf"), &t);
	else if (slice_is(program, "cat") && writer->input == INPUT_TEXT)
		r = add_bytes(&t, writer->input_text);
	return r < 0 ? r : shell_read_nested(s, s->at, (struct bytes) { t.data, t.length });
}
