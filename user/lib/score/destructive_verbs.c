/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Destruction of what runs or is stored elsewhere, by the subcommands of the clients: object
 * stores, groups of resources, infrastructure described as code, releases, namespaces.
 */
#include "destructive.h"

/* A dry run of the command changes nothing. */
#define DRY true

static const struct verb {
	const char *programs, *words; /* operands that it begins with */
	enum destructive_number number;
	bool dry;
} verbs[] = {
	{ "aws", "s3 rm", DESTROY_STORE, DRY },
	{ "aws", "s3 rb", DESTROY_STORE_ALL, DRY },
	{ "aws", "s3api delete-object", DESTROY_STORE, DRY },
	{ "aws", "s3api delete-objects", DESTROY_STORE_ALL, DRY },
	{ "aws", "s3api delete-bucket", DESTROY_STORE_ALL, DRY },
	{ "gsutil", "rm", DESTROY_STORE, DRY },
	{ "gsutil", "rb", DESTROY_STORE_ALL, DRY },
	{ "gcloud", "storage rm", DESTROY_STORE, DRY },
	{ "gcloud", "storage buckets delete", DESTROY_STORE_ALL, DRY },
	{ "az", "storage blob delete", DESTROY_STORE, DRY },
	{ "az", "storage blob delete-batch", DESTROY_STORE_ALL, DRY },
	{ "az", "storage container delete", DESTROY_STORE_ALL, DRY },
	{ "s3cmd", "del", DESTROY_STORE, DRY },
	{ "s3cmd mc", "rm", DESTROY_STORE, DRY },
	{ "s3cmd mc", "rb", DESTROY_STORE_ALL, DRY },
	{ "rclone", "deletefile", DESTROY_STORE, DRY },
	{ "rclone", "delete", DESTROY_STORE_ALL, DRY },
	{ "rclone", "purge", DESTROY_STORE_ALL, DRY },
	{ "az", "group delete", DESTROY_GROUP, false },
	{ "gcloud doctl", "projects delete", DESTROY_GROUP, false },
	{ "aws", "cloudformation delete-stack", DESTROY_GROUP, false },
	{ "aws", "resource-groups delete-group", DESTROY_GROUP, false },
	{ "terraform tofu terragrunt", "destroy", DESTROY_TERRAFORM, false },
	{ "terraform tofu terragrunt", "run-all destroy", DESTROY_TERRAFORM, false },
	{ "helm", "uninstall", DESTROY_HELM, DRY },
	{ "helm", "delete", DESTROY_HELM, DRY },
	{ "helm", "del", DESTROY_HELM, DRY },
	{ "helm", "un", DESTROY_HELM, DRY },
};

static bool is_recursive(const struct action *a)
{
	/* gsutil and s3cmd have the letter; others have long options with one '-', as in -rf. */
	return action_has(a, '\0', "--recursive") || action_has(a, '\0', "-r") ||
	       action_has(a, '\0', "-R");
}

static bool is_dry(const struct action *a)
{
	return action_has(a, '\0', "--dry-run") || action_has(a, '\0', "--dryrun");
}

static void harm_kubectl(struct harm *harm, const struct action *a)
{
	static const char *const kinds[] = { "namespace", "namespaces", "ns" };
	const struct shell_word *kind = action_operand(a, 1);

	if (!action_operands_are(a, "delete") || action_has(a, '\0', "--dry-run"))
		return;
	if (action_has(a, '\0', "--all"))
		harm_raise(harm, DESTROY_KUBECTL, "deletes all objects of a kind");
	for (size_t i = 0; kind && i < ARRAY_SIZE(kinds); i++) {
		size_t n = strlen(kinds[i]);

		if (!strncmp(kind->text, kinds[i], n) && (!kind->text[n] || kind->text[n] == '/'))
			harm_raise(harm, DESTROY_KUBECTL, "deletes a namespace");
	}
}

void harm_verbs(struct harm *harm, const struct action *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		const struct verb *verb = &verbs[i];

		if (!words_have(verb->programs, a->program) ||
		    !action_operands_are(a, verb->words) || (verb->dry && is_dry(a)))
			continue;
		harm_raise(harm,
			   verb->number == DESTROY_STORE && is_recursive(a) ? DESTROY_STORE_ALL
									    : verb->number,
			   NULL);
	}
	if (words_have("kubectl oc k3s", a->program))
		harm_kubectl(harm, a);
	if (words_have("terraform tofu terragrunt", a->program) &&
	    action_operands_are(a, "apply") &&
	    (action_has(a, '\0', "-destroy") || action_has(a, '\0', "--destroy")))
		harm_raise(harm, DESTROY_TERRAFORM, NULL);
}
