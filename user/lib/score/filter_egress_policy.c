/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "egress-policy", as far as it is not in the compiled policy: raw sockets, schemes and
 * hosts, trusted destinations, and what was encoded before it leaves.
 */
#include <ctype.h>
#include <math.h>
#include <strings.h>
#include <sys/socket.h>

#include "egress.h"
#include "evaluation.h"

#define NUMBERS(NUMBER)                                \
	NUMBER(TRUSTED, "trusted")                     \
	NUMBER(UNKNOWN, "unknown")                     \
	NUMBER(BLOCKED, "blocked")                     \
	NUMBER(RAW_SOCKET, "raw-socket")               \
	NUMBER(ENCODED, "encoded")                     \
	NUMBER(BASE64_CHARACTERS, "base64-characters") \
	NUMBER(ENTROPY_BITS, "entropy-bits")           \
	NUMBER(ENTROPY_CHARACTERS, "entropy-characters")
#define LISTS(LIST)                                           \
	LIST(BLOCKED_SCHEMES, "blocked-schemes", SCORE_WORDS) \
	LIST(BLOCKED_HOSTS, "blocked-hosts", SCORE_HOSTS)
FILTER_INDICES(NUMBERS);
FILTER_INDICES(LISTS);

int score_encoded_points(const struct score_weights *weights)
{
	return score_number(weights, FILTER_EGRESS_POLICY, ENCODED);
}

enum byte_class { UPPER, LOWER, DIGIT, OTHER };

static enum byte_class class_of(unsigned char c)
{
	if (isupper(c))
		return UPPER;
	if (islower(c))
		return LOWER;
	return isdigit(c) ? DIGIT : OTHER;
}

static bool is_base64(unsigned char c)
{
	return isalnum(c) || (c && strchr("+/_-=", c));
}

/*
 * Of two neighbours in base64 of anything, more than half are of different classes (26 of 64 are
 * upper, 26 lower, 10 digits); of those in names and paths, about one in ten. A quarter is between.
 */
static bool is_mixed(const char *run, size_t length)
{
	size_t seen[4] = { 0 }, changes = 0;

	for (size_t i = 0; i < length; i++) {
		enum byte_class class = class_of(run[i]);

		seen[class]++;
		if (i && class != OTHER && class_of(run[i - 1]) != OTHER)
			changes += class != class_of(run[i - 1]);
	}
	return seen[UPPER] && seen[LOWER] && seen[DIGIT] && changes * 4 >= length;
}

/* "sha512-..." of a lock file: a digest carries no data. */
static bool is_digest(const char *run, size_t length)
{
	static const char *const names[] = { "sha1-", "sha256-", "sha384-", "sha512-" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (length > strlen(names[i]) && !memcmp(run, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Bits for each byte, by how often each occurs. */
static double entropy(const char *run, size_t length)
{
	size_t counts[256] = { 0 };
	double bits = 0;

	for (size_t i = 0; i < length; i++)
		counts[(unsigned char)run[i]]++;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		double share = (double)counts[i] / (double)length;

		if (counts[i])
			bits -= share * log2(share);
	}
	return bits;
}

static bool is_random(const struct evaluation *e, const char *run, size_t length)
{
	double least = eval_number(e, ENTROPY_BITS) / 100.0;
	bool digit = false, letter = false;

	if (length < eval_count(e, ENTROPY_CHARACTERS))
		return false;
	for (size_t i = 0; i < length; i++) {
		digit = digit || isdigit((unsigned char)run[i]);
		letter = letter || isalpha((unsigned char)run[i]);
	}
	return digit && letter && entropy(run, length) >= least;
}

/* Whether a part of the run, without what separates words, is random. */
static bool has_random(const struct evaluation *e, const char *run, size_t length)
{
	size_t at = 0;

	while (at < length) {
		size_t start = at;

		while (at < length && isalnum((unsigned char)run[at]))
			at++;
		if (is_random(e, run + start, at - start))
			return true;
		at++;
	}
	return false;
}

/*
 * Whether it was encoded rather than written: base64 by its mixture of cases and digits, other
 * encodings by their entropy. Hexadecimal digests, UUIDs, names and paths are neither.
 */
static bool is_encoded(const struct evaluation *e, const char *text, size_t length)
{
	size_t least = eval_count(e, BASE64_CHARACTERS);
	size_t at = 0;

	while (at < length) {
		size_t start = at, n;

		while (at < length && is_base64(text[at]))
			at++;
		n = at - start;
		at++;
		if (is_digest(text + start, n))
			continue;
		if ((n >= least && is_mixed(text + start, n)) || has_random(e, text + start, n))
			return true;
	}
	return false;
}

static void evaluate_socket(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;
	bool raw = o->type == SOCK_RAW && (o->family == AF_INET || o->family == AF_INET6);

	/* Netlink's sockets are of this type by convention only. */
	if (o->op == GRITH_OP_SOCKET && (raw || o->family == AF_PACKET))
		eval_add(e, RAW_SOCKET, "a socket for raw packets");
}

static bool is_blocked_scheme(const struct evaluation *e, const char *scheme, size_t length)
{
	const struct score_list *list = eval_list(e, BLOCKED_SCHEMES);

	for (size_t i = 0; i < list->count; i++)
		if (strlen(list->items[i].text) == length &&
		    !strncasecmp(list->items[i].text, scheme, length))
			return true;
	return false;
}

static void evaluate_words(const struct evaluation *e, const struct action *action)
{
	for (size_t i = 1; i < action->n_words; i++) {
		size_t length = 0;
		const char *scheme = egress_scheme(action->words[i].text, &length);

		if (scheme && is_blocked_scheme(e, scheme, length))
			eval_add(e, BLOCKED, "%.*s is blocked", (int)length, scheme);
	}
}

static void evaluate_sections(const struct evaluation *e)
{
	for (size_t i = 0; i < e->n_sections; i++) {
		const struct score_section *section = &e->sections[i];

		if (!section->leaves)
			continue;
		/* Only one that sends has URLs; what is piped to it has data. */
		if (section->kind == SECTION_ACTION)
			evaluate_words(e, section->action);
		if (is_encoded(e, e->text + section->from, section->to - section->from))
			eval_add(e, ENCODED, "what leaves looks encoded");
	}
}

static void evaluate_hosts(const struct evaluation *e)
{
	const struct score_hit *hit;
	size_t at = 0;

	while ((hit = eval_next(e, BLOCKED_HOSTS, &at))) {
		const struct score_section *section = eval_section(e, hit);

		if (section && (section->kind == SECTION_HOST || section->kind == SECTION_NAME))
			eval_add(e, BLOCKED, "a blocked host");
	}
}

static void evaluate(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;
	int unknown = eval_number(e, UNKNOWN);

	evaluate_socket(e);
	evaluate_sections(e);
	evaluate_hosts(e);
	/* The static score has the points of an unknown destination, unless a rule settled it. */
	if (eval_is_net(e) && o->trusted)
		score_add(e->score, e->filter,
			  eval_number(e, TRUSTED) - (o->static_score >= unknown ? unknown : 0),
			  "a trusted destination");
}

FILTER(egress_policy, NUMBERS, LISTS, .evaluate = evaluate, .on_records = true);
