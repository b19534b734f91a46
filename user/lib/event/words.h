/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Words of a line of the log, turned back into what they stand for: lib/base/names.h the other way
 * round, for bytes without a NUL behind them. For read.c only. Pure.
 */
#pragma once

#include "read.h"

/* LOG_OTHER, GRITH_OP_NONE and 0 for what is not known, as of a newer grithd. */
enum log_kind log_word_kind(struct record_bytes word);
enum grith_op log_word_op(struct record_bytes word);
unsigned int log_word_flag(struct record_bytes word); /* GRITH_RECORD_* */

/* 0, or -EBADMSG for what is not known: to pass over it would change what the line says. */
int log_word_verdict(struct record_bytes word, enum grith_verdict *ret_verdict);
int log_word_errno(struct record_bytes word, int *ret_error); /* positive */
