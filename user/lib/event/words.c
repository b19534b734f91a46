/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The first byte tells most words apart, so that a walk over a table is fast enough.
 */

#include "lib/base/base.h"
#include "words.h"

#define ERRNO_END 256 /* beyond the last one with a name */

static const char *const kinds[] = {
	[LOG_FILE] = "file",	 [LOG_UNIX] = "unix",	    [LOG_EXEC] = "exec",
	[LOG_NET] = "net",	 [LOG_PROCESS] = "process", [LOG_RING] = "ring",
	[LOG_EXIT] = "exit",	 [LOG_RESULT] = "result",   [LOG_SESSION] = "session",
	[LOG_REVIEW] = "review", [LOG_GAP] = "gap",	    [LOG_CHECKPOINT] = "checkpoint",
};
_Static_assert(ARRAY_SIZE(kinds) == LOG_KINDS, "a word for every kind");

const char *log_kind_name(enum log_kind kind)
{
	return (unsigned int)kind < LOG_KINDS ? kinds[kind] : NULL;
}

static bool is(struct record_bytes text, const char *word)
{
	return word && text.length && word[0] == text.data[0] && strlen(word) == text.length &&
	       !memcmp(word, text.data, text.length);
}

enum log_kind log_word_kind(struct record_bytes word)
{
	for (unsigned int kind = LOG_OTHER + 1; kind < LOG_KINDS; kind++)
		if (is(word, kinds[kind]))
			return kind;
	return LOG_OTHER;
}

enum grith_op log_word_op(struct record_bytes word)
{
	for (unsigned int op = GRITH_OP_NONE + 1; op < GRITH_OPS; op++)
		if (is(word, op_name(op)))
			return op;
	return GRITH_OP_NONE;
}

unsigned int log_word_flag(struct record_bytes word)
{
	for (unsigned int bit = 1; bit <= UINT16_MAX; bit <<= 1)
		if (is(word, record_flag_name(bit)))
			return bit;
	return 0;
}

int log_word_verdict(struct record_bytes word, enum grith_verdict *ret_verdict)
{
	for (unsigned int verdict = 0; verdict < GRITH_VERDICTS; verdict++)
		if (is(word, verdict_name(verdict))) {
			*ret_verdict = verdict;
			return 0;
		}
	return -EBADMSG;
}

int log_word_errno(struct record_bytes word, int *ret_error)
{
	if (is(word, "EACCES")) {
		*ret_error = EACCES;
		return 0;
	}
	for (int error = 1; error < ERRNO_END; error++)
		if (is(word, errno_name(error))) {
			*ret_error = error;
			return 0;
		}
	return -EBADMSG;
}
