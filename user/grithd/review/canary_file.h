/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Files that are planted for canaries. Everything is done by a process that has become the user, so
 * that root is never made to write where the user could not.
 */
#pragma once

#include <stdint.h>

#define PLANT_VALUE_SIZE 41 /* 40 letters and digits, and the NUL */

/* A value that nothing else has. -errno. */
int plant_value(char ret_value[PLANT_VALUE_SIZE]);

/*
 * Makes a new file (`old` NULL), replaces the value in one, or deletes it (`fresh` NULL). -ESTALE
 * where it no longer has the old value; -EEXIST, -ENOENT, -EACCES and others as for the user.
 */
int plant_file(uint32_t uid, const char *path, const char *old, const char *fresh);
