/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The file that a command's name is resolved to.
 */
#pragma once

/*
 * As execvp(3) finds it: a name with a slash is the file itself; else the directories of
 * `search` (a PATH; NULL for the system's default) are tried in order. 0 and a path with a slash
 * in it, which the caller frees; -ENOENT where there is no such file, -EACCES where there is one
 * but none that the caller may execute, -ENOMEM.
 */
int program_find(const char *name, const char *search, char **ret_path);
