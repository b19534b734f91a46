/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The matcher that defines what the tokens of a glob mean, by simulation of the glob as an NFA
 * (Thompson 1968). It is the oracle of the automaton, which is built from the same tokens, and what
 * the reference evaluator matches with.
 */
#include "glob.h"

/* Which places in the glob the bytes read so far can have led to. */
struct places {
	bool before[2 * GLOB_BYTES_MAX + 2]; /* token i comes next */
	bool inside[2 * GLOB_BYTES_MAX + 2]; /* token i is a GLOB_TREE that took its '/' */
};

/* Adds the places that are reached without another byte. */
static void skip(const struct glob *glob, struct places *places)
{
	for (size_t i = 0; i < glob->count; i++) {
		enum glob_kind kind = glob->tokens[i].kind;

		if (places->inside[i] ||
		    (places->before[i] && (kind == GLOB_MANY || kind == GLOB_TREE)))
			places->before[i + 1] = true;
	}
}

static void step(const struct glob *glob, const struct places *from, uint8_t byte,
		 struct places *to)
{
	memset(to->before, 0, glob->count + 1);
	memset(to->inside, 0, glob->count + 1);
	for (size_t i = 0; i < glob->count; i++) {
		const struct glob_token *t = &glob->tokens[i];

		if (from->inside[i])
			to->inside[i] = true;
		if (!from->before[i])
			continue;
		if (t->kind == GLOB_TREE && byte == '/')
			to->inside[i] = true;
		if (t->kind == GLOB_MANY && glob_set_has(&t->set, byte))
			to->before[i] = true;
		if ((t->kind == GLOB_BYTE && t->byte == byte) ||
		    (t->kind == GLOB_ONE && glob_set_has(&t->set, byte)))
			to->before[i + 1] = true;
	}
	skip(glob, to);
}

bool glob_match(const struct glob *glob, const char *bytes, size_t length)
{
	struct places a, b;
	struct places *now = &a, *next = &b;

	memset(now->before, 0, glob->count + 1);
	memset(now->inside, 0, glob->count + 1);
	now->before[0] = true;
	skip(glob, now);
	for (size_t i = 0; i < length; i++) {
		struct places *last = now;

		step(glob, now, bytes[i], next);
		now = next;
		next = last;
	}
	return now->before[glob->count];
}
