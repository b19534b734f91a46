/* SPDX-License-Identifier: MPL-2.0 */
/* Follows git_parse_source() of git's config.c, and is stricter than that: never milder. */
#include <ctype.h>

#include "git_settings.h"

struct reader {
	const char *at, *end;
	struct text section; /* in lower case; empty: none yet */
	char *subsection;
	struct git_settings *settings;
};

static int peek(const struct reader *r)
{
	return r->at < r->end ? (unsigned char)*r->at : EOF;
}

static int take(struct reader *r)
{
	int c = peek(r);

	r->at += c != EOF;
	return c;
}

static void skip_line(struct reader *r)
{
	while (peek(r) != EOF && take(r) != '\n')
		;
}

static void skip_blanks(struct reader *r)
{
	while (peek(r) == ' ' || peek(r) == '\t')
		take(r);
}

static int add_lower(struct text *text, int c)
{
	char lower = (char)tolower(c);

	return text_add(text, &lower, 1);
}

/* Of [section "subsection"], behind the first quote. */
static int read_subsection(struct reader *r)
{
	OWNED_TEXT struct text text = { 0 };
	int c, error = text_add(&text, "", 0);

	while (error == 0 && (c = take(r)) != '"') {
		if (c == '\\')
			c = take(r);
		if (c == EOF || !c || c == '\n')
			return -EINVAL;
		error = text_add(&text, &(char) { (char)c }, 1);
	}
	if (error < 0)
		return error;
	r->subsection = TAKE_PTR(text.data);
	return take(r) == ']' ? 0 : -EINVAL;
}

/* Behind the bracket. The deprecated form [section.subsection] is refused. */
static int read_section(struct reader *r)
{
	int c, error = 0;

	free(r->subsection);
	r->subsection = NULL;
	text_free(&r->section);
	r->section = (struct text) { 0 };
	while (error == 0 && (isalnum(c = take(r)) || c == '-'))
		error = add_lower(&r->section, c);
	if (error < 0)
		return error;
	if (!r->section.length)
		return -EINVAL;
	if (c == ']')
		return 0;
	if (c != ' ' && c != '\t')
		return -EINVAL;
	skip_blanks(r);
	return take(r) == '"' ? read_subsection(r) : -EINVAL;
}

/* What a backslash and this byte stand for; NUL: it may not stand there. */
static int escaped(int c)
{
	switch (c) {
	case 't':
		return '\t';
	case 'b':
		return '\b';
	case 'n':
		return '\n';
	case '\\':
	case '"':
		return c;
	default:
		return '\0';
	}
}

/* To the end of its line, with the blanks inside. Behind it is the next line. */
static int read_value(struct reader *r, struct text *value)
{
	bool quoted = false;
	int error = text_add(value, "", 0);

	while (error == 0) {
		int c = take(r);

		if (c == EOF || c == '\n')
			return quoted ? -EINVAL : 0;
		if (!quoted && (c == '#' || c == ';')) {
			skip_line(r);
			return 0;
		}
		if (c == '"') {
			quoted = !quoted;
			continue;
		}
		if (c == '\\') {
			c = take(r);
			if (c == '\n')
				continue;
			c = escaped(c);
		}
		if (!c)
			return -EINVAL;
		error = text_add(value, &(char) { (char)c }, 1);
	}
	return error;
}

static void trim(struct text *value)
{
	while (value->length &&
	       (value->data[value->length - 1] == ' ' || value->data[value->length - 1] == '\t' ||
		value->data[value->length - 1] == '\r'))
		value->data[--value->length] = '\0';
}

static int add_setting(struct reader *r, const struct text *key, char **value)
{
	struct git_settings *settings = r->settings;
	struct git_setting setting = {
		.name = text_format("%s.%s%s", r->section.data, r->subsection ? "*." : "",
				    key->data),
	};
	int error = setting.name ? text_copy(r->subsection, &setting.subsection) : -ENOMEM;

	error = error ?: ARRAY_GROW(settings->all, settings->count);
	if (error < 0) {
		free(setting.name);
		free(setting.subsection);
		return error;
	}
	setting.value = TAKE_PTR(*value);
	settings->all[settings->count++] = setting;
	return 0;
}

static int read_setting(struct reader *r)
{
	OWNED_TEXT struct text key = { 0 }, value = { 0 };
	int error = 0;

	if (!r->section.length)
		return -EINVAL;
	while (error == 0 && (isalnum(peek(r)) || peek(r) == '-'))
		error = add_lower(&key, take(r));
	skip_blanks(r);
	if (peek(r) == '\r')
		take(r);
	if (error == 0 && peek(r) == '=') {
		take(r);
		skip_blanks(r);
		error = read_value(r, &value);
		trim(&value);
	} else if (peek(r) != EOF && peek(r) != '\n') {
		error = error ?: -EINVAL;
	}
	return error ?: add_setting(r, &key, &value.data);
}

static int read_all(struct reader *r)
{
	int error = 0;

	while (error == 0) {
		int c = peek(r);

		if (c == EOF)
			return 0;
		if (isalpha(c)) {
			error = read_setting(r);
			continue;
		}
		take(r);
		if (c == '#' || c == ';')
			skip_line(r);
		else if (c == '[')
			error = read_section(r);
		else if (!isspace(c))
			error = -EINVAL;
	}
	return error;
}

int git_settings_read(const char *text, size_t length, struct git_settings *settings)
{
	struct reader r = { .at = text, .end = text + length, .settings = settings };
	int error;

	if (!length)
		return 0;
	error = read_all(&r);
	text_free(&r.section);
	free(r.subsection);
	return error;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool git_settings_have(const struct git_settings *settings, const struct git_setting *setting)
{
	for (size_t i = 0; i < settings->count; i++) {
		const struct git_setting *other = &settings->all[i];

		if (is_same(other->name, setting->name) &&
		    is_same(other->subsection, setting->subsection) &&
		    is_same(other->value, setting->value))
			return true;
	}
	return false;
}

void git_settings_clear(struct git_settings *settings)
{
	for (size_t i = 0; i < settings->count; i++) {
		free(settings->all[i].name);
		free(settings->all[i].subsection);
		free(settings->all[i].value);
	}
	free(settings->all);
	*settings = (struct git_settings) { 0 };
}
