/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What lies below two names of a directory: the kernel's walk over pairs of states against a search
 * over texts, each of which the evaluator decides, for random policies. Both must find a difference
 * or none. The seeds are fixed; GRITH_SEED adds one.
 */
#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "lib/policy/policy.h"
#include "grith_move.h"

#define POLICIES 150
#define PAIRS_MAX 3000
#define TEXT_MAX 64
#define HOLD 300
#define DENY 800

struct node {
	uint32_t from, to;
	bool slash;
	char text[TEXT_MAX];
};

struct search {
	const struct policy *policy;
	const struct policy_image *image;
	const char *from, *to;
	struct node nodes[PAIRS_MAX];
	size_t n_nodes;
};

static uint64_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

#define PICK(words) ((words)[below(ARRAY_SIZE(words))])

static void add_glob(struct text *out)
{
	static const char *const parts[] = { "a", "b", "ab", "*", "*.c", "[!a]", "a*", "?b" };
	static const char *const starts[] = { "/a", "/b", "**", "/a/b", "/*" };

	text_addf(out, "\"%s", PICK(starts));
	for (unsigned int i = 0, n = 1 + below(3); i < n; i++)
		text_addf(out, "/%s", PICK(parts));
	text_addf(out, "%s\"", below(2) ? "/**" : "");
}

static struct policy *random_policy(void)
{
	static const char *const actions[] = { "deny: [read, create]",
					       "hide: all",
					       "allow: [read, write]",
					       "hold: write",
					       "deny: [create, write]",
					       "deny: [delete, list]",
					       "score: 5.0, on: [read]",
					       "score: 9, on: write",
					       "allow: all",
					       "score: 1, class: x, on: read" };
	static const char *const defaults[] = { "allow", "deny", "hold" };
	OWNED_TEXT struct text text = { 0 };
	OWNED_DIAG struct diag diag = { 0 };
	struct policy *policy = NULL;
	const char *otherwise = PICK(defaults);

	text_addf(&text,
		  "grith: 1\nname: p\nthresholds: {hold: 3.0, deny: 8.0}\n"
		  "defaults: {read: %s, write: %s, create: %s}\nfiles:\n",
		  otherwise, otherwise, otherwise);
	for (unsigned int i = 0, n = 1 + below(5); i < n; i++) {
		text_addf(&text, "  - {%s, path: ", PICK(actions));
		add_glob(&text);
		text_addf(&text, "}\n");
	}
	policy_read_text("p", text.data, text.length,
			 &(struct policy_context) { .project = "/p", .home = "/h", .user = "u" },
			 &diag, &policy);
	cr_assert(policy, "%s", text.data);
	return policy;
}

static uint32_t state_after(const struct policy_image *image, uint32_t state, const char *text)
{
	const struct grith_image_header *header = policy_image_header(image);

	for (; *text; text++)
		state = grith_state_next(image->words, state,
					 header->byte_class[(unsigned char)*text]);
	return state;
}

static uint32_t state_of(const struct policy_image *image, const char *path)
{
	return state_after(image, policy_image_header(image)->start, path);
}

static struct grith_outcome outcome_of(const struct search *s, unsigned int class,
				       const char *directory, const char *rest)
{
	char path[2 * TEXT_MAX];
	int length = snprintf(path, sizeof(path), "%s%s", directory, rest);

	return policy_eval_path(s->policy, class, path, (size_t)length);
}

/* Said once more, in other words than in grith_move.h. */
static bool differs(const struct search *s, const char *rest)
{
	for (unsigned int class = 0; class < GRITH_OP_CLASSES; class ++) {
		struct grith_outcome from = outcome_of(s, class, s->from, rest);
		struct grith_outcome to = outcome_of(s, class, s->to, rest);
		enum grith_verdict before = policy_verdict(s->policy, &from);
		enum grith_verdict after = policy_verdict(s->policy, &to);
		bool refuses = after == GRITH_DENY || after == GRITH_HIDE;
		bool content = class == GRITH_OP_CLASS_CREATE || class == GRITH_OP_CLASS_WRITE;

		if (class == GRITH_OP_CLASS_RENAME || class == GRITH_OP_CLASS_LINK ||
		    class == GRITH_OP_CLASS_SPARE)
			continue;
		if (class != GRITH_OP_CLASS_BIND && !refuses &&
		    (before > after || (from.labels & ~to.labels)))
			return true;
		if ((content || class == GRITH_OP_CLASS_BIND) && before < GRITH_DENY &&
		    after > before)
			return true;
	}
	return false;
}

