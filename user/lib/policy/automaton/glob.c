/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From the text of one glob to its tokens. What the tokens match is glob_match.c.
 */
#include "glob.h"

static const struct glob_set any_byte = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };

struct parser {
	const char *p;
	struct glob *glob;
	bool is_path;
	const char *why;
};

static int refuse(struct parser *s, const char *why)
{
	s->why = why;
	return -EINVAL;
}

static struct glob_token *add(struct parser *s, enum glob_kind kind)
{
	struct glob_token *t = &s->glob->tokens[s->glob->count++];

	*t = (struct glob_token) { .kind = kind };
	return t;
}

/* What * and ? match. */
static struct glob_set wild(const struct parser *s)
{
	struct glob_set set = any_byte;

	if (s->is_path)
		set.bits['/' / 64] &= ~(UINT64_C(1) << ('/' % 64));
	return set;
}

/* One byte of a bracket expression, which may be escaped. */
static int bracket_byte(struct parser *s, uint8_t *ret_byte)
{
	if (*s->p == '\\')
		s->p++;
	if (!*s->p)
		return refuse(s, "a [ without its ] (put a backslash before it to mean the byte)");
	if ((uint8_t)*s->p >= 0x80)
		return refuse(s, "a class can hold only ASCII (use braces for other characters)");
	if (*s->p == '/' && s->is_path)
		return refuse(s, "a class never matches /, so it cannot name it");
	*ret_byte = *s->p++;
	return 0;
}

static int bracket_range(struct parser *s, struct glob_set *set)
{
	uint8_t low, high;
	int r;

	if (s->p[0] == '[' && s->p[1] && strchr(":.=", s->p[1]))
		return refuse(s, "named classes like [:alpha:] are not known (write a-zA-Z)");
	r = bracket_byte(s, &low);
	if (r < 0)
		return r;
	high = low;
	if (s->p[0] == '-' && s->p[1] && s->p[1] != ']') {
		s->p++;
		r = bracket_byte(s, &high);
		if (r < 0)
			return r;
	}
	if (low > high)
		return refuse(s, "a range of a class that goes backwards");
	if (s->is_path && low < '/' && high > '/')
		return refuse(s, "a range of a class that includes /");
	for (unsigned int c = low; c <= high; c++)
		glob_set_add(set, c);
	return 0;
}

static int parse_bracket(struct parser *s)
{
	struct glob_set set = { 0 }, all = wild(s);
	bool negated;
	int r;

	s->p++;
	if (*s->p == '^')
		return refuse(s, "[^ has no meaning (write [!...] for all other bytes)");
	negated = *s->p == '!';
	if (negated)
		s->p++;
	if (*s->p == ']')
		return refuse(s, "an empty class (put a backslash before ] to mean the byte)");
	while (*s->p != ']') {
		r = bracket_range(s, &set);
		if (r < 0)
			return r;
	}
	s->p++;
	if (negated)
		for (size_t i = 0; i < ARRAY_SIZE(set.bits); i++)
			set.bits[i] = all.bits[i] & ~set.bits[i];
	add(s, GLOB_ONE)->set = set;
	return 0;
}

/* A component that is more than stars; the caller took care of those that are nothing else. */
static int parse_piece(struct parser *s)
{
	switch (*s->p) {
	case '*':
		if (s->is_path && s->p[1] == '*')
			return refuse(s, "** must be a whole component, as in /a/**/b");
		while (*s->p == '*')
			s->p++;
		add(s, GLOB_MANY)->set = wild(s);
		return 0;
	case '?':
		s->p++;
		add(s, GLOB_ONE)->set = wild(s);
		return 0;
	case '[':
		return parse_bracket(s);
	case '{':
	case '}':
		return refuse(
			s,
			"a brace without its partner (put a backslash before it to mean the byte)");
	case '\\':
		if (!s->p[1])
			return refuse(s, "a backslash with nothing behind it");
		s->p++;
		break;
	}
	add(s, GLOB_BYTE)->byte = *s->p++;
	return 0;
}

