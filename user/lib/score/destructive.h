/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What cannot be undone, by kinds of programs. Each function looks at one command and raises
 * `harm` where it finds worse than what is there. Only for the filter "destructive-action".
 */
#pragma once

#include "evaluation.h"

/* Index, name, and why: the usual words for a person. The phrases' numbers are these. */
#define DESTROY_NUMBERS(NUMBER)                                                                \
	NUMBER(DESTROY_DENY, "deny", "")                                                       \
	NUMBER(DESTROY_PRODUCTION, "production", "")                                           \
	NUMBER(DESTROY_DATABASE, "drop-database", "drops a database")                          \
	NUMBER(DESTROY_OBJECT, "drop-object", "drops a schema or a table")                     \
	NUMBER(DESTROY_TRUNCATE, "truncate", "truncates a table")                              \
	NUMBER(DESTROY_CACHE, "cache-flush", "flushes a cache")                                \
	NUMBER(DESTROY_STORE, "object-store-remove", "removes an object from a store")         \
	NUMBER(DESTROY_STORE_ALL, "object-store-remove-all", "removes a bucket or much of it") \
	NUMBER(DESTROY_KUBECTL, "kubectl-delete", "")                                          \
	NUMBER(DESTROY_TERRAFORM, "terraform-destroy", "destroys infrastructure")              \
	NUMBER(DESTROY_HELM, "helm-uninstall", "uninstalls a release")                         \
	NUMBER(DESTROY_GROUP, "cloud-group-delete", "deletes a group of resources")            \
	NUMBER(DESTROY_CONTAINER, "container-escape", "")                                      \
	NUMBER(DESTROY_BACKUP, "remove-backup", "removes backups")                             \
	NUMBER(DESTROY_MOUNT, "remove-data-mount", "removes what is mounted for data")
enum destructive_number { DESTROY_NUMBERS(FILTER_INDEX) };

#define DESTROY_LISTS(LIST)                                          \
	LIST(DESTROY_MAKERS, "makers", SCORE_WORDS)                  \
	LIST(DESTROY_ROOTS, "system-roots", SCORE_WORDS)             \
	LIST(DESTROY_DATABASES, "database-directories", SCORE_WORDS) \
	LIST(DESTROY_CLIENTS, "database-clients", SCORE_WORDS)       \
	LIST(DESTROY_CACHES, "cache-clients", SCORE_WORDS)           \
	LIST(DESTROY_RUNTIMES, "container-runtimes", SCORE_WORDS)    \
	LIST(DESTROY_FLAGS, "container-flags", SCORE_WORDS)          \
	LIST(DESTROY_SYSTEM_MOUNTS, "system-mounts", SCORE_WORDS)    \
	LIST(DESTROY_BACKUPS, "backups", SCORE_WORDS)                \
	LIST(DESTROY_DATA_MOUNTS, "data-mounts", SCORE_WORDS)        \
	LIST(DESTROY_MARKERS, "production-markers", SCORE_MARKERS)   \
	LIST(DESTROY_MANAGED, "managed-databases", SCORE_SUFFIXES)
enum destructive_list { DESTROY_LISTS(FILTER_INDEX) DESTROY_PHRASES };

struct harm {
	const struct evaluation *e;
	int points; /* hundredths; 0: none found */
	enum destructive_number number;
	const char *why;
};

/* `why`: NULL for the number's usual words. */
void harm_raise(struct harm *harm, enum destructive_number number, const char *why);

/* Disks, and files of the system, of databases and of backups. */
void harm_files(struct harm *harm, const struct action *action);

/* Databases and caches, by their clients and by the phrases that were found. */
void harm_data(struct harm *harm, const struct action *action);

/* Object stores, clusters, and what is described as code. */
void harm_verbs(struct harm *harm, const struct action *action);

/* Containers that can do what their host's root can. */
void harm_containers(struct harm *harm, const struct action *action);
