/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Destruction of what runs elsewhere: namespaces, releases, described infrastructure, groups of
 * resources.
 */
#include <string.h>

#include "destructive.h"

#define KUBECTL "-n --namespace --context --cluster --user --kubeconfig -s --server --as -l -o -f"
#define HELM "-n --namespace --kube-context --kubeconfig"

static bool is_program(const struct action *a, const char *names)
{
	return words_have(names, a->program);
}

static void harm_kubectl(struct harm *harm, const struct action *a)
{
	static const char *const kinds[] = { "namespace", "namespaces", "ns" };
	const struct shell_word *kind = action_operand(a, 1, KUBECTL);

	if (!is_program(a, "kubectl oc k3s") || !action_operands_are(a, "delete", KUBECTL))
		return;
	if (action_has(a, '\0', "--dry-run"))
		return;
	if (action_has(a, '\0', "--all"))
		harm_raise(harm, DESTROY_KUBECTL, "deletes all objects of a kind");
	for (size_t i = 0; kind && i < ARRAY_SIZE(kinds); i++) {
		size_t n = strlen(kinds[i]);

		if (!strncmp(kind->text, kinds[i], n) && (!kind->text[n] || kind->text[n] == '/'))
			harm_raise(harm, DESTROY_KUBECTL, "deletes a namespace");
	}
}

static void harm_terraform(struct harm *harm, const struct action *a)
{
	if (!is_program(a, "terraform tofu terragrunt"))
		return;
	if (action_operands_are(a, "destroy", NULL) ||
	    action_operands_are(a, "run-all destroy", NULL) ||
	    (action_operands_are(a, "apply", NULL) &&
	     (action_has(a, '\0', "-destroy") || action_has(a, '\0', "--destroy"))))
		harm_raise(harm, DESTROY_TERRAFORM, "destroys infrastructure");
}

static void harm_helm(struct harm *harm, const struct action *a)
{
	static const char *const verbs[] = { "uninstall", "delete", "del", "un" };

	for (size_t i = 0; is_program(a, "helm") && i < ARRAY_SIZE(verbs); i++)
		if (action_operands_are(a, verbs[i], HELM) && !action_has(a, '\0', "--dry-run"))
			harm_raise(harm, DESTROY_HELM, "uninstalls a release");
}

static void harm_groups(struct harm *harm, const struct action *a)
{
	static const struct {
		const char *program, *words;
	} verbs[] = {
		{ "az", "group delete" },
		{ "gcloud", "projects delete" },
		{ "aws", "cloudformation delete-stack" },
		{ "aws", "resource-groups delete-group" },
		{ "doctl", "projects delete" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (is_program(a, verbs[i].program) &&
		    action_operands_are(a, verbs[i].words, "--profile --region --project"))
			harm_raise(harm, DESTROY_GROUP, "deletes a group of resources");
}

void harm_clusters(struct harm *harm, const struct action *a)
{
	harm_kubectl(harm, a);
	harm_terraform(harm, a);
	harm_helm(harm, a);
	harm_groups(harm, a);
}
