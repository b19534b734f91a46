/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "egress-policy", as far as it is not in the compiled policy: raw sockets, schemes and
 * hosts, trusted destinations, and what was encoded before it leaves.
 */
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "egress.h"
#include "internal.h"

static const char *const numbers[] = {
	[EGRESS_TRUSTED] = "trusted",		[EGRESS_UNKNOWN] = "unknown",
	[EGRESS_BLOCKED] = "blocked",		[EGRESS_RAW_SOCKET] = "raw-socket",
	[EGRESS_ENCODED] = "encoded",		[EGRESS_BASE64_CHARACTERS] = "base64-characters",
	[EGRESS_ENTROPY_BITS] = "entropy-bits", [EGRESS_ENTROPY_CHARACTERS] = "entropy-characters",
};
static const struct score_list_kind lists[] = {
	[EGRESS_BLOCKED_SCHEMES] = { "blocked-schemes", SCORE_WORDS },
	[EGRESS_BLOCKED_HOSTS] = { "blocked-hosts", SCORE_HOSTS },
};

static int points(const struct judged *judged, size_t number)
{
	return score_number(judged->weights, FILTER_EGRESS_POLICY, number);
}

static void judge_socket(const struct judged *judged, struct score *score)
{
	const struct score_operation *o = judged->operation;
	bool raw = o->type == SOCK_RAW && (o->family == AF_INET || o->family == AF_INET6);

	/* Netlink's sockets are of this type by convention only. */
	if (o->op == GRITH_OP_SOCKET && (raw || o->family == AF_PACKET))
		score_add(score, FILTER_EGRESS_POLICY, points(judged, EGRESS_RAW_SOCKET),
			  "a socket for raw packets");
}

/* Whether a number among the words is the same scheme. */
static bool is_blocked_scheme(const struct judged *judged, const char *scheme, size_t length)
{
	const struct score_list *list =
		score_list(judged->weights, FILTER_EGRESS_POLICY, EGRESS_BLOCKED_SCHEMES);

	for (size_t i = 0; i < list->count; i++)
		if (strlen(list->items[i].text) == length &&
		    !strncasecmp(list->items[i].text, scheme, length))
			return true;
	return false;
}

static void judge_words(const struct judged *judged, const struct action *action,
			struct score *score)
{
	for (size_t i = 1; i < action->n_words; i++) {
		const struct shell_word *word = &action->words[i];
		size_t length = 0;
		const char *scheme = egress_scheme(word->text, &length);

		if (scheme && is_blocked_scheme(judged, scheme, length))
			score_add(score, FILTER_EGRESS_POLICY, points(judged, EGRESS_BLOCKED),
				  "%.*s is blocked", (int)length, scheme);
	}
}

/* What leaves, by the sections that the preparation found to. */
static void judge_sections(const struct judged *judged, struct score *score)
{
	for (size_t i = 0; i < judged->n_sections; i++) {
		const struct score_section *section = &judged->sections[i];
		const char *text = judged->text + section->from;

		if (!section->leaves)
			continue;
		/* Only one that sends has URLs; what is piped to it has data. */
		if (section->kind == SECTION_ACTION)
			judge_words(judged, section->action, score);
		if (score_is_encoded(judged->weights, text, section->to - section->from))
			score_add(score, FILTER_EGRESS_POLICY, points(judged, EGRESS_ENCODED),
				  "what leaves looks encoded");
	}
}

static void judge_hosts(const struct judged *judged, struct score *score)
{
	const struct score_hit *hit;
	size_t at = 0;

	while ((hit = judged_next(judged, FILTER_EGRESS_POLICY, EGRESS_BLOCKED_HOSTS, &at))) {
		const struct score_section *section = judged_section(judged, hit->to - 1);

		if (section && (section->kind == SECTION_HOST || section->kind == SECTION_NAME))
			score_add(score, FILTER_EGRESS_POLICY, points(judged, EGRESS_BLOCKED),
				  "a blocked host");
	}
}

static void judge(const struct judged *judged, struct score *score)
{
	const struct score_operation *o = judged->operation;

	judge_socket(judged, score);
	judge_sections(judged, score);
	judge_hosts(judged, score);
	/* The static score has the points of an unknown destination, unless a rule settled it. */
	if (judged_is_net(judged) && o->trusted)
		score_add(score, FILTER_EGRESS_POLICY,
			  points(judged, EGRESS_TRUSTED) -
				  (o->static_score >= points(judged, EGRESS_UNKNOWN)
					   ? points(judged, EGRESS_UNKNOWN)
					   : 0),
			  "a trusted destination");
}

const struct filter filter_egress_policy = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
