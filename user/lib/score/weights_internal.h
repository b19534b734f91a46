/* SPDX-License-Identifier: MPL-2.0 */
/* The weights as the filters read them: by each filter's own indices. Only for user/lib/score. */
#pragma once

#include <hs/hs.h>

#include "filter.h"
#include "weights.h"

struct score_item {
	char *text;
	unsigned int line, column; /* in the file, for errors of the pattern library */
};

struct score_list {
	struct score_item *items;
	size_t count;
};

/* A pattern of the database, by its number there. */
struct score_pattern {
	enum filter_id filter;
	unsigned int list; /* index of the list; n_lists for phrases */
	unsigned int item; /* index in it; a phrase's number */
};

struct score_weights {
	bool enabled[N_FILTERS];
	int *numbers[N_FILTERS]; /* hundredths */
	struct score_list *lists[N_FILTERS];
	struct score_pattern *patterns;
	size_t n_patterns;
	hs_database_t *database;
	hs_scratch_t *scratch; /* room for one scan at a time: grithd has one thread */
};

/* Hundredths. `index` is one of the filter's own. */
int score_number(const struct score_weights *weights, enum filter_id filter, size_t index);

/* A number that counts something, rounded down; 0 where it is negative. */
size_t score_count(const struct score_weights *weights, enum filter_id filter, size_t index);
const struct score_list *score_list(const struct score_weights *weights, enum filter_id filter,
				    size_t index);
bool score_list_has(const struct score_list *list, const char *word);

/* Weights with room for all numbers and lists, empty. NULL: no memory. */
struct score_weights *score_weights_new(void);

/* Compiles the patterns of all lists and filters. 0, -EINVAL with entries in `diag`, -ENOMEM. */
int score_compile_patterns(const char *name, struct diag *diag, struct score_weights *weights);

/* --- weights of one filter that others need ---*/

/* Of dlp-gate: programs that send. */
const struct score_list *score_network_tools(const struct score_weights *weights);

/* Of delegation: names of this machine. */
const struct score_list *score_loopback_names(const struct score_weights *weights);

/* Of egress-policy: points of what looks encoded. */
int score_encoded_points(const struct score_weights *weights);

/* Of taint: seconds that what was read counts. */
size_t score_taint_lifetime(const struct score_weights *weights);
