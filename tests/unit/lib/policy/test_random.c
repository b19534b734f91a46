/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Random policies and random objects: the evaluator and the compiled image must agree on every
 * outcome, whatever the rules. The alphabet is small, so that globs and objects meet often. The
 * seeds are fixed; GRITH_SEED adds one.
 */
#include <criterion/criterion.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "lib/policy/policy.h"

#define POLICIES 200
#define OBJECTS 60

struct random {
	uint64_t state;
};

/* xorshift64* */
static uint32_t below(struct random *random, uint32_t n)
{
	random->state ^= random->state >> 12;
	random->state ^= random->state << 25;
	random->state ^= random->state >> 27;
	return (random->state * 0x2545f4914f6cdd1d >> 33) % n;
}

static const char *pick(struct random *random, const char *const *words, size_t n)
{
	return words[below(random, n)];
}

#define PICK(random, words) pick(random, words, ARRAY_SIZE(words))

static void add_component(struct random *random, struct text *out)
{
	static const char *const pieces[] = { "a",    "b", "c",	 "ab", "*",	"?",  "[ab]",
					      "[!a]", ".", "a*", "*b", "{a,b}", "bc", "*.c" };
	unsigned int n = 1 + below(random, 3);

	/* Two stars side by side would be another thing. */
	for (unsigned int i = 0; i < n; i++) {
		const char *piece = PICK(random, pieces);

		if (i && *piece == '*' && out->data[out->length - 1] == '*')
			piece = "c";
		if (i == 0 && strcmp(piece, ".") == 0)
			piece = "c.";
		text_addf(out, "%s", piece);
	}
}

static void add_glob(struct random *random, struct text *out)
{
	unsigned int n = 1 + below(random, 4);
	bool floating = !below(random, 4);

	text_addf(out, "\"%s", floating ? "**" : "");
	for (unsigned int i = 0; i < n; i++) {
		text_addf(out, "/");
		if (below(random, 5) == 0)
			text_addf(out, "**");
		else
			add_component(random, out);
	}
	text_addf(out, "%s\"", below(random, 3) ? "" : "/**");
}

static void add_action(struct random *random, struct text *out, bool *ret_allow)
{
	static const char *const verdicts[] = { "allow", "allow", "deny", "hide", "hold" };
	static const char *const operations[] = { "read", "[read, write]", "all", "write",
						  "[delete, list]" };
	const char *verdict = PICK(random, verdicts);

	*ret_allow = false;
	if (!below(random, 6)) {
		text_addf(out, "score: %u, on: %s", below(random, 90), PICK(random, operations));
		return;
	}
	*ret_allow = strcmp(verdict, "allow") == 0;
	text_addf(out, "%s: %s", verdict, PICK(random, operations));
}

static void add_path_rule(struct random *random, struct text *out)
{
	static const char *const classes[] = { "x", "y", "[x, z]" };
	bool allow;

	text_addf(out, "  - {");
	add_action(random, out, &allow);
	text_addf(out, ", path: [");
	for (unsigned int i = 0, n = 1 + below(random, 2); i < n; i++) {
		text_addf(out, "%s", i ? ", " : "");
		add_glob(random, out);
	}
	text_addf(out, "]");
	if (!below(random, 4)) {
		text_addf(out, ", except: ");
		add_glob(random, out);
	}
	if (!allow && !below(random, 4))
		text_addf(out, ", final: true");
	if (!below(random, 6))
		text_addf(out, ", class: %s", PICK(random, classes));
	if (!below(random, 8))
		text_addf(out, ", always: true");
	text_addf(out, "}\n");
}

static void add_net_rule(struct random *random, struct text *out)
{
	static const char *const actions[] = {
		"allow: connect",	 "deny: connect",	  "hold: all",
		"hide: [connect, bind]", "allow: [bind, listen]", "score: 2, on: connect"
	};
	const char *action = PICK(random, actions);
	unsigned int bits = 24 + below(random, 9);

	text_addf(out, "  - {%s", action);
	if (below(random, 5))
		text_addf(out, ", cidr: 10.0.0.%u/%u", below(random, 64) << 2 & 0xff << (32 - bits),
			  bits);
	else if (below(random, 2))
		text_addf(out, ", cidr: \"::/0\"");
	if (below(random, 2))
		text_addf(out, ", port: [%u, %u-%u]", below(random, 20), below(random, 10),
			  10 + below(random, 10));
	if (strncmp(action, "allow", 5) != 0 && !below(random, 4))
		text_addf(out, ", final: true");
	text_addf(out, "}\n");
}

/* A filter's rules, for paths and for addresses. */
static void add_filter(struct random *random, struct text *out, const char *name)
{
	static const char *const operations[] = { "read", "[read, write]", "write",
						  "[delete, list, unix-connect]" };

	text_addf(out, "  %s:\n    enabled: %s\n    rules:\n", name,
		  below(random, 8) ? "true" : "false");
	for (unsigned int i = 0, n = 1 + below(random, 2); i < n; i++) {
		text_addf(out, "      - {score: %d", (int)below(random, 12) - 3);
		if (below(random, 4)) {
			text_addf(out, ", on: %s, path: ", PICK(random, operations));
			add_glob(random, out);
			if (!below(random, 3)) {
				text_addf(out, ", except: ");
				add_glob(random, out);
			}
		} else {
			text_addf(out, ", on: connect, port: [%u]", below(random, 20));
		}
		text_addf(out, "%s%s%s}\n", below(random, 3) ? "" : ", otherwise: true",
			  below(random, 3) ? "" : ", final: true",
			  below(random, 4) ? "" : ", class: w");
	}
}

