/* SPDX-License-Identifier: MPL-2.0 */
/* For people on stderr, a line for each thing; for programs as one JSON object on stdout. */
#include "grithd/review/review.h"
#include "check.h"

static int check_policy(const char *directory, const char *file, struct diag *diag)
{
	/* Placeholders stand for something that no rule can be about. */
	const struct policy_context context = {
		.project = "/nonexistent/project",
		.home = "/nonexistent/home",
		.user = "nobody",
		.uid = 65534,
		.directory = directory,
		.trusted = true,
	};
	CLEANUP(policy_freep) struct policy *policy = NULL;
	OWNED_MEM char *path = text_format("%s/%s", directory, file);

	return path ? policy_read_file(path, &context, diag, &policy) : -ENOMEM;
}

int check_policies(const char *directory, struct diag *diag, size_t *ret_count)
{
	OWNED_DIR DIR *dir = opendir(directory);
	size_t count = 0;
	int result = 0;

	if (!dir) {
		int r = -errno;

		diag_add(diag, directory, 0, 0, "cannot read the policy directory: %s",
			 strerror(-r));
		return r;
	}
	for (struct dirent *entry; (entry = readdir(dir));) {
		OWNED_DIAG struct diag found = { 0 };
		const char *dot = strrchr(entry->d_name, '.');

		if (entry->d_name[0] == '.' || !dot || strcmp(dot, ".yaml") ||
		    !strcmp(entry->d_name, POLICY_WEIGHTS_FILE)) /* part of every policy */
			continue;
		count++;
		if (check_policy(directory, entry->d_name, &found) < 0)
			result = -EINVAL;
		/* An error in a policy that others extend is found with each of them. */
		diag_join(diag, &found);
	}
	if (!count) {
		diag_add(diag, directory, 0, 0, "there is no policy (NAME.yaml) in it");
		result = -EINVAL;
	}
	*ret_count = count;
	return result;
}

/* What the filters of grithd read of the weights, beyond what is part of every policy. */
static int check_weights(const char *directory, struct diag *diag)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = NULL;
	OWNED_DIAG struct diag found = { 0 };
	int r = weights_load(directory, &found, &weights);

	diag_join(diag, &found);
	return r == -ENOENT ? 0 : r;
}

static void print_json(const char *attach, const struct diag *kernel, const struct diag *policies)
{
	json_t *report = json_pack("{s:b, s:s*, s:o, s:o}", "ok", !kernel->count, "attach", attach,
				   "problems", json_of_diag(kernel), "policy_problems",
				   json_of_diag(policies));
	OWNED_MEM char *text = report ? json_dumps(report, JSON_COMPACT) : NULL;

	json_decref(report);
	puts(text ? text : "{\"ok\":false}");
}

int check_run(const struct options *options)
{
	OWNED_DIAG struct diag kernel = { 0 }, policies = { 0 };
	const char *directory = options->value[SETTING_POLICY_DIR];
	enum kernel_attach attach = KERNEL_ATTACH_AUTO;
	bool enforces = kernel_probe(options->attach, &kernel, &attach) == 0;
	size_t count = 0;
	bool good = check_policies(directory, &policies, &count) == 0;

	good &= check_weights(directory, &policies) == 0;

	if (options->json) {
		print_json(enforces ? attach_name(attach) : NULL, &kernel, &policies);
	} else {
		log_diag(LOG_ERR, &kernel);
		log_diag(LOG_ERR, &policies);
		if (enforces)
			printf("this machine can enforce: attachment %s\n", attach_name(attach));
		if (good)
			printf("%zu policies in %s are right\n", count, directory);
	}
	if (!enforces)
		return EXIT_CANNOT_ENFORCE;
	return good ? 0 : 1;
}
