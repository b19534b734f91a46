/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Destruction in object stores, by the command-line clients of their vendors.
 */
#include <string.h>

#include "destructive.h"

struct verb {
	const char *program, *words; /* operands that it begins with */
	const char *valued; /* options before them whose value is a word of its own */
	bool all; /* the bucket itself, or many objects, whatever the options */
};

#define AWS "--profile --region --endpoint-url --output --query --ca-bundle"
#define GCLOUD "--project --account --configuration"

static const struct verb verbs[] = {
	{ "aws", "s3 rm", AWS, false },
	{ "aws", "s3 rb", AWS, true },
	{ "aws", "s3api delete-object", AWS, false },
	{ "aws", "s3api delete-objects", AWS, true },
	{ "aws", "s3api delete-bucket", AWS, true },
	{ "gsutil", "rm", "-o -h", false },
	{ "gsutil", "rb", "-o -h", true },
	{ "gcloud", "storage rm", GCLOUD, false },
	{ "gcloud", "storage buckets delete", GCLOUD, true },
	{ "az", "storage blob delete", NULL, false },
	{ "az", "storage blob delete-batch", NULL, true },
	{ "az", "storage container delete", NULL, true },
	{ "s3cmd", "del", "-c --config", false },
	{ "s3cmd", "rm", "-c --config", false },
	{ "s3cmd", "rb", "-c --config", true },
	{ "rclone", "deletefile", "--config", false },
	{ "rclone", "delete", "--config", true },
	{ "rclone", "purge", "--config", true },
	{ "mc", "rm", NULL, false },
	{ "mc", "rb", NULL, true },
};

static bool is_recursive(const struct action *a)
{
	/* gsutil and s3cmd have the letter; others have long options with one '-', as in -rf. */
	return action_has(a, '\0', "--recursive") || action_has(a, '\0', "-r") ||
	       action_has(a, '\0', "-R");
}

void harm_stores(struct harm *harm, const struct action *a)
{
	if (action_has(a, '\0', "--dryrun") || action_has(a, '\0', "--dry-run"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		const struct verb *verb = &verbs[i];

		if (strcmp(a->program, verb->program) != 0 ||
		    !action_operands_are(a, verb->words, verb->valued))
			continue;
		if (verb->all || is_recursive(a))
			harm_raise(harm, DESTROY_STORE_ALL, "removes a bucket or much of it");
		else
			harm_raise(harm, DESTROY_STORE, "removes an object from a store");
	}
}
