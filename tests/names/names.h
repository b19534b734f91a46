/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The names that main.c gives, and what a policy refuses for each: known here from the components
 * alone, so that the policy's own code has no part in the check.
 */
#pragma once

#define GUARD_READ 1u
#define GUARD_WRITE 2u /* and to create */
#define GUARD_METADATA 4u
#define GUARD_LIST 8u
#define GUARD_DELETE 16u
#define GUARD_EXEC 32u

#define GUARDED_NAMES 15

const char *guarded_name(unsigned int number);

/* What is refused for a path below the directory: GUARD_* of all its components. */
unsigned int guards_of(const char *path);

/* The rules for it, to standard output. Exit status. */
int print_policy(const char *directory);

/*
 * Views: a directory by another mount of the worker's namespace. The first half are bind mounts at
 * DIRECTORY-at/N, the others are open trees that are attached nowhere, which the worker knows as
 * "#N/...".
 */
#define VIEWS 4
#define VIEWS_BOUND 2

/* Does what standard input says, a line each, and prints the errno. Exit status. */
int worker(void);