/* Whether the tokens from `first` on are the bytes "." or "..". */
static bool is_dots(const struct glob *glob, size_t first)
{
	if (glob->count - first != 1 && glob->count - first != 2)
		return false;
	for (size_t i = first; i < glob->count; i++)
		if (glob->tokens[i].kind != GLOB_BYTE || glob->tokens[i].byte != '.')
			return false;
	return true;
}

/* The end of the component at p if it is made of `n` stars and nothing else. */
static const char *only_stars(const char *p, unsigned int n)
{
	while (n && *p == '*') {
		p++;
		n--;
	}
	return !n && (!*p || *p == '/') ? p : NULL;
}

/* One component and the '/' before it, which `**` takes into itself. */
static int parse_component(struct parser *s)
{
	const char *end = only_stars(s->p, 2);
	size_t first;
	int r;

	if (end) {
		size_t n = s->glob->count;

		s->p = end;
		if (!n || s->glob->tokens[n - 1].kind != GLOB_TREE)
			add(s, GLOB_TREE);
		return 0;
	}
	add(s, GLOB_BYTE)->byte = '/';
	first = s->glob->count;
	if (only_stars(s->p, 1))
		add(s, GLOB_ONE)->set = wild(s);
	while (*s->p && *s->p != '/') {
		r = parse_piece(s);
		if (r < 0)
			return r;
	}
	if (is_dots(s->glob, first))
		return refuse(s, "a path never has . or .. in it");
	return 0;
}

static int parse_path(struct parser *s)
{
	int r;

	for (;;) {
		/* Repeated slashes come from a variable that is "/". */
		bool slash = *s->p == '/';

		while (*s->p == '/')
			s->p++;
		if (!*s->p) {
			if (!s->glob->count)
				add(s, GLOB_BYTE)->byte = '/';
			else if (slash)
				return refuse(s, "ends in / (write /** for all below a directory)");
			return 0;
		}
		r = parse_component(s);
		if (r < 0)
			return r;
	}
}

/* Whether the text starts like "pipefs:", or like "[0-9a-z]*:" for all types. */
static bool has_type(const char *p)
{
	static const char any[] = "[0-9a-z]", letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";

	if (strncmp(p, any, strlen(any)) == 0)
		p += strlen(any);
	else if (*p && strchr(letters, *p))
		p++;
	else
		return false;
	p += strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789_.-*?");
	return *p == ':';
}

static int parse_all(struct parser *s)
{
	int r = 0;

	s->is_path = *s->p == '/' || only_stars(s->p, 2);
	if (s->is_path)
		return parse_path(s);
	if (*s->p != '@' && !has_type(s->p))
		return refuse(s, "must start with /, **, ~ or ${...}, or name an object without a "
				 "path (pipefs:...)");
	while (r == 0 && *s->p)
		r = parse_piece(s);
	return r;
}

int glob_parse(const char *text, struct glob **ret_glob, const char **ret_why)
{
	CLEANUP(glob_freep) struct glob *glob = NULL;
	struct parser s = { .p = text };
	size_t length = strlen(text);
	int r;

	if (!length || length > GLOB_BYTES_MAX) {
		*ret_why = length ? "longer than GLOB_BYTES_MAX (4096 bytes)" : "is empty";
		return -EINVAL;
	}
	glob = calloc(1, sizeof(*glob));
	if (!glob)
		return -ENOMEM;
	/* Each byte makes one token at most, but a star alone in its component two. */
	glob->tokens = calloc(length + 1, 2 * sizeof(*glob->tokens));
	if (!glob->tokens)
		return -ENOMEM;
	s.glob = glob;
	r = parse_all(&s);
	if (r < 0) {
		*ret_why = s.why;
		return r;
	}
	*ret_glob = TAKE_PTR(glob);
	return 0;
}

void glob_free(struct glob *glob)
{
	if (!glob)
		return;
	free(glob->tokens);
	free(glob);
}