/* A new pair of states, reached by one byte more. */
static void meet(struct search *s, const struct node *node, char byte)
{
	const char text[] = { byte, '\0' };
	struct node *next = &s->nodes[s->n_nodes];

	if (node->slash && byte == '/')
		return;
	cr_assert_lt(s->n_nodes, PAIRS_MAX);
	next->from = state_after(s->image, node->from, text);
	next->to = state_after(s->image, node->to, text);
	next->slash = byte == '/';
	for (size_t i = 0; i < s->n_nodes; i++)
		if (s->nodes[i].from == next->from && s->nodes[i].to == next->to &&
		    s->nodes[i].slash == next->slash)
			return;
	cr_assert_lt(strlen(node->text), TEXT_MAX - 1);
	snprintf(next->text, TEXT_MAX, "%.*s%c", TEXT_MAX - 2, node->text, byte);
	s->n_nodes++;
}

/* A shortest text behind the two names that makes a difference; NULL: there is none. */
static const char *search(struct search *s)
{
	const struct node start = { .from = state_of(s->image, s->from),
				    .to = state_of(s->image, s->to) };

	s->n_nodes = 0;
	meet(s, &start, '/');
	for (size_t i = 0; i < s->n_nodes; i++) {
		if (!s->nodes[i].slash && differs(s, s->nodes[i].text))
			return s->nodes[i].text;
		for (const char *byte = "abc.z/"; *byte; byte++)
			meet(s, &s->nodes[i], *byte);
	}
	return NULL;
}

static struct grith_move walk(const struct policy_image *image, const char *from, const char *to)
{
	static struct grith_walk w; /* what earlier walks left must not matter */
	uint32_t i = 0;

	w.hold = HOLD;
	w.deny = DENY;
	grith_walk_begin(image->words, &w, state_of(image, from), state_of(image, to));
	while (i < GRITH_WALK_STEPS && !grith_walk_step(image->words, &w))
		i++;
	cr_assert_lt(i, GRITH_WALK_STEPS);
	return w.result;
}

static void compare(struct search *s, unsigned int *differences)
{
	static const char *const names[] = { "/a", "/b", "/a/b", "/a/c", "/c", "/c/b/a" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		for (size_t j = 0; j < ARRAY_SIZE(names); j++) {
			const char *found;
			struct grith_move move;

			s->from = names[i];
			s->to = names[j];
			found = search(s);
			move = walk(s->image, s->from, s->to);
			*differences += found != NULL;
			cr_expect_eq(move.why != GRITH_MOVE_FREE, found != NULL,
				     "%s to %s: walk %u, class %u; search: %s", s->from, s->to,
				     move.why, move.op_class, found ? found : "nothing");
			cr_expect_neq(move.why, GRITH_MOVE_FAR);
		}
}

static void run(uint64_t start, unsigned int *differences)
{
	static struct search s;

	seed = start;
	for (int i = 0; i < POLICIES; i++) {
		CLEANUP(policy_freep) struct policy *policy = random_policy();
		CLEANUP(policy_image_freep) struct policy_image *image = NULL;
		OWNED_DIAG struct diag diag = { 0 };

		cr_assert_eq(policy_compile(policy, NULL, 0, &diag, &image), 0);
		s.policy = policy;
		s.image = image;
		compare(&s, differences);
	}
}

Test(policy_move, a_walk_finds_what_a_search_finds)
{
	const char *more = getenv("GRITH_SEED");
	unsigned int differences = 0;

	run(1, &differences);
	if (more)
		run(strtoull(more, NULL, 0), &differences);
	cr_expect_gt(differences, POLICIES);
	cr_expect_lt(differences, POLICIES * 35);
}

/* Beyond its limits a walk ends, and refuses. */
Test(policy_move, no_room_is_a_difference)
{
	static struct grith_walk w;
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };

	seed = 7;
	policy = random_policy();
	cr_assert_eq(policy_compile(policy, NULL, 0, &diag, &image), 0);
	grith_walk_begin(image->words, &w, state_of(image, "/a"), state_of(image, "/c"));
	w.tail = GRITH_WALK_PAIRS;
	cr_expect_eq(grith_walk_meet(&w, 1, 2, 0), 0, "a full queue");
	w.tail = 0;
	for (uint32_t i = 0; i < GRITH_WALK_SLOTS; i++) {
		w.met[i].pair = UINT64_MAX;
		w.met[i].turn = w.turn;
	}
	cr_expect_eq(grith_walk_meet(&w, 1, 2, 0), 0, "no slot left");
	cr_expect_eq(grith_walk_meet(&w, 2, 2, 0), 1, "equal states need none");
}