static void add_weights(struct random *random, struct text *out)
{
	text_addf(out, "grith-weights: 1\nfilters:\n"
		       "  operation-risk:\n    enabled: true\n"
		       "    operations: {read: 0.5, write: 1, connect: 2, unix-connect: 4}\n");
	add_filter(random, out, "path-match");
	add_filter(random, out, "sensitive-path");
	add_filter(random, out, "egress-policy");
}

static void add_policy(struct random *random, struct text *out)
{
	static const char *const words[] = { "allow", "deny", "hide", "hold", "score", "score" };

	text_addf(out, "grith: 1\ndefaults: {read: %s, write: %s, connect: %s}\nfiles:\n",
		  PICK(random, words), PICK(random, words), PICK(random, words));
	for (unsigned int i = 0, n = 1 + below(random, 7); i < n; i++)
		add_path_rule(random, out);
	text_addf(out, "network:\n");
	for (unsigned int i = 0, n = 1 + below(random, 8); i < n; i++)
		add_net_rule(random, out);
}

static void add_path(struct random *random, struct text *out)
{
	static const char *const names[] = { "a", "b", "c", "ab", "bc", "a.c", "ba", "c.c", "x" };

	for (unsigned int i = 0, n = 1 + below(random, 5); i < n; i++)
		text_addf(out, "/%s", PICK(random, names));
	/* What the kernel never asks must not make a difference either. */
	if (!below(random, 20))
		text_addf(out, "%s", below(random, 2) ? "/" : "//a");
}

static void compare_paths(struct random *random, const struct policy *policy,
			  const struct policy_image *image, const char *text)
{
	for (unsigned int i = 0; i < OBJECTS; i++) {
		OWNED_TEXT struct text path = { 0 };

		add_path(random, &path);
		for (unsigned int class = 0; class < GRITH_OP_CLASSES; class ++) {
			struct grith_outcome a, b;

			a = policy_eval_path(policy, class, path.data, path.length);
			b = policy_image_path(image, class, path.data, path.length);
			cr_assert_arr_eq(&a, &b, sizeof(a),
					 "%s, class %u: %u by %u and %u by %u in\n%s", path.data,
					 class, a.verdict, a.rule, b.verdict, b.rule, text);
		}
	}
}

static void compare_nets(struct random *random, const struct policy *policy,
			 const struct policy_image *image, const char *text)
{
	for (unsigned int i = 0; i < OBJECTS; i++) {
		uint8_t address[16] = { [10] = 0xff, [11] = 0xff, [12] = 10 };
		unsigned int op = below(random, GRITH_NET_OPS), port = below(random, 22);
		struct grith_outcome a, b;

		address[15] = below(random, 256);
		address[0] = below(random, 10) == 0;
		a = policy_eval_net(policy, op, address, port, NULL);
		b = policy_image_net(image, op, address, port);
		cr_assert_arr_eq(&a, &b, sizeof(a),
				 "10.0.0.%u:%u, %u: %u by %u and %u by %u in\n%s", address[15],
				 port, op, a.verdict, a.rule, b.verdict, b.rule, text);
	}
}

static void write_weights(char *file, const struct text *weights)
{
	int fd = mkstemp(file);

	cr_assert(fd >= 0);
	cr_assert_eq(write(fd, weights->data, weights->length), (ssize_t)weights->length);
	close(fd);
}

/* False where a policy goes beyond a limit: many globs that begin with two stars do. */
static bool try_policy(uint64_t seed)
{
	struct random random = { seed * 0x9e3779b97f4a7c15 | 1 };
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_TEXT struct text text = { 0 };
	OWNED_TEXT struct text weights = { 0 };
	char file[] = "/tmp/grith-weights-XXXXXX";
	const struct policy_context context = { .weights = file };
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *errors = NULL;
	int r;

	add_weights(&random, &weights);
	write_weights(file, &weights);
	add_policy(&random, &text);
	r = policy_read_text("random", text.data, text.length, &context, &diag, &policy);
	unlink(file);
	errors = diag_text(&diag);
	cr_assert_eq(r, 0, "seed %llu: %s in\n%s", (unsigned long long)seed, errors, text.data);
	r = policy_compile(policy, NULL, 0, &diag, &image);
	if (r == -E2BIG)
		return false;
	cr_assert_eq(r, 0, "seed %llu does not compile:\n%s", (unsigned long long)seed, text.data);
	text_addf(&text, "%s", weights.data);
	compare_paths(&random, policy, image, text.data);
	compare_nets(&random, policy, image, text.data);
	return true;
}

Test(policy_random, image_agrees_with_evaluator)
{
	const char *seed = getenv("GRITH_SEED");

	unsigned int tried = 0;

	for (uint64_t i = 1; i <= POLICIES; i++)
		tried += try_policy(i);
	cr_expect_geq(tried, POLICIES * 9 / 10u);
	if (seed)
		for (uint64_t i = 0; i < POLICIES; i++)
			try_policy(strtoull(seed, NULL, 10) * POLICIES + i);
}
