/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From what a person wrote to the globs it stands for: variables, then braces. What the globs mean
 * is glob.c.
 */
#include "lib/base/base.h"
#include "glob.h"

/* Adds a value so that none of its bytes has a meaning. */
static int add_literal(struct text *out, const char *value)
{
	int r = 0;

	for (; *value && r == 0; value++) {
		if (strchr("*?[]{},\\!^-", *value))
			r = text_add(out, "\\", 1);
		r = r ?: text_add(out, value, 1);
	}
	return r;
}

static int add_values(struct text *out, const struct glob_variable *v)
{
	int r;

	if (!v->n_others)
		return add_literal(out, v->value);
	r = text_add(out, "{", 1) ?: add_literal(out, v->value);
	for (size_t i = 0; i < v->n_others && r == 0; i++)
		r = text_add(out, ",", 1) ?: add_literal(out, v->others[i]);
	return r ?: text_add(out, "}", 1);
}

struct source {
	const char *p;
	const struct glob_variable *variables;
	size_t n_variables;
	const char *why;
};

static int refuse(struct source *s, const char *why)
{
	s->why = why;
	return -EINVAL;
}

static int replace(struct source *s, const char *name, size_t length, struct text *out)
{
	const struct glob_variable *v = s->variables, *end = v + s->n_variables;

	while (v < end && (strlen(v->name) != length || memcmp(v->name, name, length) != 0))
		v++;
	if (v == end)
		return refuse(s, "has a variable that is not known (there are ${PROJECT}, "
				 "${WORKTREE}, ${WORKTREES}, ${GIT_DIR}, ${HOME}, "
				 "${USER}, ${UID} and ~)");
	if (!v->value)
		return refuse(s, "has a variable without a value here");
	return add_values(out, v);
}

/* Copies the text with its variables replaced. */
static int replace_all(struct source *s, struct text *out)
{
	int r = text_add(out, "", 0);

	if (r == 0 && *s->p == '~') {
		if (s->p[1] && s->p[1] != '/')
			return refuse(s, "has ~ before a name (only ~ and ~/ are known)");
		s->p++;
		r = replace(s, "~", 1, out);
	}
	while (r == 0 && *s->p) {
		size_t n = *s->p == '\\' && s->p[1] ? 2 : 1;

		if (s->p[0] == '$' && s->p[1] == '{') {
			const char *name = s->p + 2, *end = strchr(name, '}');

			if (!end)
				return refuse(s, "has a ${ without its }");
			s->p = end + 1;
			r = replace(s, name, end - name, out);
		} else {
			r = text_add(out, s->p, n);
			s->p += n;
		}
	}
	return r;
}

/* The byte after what starts at p: an escape, a class (or p + 1 if it is not closed), a byte. */
static const char *next(const char *p)
{
	const char *q = p + 1;

	if (*p == '\\')
		return *q ? q + 1 : q;
	if (*p != '[')
		return q;
	if (*q == '!')
		q++;
	for (; *q; q = *q == '\\' && q[1] ? q + 2 : q + 1)
		if (*q == ']')
			return q + 1;
	return p + 1;
}

/* The first byte of `wanted` in the text, outside escapes, classes and deeper braces. */
static const char *find_outside(const char *p, const char *wanted)
{
	unsigned int depth = 0;

	for (; *p; p = next(p)) {
		if (!depth && strchr(wanted, *p))
			return p;
		if (*p == '{')
			depth++;
		else if (*p == '}' && depth)
			depth--;
	}
	return NULL;
}

/* Adds what the braces stand for, from left to right; each call resolves the first of them. */
static int expand_braces(const char *text, char **list, size_t *count)
{
	const char *open = find_outside(text, "{");
	const char *close = open ? find_outside(open + 1, "}") : NULL;
	const char *p, *comma;
	int r = 0;

	if (!close) {
		if (*count == GLOB_BRACES_MAX)
			return -E2BIG;
		list[*count] = strdup(text);
		return list[(*count)++] ? 0 : -ENOMEM;
	}
	for (p = open + 1; r == 0; p = comma + 1) {
		OWNED_MEM char *one = NULL;

		comma = find_outside(p, ",}");
		if (asprintf(&one, "%.*s%.*s%s", (int)(open - text), text, (int)(comma - p), p,
			     close + 1) < 0) {
			one = NULL;
			return -ENOMEM;
		}
		r = expand_braces(one, list, count);
		if (comma == close)
			break;
	}
	return r;
}

int glob_expand(const char *text, const struct glob_variable *variables, size_t n_variables,
		char ***ret_list, const char **ret_why)
{
	OWNED_TEXT struct text replaced = { 0 };
	CLEANUP(glob_list_freep) char **list = calloc(GLOB_BRACES_MAX + 1, sizeof(*list));
	struct source s = { .p = text, .variables = variables, .n_variables = n_variables };
	size_t count = 0;
	int r;

	if (!list)
		return -ENOMEM;
	r = strlen(text) > GLOB_BYTES_MAX ? -E2BIG : replace_all(&s, &replaced);
	if (r == 0 && replaced.length > GLOB_BYTES_MAX)
		r = -E2BIG;
	if (r < 0) {
		*ret_why = r == -E2BIG ? "longer than GLOB_BYTES_MAX (4096 bytes)" : s.why;
		return r;
	}
	r = expand_braces(replaced.data, list, &count);
	if (r < 0) {
		*ret_why = "has braces that stand for more than GLOB_BRACES_MAX (64) globs";
		return r;
	}
	*ret_list = TAKE_PTR(list);
	return 0;
}

void glob_list_free(char **list)
{
	for (char **p = list; p && *p; p++)
		free(*p);
	free(list);
}
