/* SPDX-License-Identifier: MPL-2.0 */
/* Paths of the command line as the protocol has them: absolute, and resolved like the kernel's. */
#pragma once

/*
 * 0 and the path, which the caller frees. Its last component need not exist; -ENOENT where another
 * one does not, or any other negative errno of realpath(3).
 */
int absolute_path(const char *path, char **ret_path);
