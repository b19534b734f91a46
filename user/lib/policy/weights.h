/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The file of weights: what the filters add to a score. Its one parser serves policies and scoring:
 * the rules of the static filters become rules of each policy that scores, the numbers of those
 * that the kernel computes part of each policy, and the other numbers and lists are those of
 * lib/score.
 */
#pragma once

#include "filters.h"
#include "model.h"
#include "yaml.h"

#define POLICY_WEIGHTS_FILE "weights.yaml" /* in the policy directory */
#define WEIGHTS_NUMBER_MAX 999999 /* of a number that the kernel does not compute with */

/* What the file has for one filter. The nodes are NULL where it has none. */
struct weights_filter {
	enum filter_id id;
	bool enabled;
	const struct yaml_node *node; /* the filter as a whole, a mapping */
	const struct yaml_node *numbers; /* mapping of names to hundredths */
	const struct yaml_node *lists; /* mapping of names to lists of texts */
	const struct yaml_node *rules, *operations; /* not looked at yet */
};

/* A parsed file, cleared with weights_file_clear(). Starts as {0}. */
struct weights_file {
	struct yaml *yaml; /* owns the nodes */
	const struct yaml_node *node; /* value of `filters`; NULL: missing */
	struct weights_filter filters[N_FILTERS]; /* each at most once, in the order of the text */
	size_t n_filters;
	struct grith_context_weights weights; /* of the filters that the kernel computes */
};

/*
 * 0 and the file, which is good if `diag` has no new entries; or -EINVAL with entries for text that
 * is not YAML, or -ENOMEM. The caller clears the file in any case.
 */
int weights_parse(const char *name, const char *text, size_t length, struct diag *diag,
		  struct weights_file *ret_file);
void weights_file_clear(struct weights_file *file);

/*
 * Whether a text is a file of weights, its rules included. 0, or -EINVAL with every error, its line
 * and column in `diag`, or -ENOMEM.
 */
int policy_weights_check(const char *name, const char *text, size_t length,
			 const struct policy_context *context, struct diag *diag);
