/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Row displacement (Tarjan and Yao 1979): each state has a few words at fixed distances from its
 * place, and the states are shifted into each other's gaps, those with most words first. The layout
 * is that of grith_abi.h.
 *
 * A bit map of free words answers for 64 places at once whether a state would fit there. Where a
 * state with the same distances did not fit, no later one will: the places are remembered by a hash
 * of the distances. Two sets of distances with one hash only cost space.
 */
#include "automaton.h"
#include "grith_abi.h"

#define HINTS 65536
#define CLASS_MAX 255

struct packer {
	const struct automaton *a;
	uint32_t first, limit; /* places for states */
	uint64_t *free_words; /* bit set, with a word to spare */
	uint32_t *hints; /* by hash of distances: no place below fits */
	uint32_t *place; /* by state */
	uint32_t last; /* highest place so far */
};

static uint64_t free_from(const struct packer *p, uint32_t word)
{
	const uint64_t *bits = &p->free_words[word / 64];
	unsigned int shift = word % 64;

	return shift ? bits[0] >> shift | bits[1] << (64 - shift) : bits[0];
}

static void take(struct packer *p, uint32_t word)
{
	p->free_words[word / 64] &= ~(UINT64_C(1) << (word % 64));
}

/* Which of the 64 places from `place` on have room for the state. */
static uint64_t fits(const struct packer *p, uint32_t state, uint32_t place)
{
	const struct automaton *a = p->a;
	uint64_t places = free_from(p, place) & free_from(p, place + 1);

	for (uint32_t i = a->first[state]; i < a->first[state + 1] && places; i++)
		places &= free_from(p, place + a->edges[i].class);
	return places;
}

static uint32_t *hint_of(const struct packer *p, uint32_t state)
{
	uint32_t hash = 0;

	for (uint32_t i = p->a->first[state]; i < p->a->first[state + 1]; i++)
		hash = (hash + p->a->edges[i].class) * 0x9e3779b1;
	return &p->hints[hash >> 16];
}
_Static_assert(HINTS == 1 << 16, "hint_of() takes the upper 16 bits");

static int place_state(struct packer *p, uint32_t state)
{
	const struct automaton *a = p->a;
	uint32_t *hint = hint_of(p, state);
	uint64_t places = 0;
	uint32_t place;

	for (place = *hint; place < p->limit; place += 64) {
		places = fits(p, state, place);
		if (places)
			break;
	}
	if (places)
		place += __builtin_ctzll(places);
	if (place >= p->limit)
		return -E2BIG;
	*hint = place;
	p->place[state] = place;
	if (place > p->last)
		p->last = place;
	take(p, place);
	take(p, place + 1);
	for (uint32_t i = a->first[state]; i < a->first[state + 1]; i++)
		take(p, place + a->edges[i].class);
	return 0;
}

/* States with many edges first; among equals in the order of their numbers. */
static int place_all(struct packer *p)
{
	const struct automaton *a = p->a;
	OWNED_MEM uint32_t *order = calloc((size_t)a->n_states + 1, sizeof(*order));
	uint32_t at[CLASS_MAX + 2] = { 0 };
	int r = 0;

	if (!order)
		return -ENOMEM;
	for (uint32_t s = 0; s < a->n_states; s++)
		at[CLASS_MAX - (a->first[s + 1] - a->first[s]) + 1]++;
	for (unsigned int i = 0; i <= CLASS_MAX; i++)
		at[i + 1] += at[i];
	for (uint32_t s = 0; s < a->n_states; s++)
		order[at[CLASS_MAX - (a->first[s + 1] - a->first[s])]++] = s;
	for (uint32_t i = 0; i < a->n_states && r == 0; i++)
		r = place_state(p, order[i]);
	return r;
}

static uint32_t word_of(unsigned int tag, uint32_t value)
{
	return (uint32_t)tag << GRITH_IMAGE_TAG_SHIFT | value;
}

static void write_words(const struct packer *p, uint32_t *words)
{
	const struct automaton *a = p->a;

	for (uint32_t s = 0; s < a->n_states; s++) {
		uint32_t *w = words + p->place[s];

		w[0] = word_of(0, p->place[a->fallback[s]]);
		w[1] = word_of(1, a->row[s]);
		for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
			w[a->edges[i].class] =
				word_of(a->edges[i].class, p->place[a->edges[i].target]);
	}
}

static void packer_clear(struct packer *p)
{
	free(p->free_words);
	free(p->hints);
	free(p->place);
}

int automaton_pack(const struct automaton *automaton, uint32_t *words, uint32_t first,
		   uint32_t limit, uint32_t *ret_start, uint32_t *ret_end)
{
	CLEANUP(packer_clear) struct packer p = { .a = automaton, .first = first };
	int r;

	/* A walk looks at up to CLASS_MAX words behind a state: none may be of something else. */
	if (limit < first + CLASS_MAX + 1)
		return -E2BIG;
	p.limit = limit - CLASS_MAX;
	p.free_words = malloc((limit / 64 + 8) * sizeof(*p.free_words));
	p.hints = malloc(HINTS * sizeof(*p.hints));
	p.place = calloc((size_t)automaton->n_states + 1, sizeof(*p.place));
	if (!p.free_words || !p.hints || !p.place)
		return -ENOMEM;
	memset(p.free_words, 0xff, (limit / 64 + 8) * sizeof(*p.free_words));
	for (uint32_t i = 0; i < HINTS; i++)
		p.hints[i] = first;
	r = place_all(&p);
	if (r < 0)
		return r;
	write_words(&p, words);
	*ret_start = p.place[automaton->start];
	*ret_end = p.last + CLASS_MAX + 1;
	return 0;
}
