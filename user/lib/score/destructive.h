/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What cannot be undone, by kinds of programs. Each function looks at one command and raises
 * `harm` where it finds worse than what is there. Only for the filter "destructive-action".
 */
#pragma once

#include "internal.h"

enum destructive_number {
	DESTROY_DENY = 0,
	DESTROY_PRODUCTION,
	DESTROY_DATABASE,
	DESTROY_OBJECT,
	DESTROY_TRUNCATE,
	DESTROY_CACHE,
	DESTROY_STORE,
	DESTROY_STORE_ALL,
	DESTROY_KUBECTL,
	DESTROY_TERRAFORM,
	DESTROY_HELM,
	DESTROY_GROUP,
	DESTROY_CONTAINER,
	DESTROY_BACKUP,
	DESTROY_MOUNT,
	DESTROY_NUMBERS,
};

enum destructive_list {
	DESTRUCTIVE_MAKERS = 0,
	DESTRUCTIVE_ROOTS,
	DESTRUCTIVE_DATABASES,
	DESTRUCTIVE_CLIENTS,
	DESTRUCTIVE_CACHES,
	DESTRUCTIVE_RUNTIMES,
	DESTRUCTIVE_FLAGS,
	DESTRUCTIVE_SYSTEM_MOUNTS,
	DESTRUCTIVE_BACKUPS,
	DESTRUCTIVE_DATA_MOUNTS,
	DESTRUCTIVE_MARKERS,
	DESTRUCTIVE_MANAGED,
	DESTRUCTIVE_LISTS,
};

/* Words of SQL and of its relatives; the numbers of the filter's phrases are destructive_number. */
struct harm {
	const struct judged *judged;
	int points; /* hundredths; 0: none found */
	enum destructive_number number;
	const char *why;
};

void harm_raise(struct harm *harm, enum destructive_number number, const char *why);

static inline const struct score_list *harm_list(const struct harm *harm,
						 enum destructive_list list)
{
	return score_list(harm->judged->weights, FILTER_DESTRUCTIVE_ACTION, list);
}

/* Disks, and files of the system, of databases and of backups. */
void harm_files(struct harm *harm, const struct action *action);

/* Databases and caches, by their clients and by the phrases that were found. */
void harm_data(struct harm *harm, const struct action *action);

/* Object stores. */
void harm_stores(struct harm *harm, const struct action *action);

/* Clusters, and what is described as code. */
void harm_clusters(struct harm *harm, const struct action *action);

/* Containers that can do what their host's root can. */
void harm_containers(struct harm *harm, const struct action *action);
