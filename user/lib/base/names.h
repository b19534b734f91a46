/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The words for what grith_abi.h numbers: the same ones in the policy, the log, the protocol and on
 * the terminal. Each function returns NULL for a number it does not know, and each parser -EINVAL
 * for a word it does not know.
 */
#pragma once

#include <stddef.h>

#include "grith_abi.h"

const char *op_name(unsigned int op);
const char *verdict_name(unsigned int verdict);
const char *mode_name(unsigned int mode);

/* Of one bit: GRITH_RECORD_*, of which MORE has no word; GRITH_CONTEXT_*. */
const char *record_flag_name(unsigned int flag);
const char *context_filter_name(unsigned int filter);

/* "inet", "unix", ... for AF_*; "stream", ... for SOCK_*. */
const char *family_name(unsigned int family);
const char *socket_type_name(unsigned int type);

/* "EACCES" for EACCES. */
const char *errno_name(int error);

int op_parse(const char *name, enum grith_op *ret_op);
int verdict_parse(const char *name, enum grith_verdict *ret_verdict);
int mode_parse(const char *name, enum grith_mode *ret_mode);
