/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Any text as a policy: it is refused with at least one complaint, or compiles and its image agrees
 * with the evaluator about a few objects, among them each glob taken as a path, or ends at a limit.
 */
#include <assert.h>
#include <string.h>

#include "lib/policy/policy.h"

#define GLOBS 20 /* of a policy are tried as paths */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare_path(const struct policy *policy, const struct policy_image *image,
			 const char *path)
{
	static const enum grith_op_class classes[] = { GRITH_OP_CLASS_READ, GRITH_OP_CLASS_EXEC,
						       GRITH_OP_CLASS_CONNECT };

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		struct grith_outcome a, b;

		a = policy_eval_path(policy, classes[i], path, strlen(path));
		b = policy_image_path(image, classes[i], path, strlen(path));
		assert(memcmp(&a, &b, sizeof(a)) == 0);
	}
}

static void compare_net(const struct policy *policy, const struct policy_image *image,
			const uint8_t address[16], uint16_t port)
{
	for (unsigned int op = 0; op < GRITH_NET_OPS; op++) {
		struct grith_outcome a = policy_eval_net(policy, op, address, port, NULL);
		struct grith_outcome b = policy_image_net(image, op, address, port);

		assert(memcmp(&a, &b, sizeof(a)) == 0);
	}
}

static void compare(const struct policy *policy, const struct policy_image *image)
{
	static const char *const paths[] = { "/", "/a/b", "/home/u/p/x.c", "pipefs:", "@x", "" };
	size_t globs = 0;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		compare_path(policy, image, paths[i]);
	for (size_t i = 0; i < policy->n_rules; i++) {
		const struct policy_rule *rule = &policy->rules[i];

		for (size_t k = 0; k < rule->n_globs && globs < GLOBS; k++, globs++)
			compare_path(policy, image, rule->globs[k]);
		for (size_t k = 0; k < rule->n_prefixes && k < GLOBS; k++)
			compare_net(policy, image, rule->prefixes[k].address,
				    rule->n_ports ? rule->ports[0].high : 80);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct policy_context context = {
		.project = "/home/u/p", .home = "/home/u", .user = "u", .uid = 1000
	};
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *errors = NULL;
	int r;

	r = policy_read_text("fuzz", (const char *)data, size, &context, &diag, &policy);
	assert((r == 0 && policy) || (r == -EINVAL && !policy && diag.count));
	if (r == 0) {
		r = policy_compile(policy, NULL, 0, &diag, &image);
		assert((r == 0 && image) || (r == -E2BIG && !image && diag.count));
	}
	errors = diag_text(&diag);
	assert(errors);
	if (image)
		compare(policy, image);
	return 0;
}
