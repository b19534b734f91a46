/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Any text as a file of weights: it is refused with at least one complaint, or a policy that scores
 * everything reads it too, compiles and agrees with its image about a few objects, or ends at a
 * limit. What is taken apart adds up to the whole.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/policy/policy.h"

#define GLOBS 20 /* of the rules are tried as paths */

static const char scoring[] =
	"grith: 1\n"
	"defaults: {read: score, write: score, exec: score, unix: score, connect: score}\n"
	"files: [{allow: read, path: \"/a/**\"}, {hold: read, path: \"/a/b/**\"}]\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare_path(const struct policy *policy, const struct policy_image *image,
			 const char *path)
{
	static const enum grith_op_class classes[] = { GRITH_OP_CLASS_READ, GRITH_OP_CLASS_EXEC,
						       GRITH_OP_CLASS_CONNECT };

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		CLEANUP(policy_parts_clear) struct policy_parts parts = { 0 };
		struct grith_outcome a, b;
		int sum = 0;

		a = policy_eval_path(policy, classes[i], path, strlen(path));
		b = policy_image_path(image, classes[i], path, strlen(path));
		assert(memcmp(&a, &b, sizeof(a)) == 0);
		assert(policy_eval_parts(policy, classes[i], path, strlen(path), &parts) == 0);
		for (size_t k = 0; k < parts.count; k++)
			sum += parts.all[k].score;
		assert(sum == a.score);
	}
}

static void compare(const struct policy *policy, const struct policy_image *image)
{
	static const char *const paths[] = { "/", "/a/b", "/a/b/c.key", "pipefs:", "@x", "" };
	size_t globs = 0;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		compare_path(policy, image, paths[i]);
	for (size_t i = 0; i < policy->n_rules; i++)
		for (size_t k = 0; k < policy->rules[i].n_globs && globs < GLOBS; k++, globs++)
			compare_path(policy, image, policy->rules[i].globs[k]);
}

/* The text under a name that can be opened. */
static int put(const uint8_t *data, size_t size, char *path, size_t path_size)
{
	FILE *file = tmpfile();
	int fd;

	assert(file);
	assert(fwrite(data, 1, size, file) == size && fflush(file) == 0);
	fd = dup(fileno(file));
	assert(fd >= 0);
	snprintf(path, path_size, "/proc/self/fd/%d", fd);
	fclose(file);
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct policy_context context = { .project = "/home/u/p", .home = "/home/u", .user = "u" };
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_DIAG struct diag again = { 0 };
	OWNED_FD int fd = -1;
	char path[64];
	int r, by_policy;

	r = policy_weights_check("fuzz", (const char *)data, size, &context, &diag);
	assert(r == 0 || (r == -EINVAL && diag.count));
	fd = put(data, size, path, sizeof(path));
	context.weights = path;
	by_policy = policy_read_text("p", scoring, strlen(scoring), &context, &again, &policy);
	assert(by_policy == r);
	if (r == 0)
		r = policy_compile(policy, NULL, 0, &again, &image);
	assert(r == 0 || again.count);
	if (image)
		compare(policy, image);
	return 0;
}
