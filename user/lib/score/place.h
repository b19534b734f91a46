/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Questions about names of files, answered from their bytes alone. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The last component of a text with a NUL; the text itself where it has no '/'. */
const char *place_name(const char *path);

/* Whether the last component of the path is that of `name`. */
bool place_has_name(const char *path, size_t length, const char *name);

/* Whether the path has the components of `part` ("a" or "a/b") next to each other. */
bool place_has_part(const char *path, size_t length, const char *part);

/* Whether it is a file of settings such as .env or .env.local, and not a sample of one. */
bool place_is_env_file(const char *path, size_t length);

/* Whether it is a private key of ssh by its place: ".ssh/id_*", not "*.pub". */
bool place_is_ssh_key(const char *path, size_t length);

/* Whether it names a disk or a part of one, by the names that Linux gives them. */
bool place_is_block_device(const char *path);

/*
 * The path without "//", "/./", "/../", trailing '/' and a trailing "/" with one "*": as far as
 * the text alone decides it. Into `ret_path`, which has room for `length` + 2 bytes.
 */
void place_normalise(const char *path, size_t length, char *ret_path);
