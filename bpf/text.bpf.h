/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Texts in the scratch: names put in front of what is there already. A text is written from its end
 * to its beginning, and begins at an index into scratch->data.
 */
#ifndef GRITH_TEXT_BPF_H
#define GRITH_TEXT_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "compat.bpf.h"
#include "maps.bpf.h"

#define TEXT_FULL (-1) /* in place of an index: no room, or the name cannot be read */
#define TEXT_NAME_MAX 255
#define TEXT_SHORT_MAX 32 /* bytes of a name that are copied by plain loads */

/*
 * Eight bytes of the scratch, wherever they are: the compiler must not know that they may not be
 * aligned, or it goes byte by byte. `at` must have been checked to be within the scratch's space.
 */
static __always_inline __u64 *text_word(struct scratch *scratch, __u32 at)
{
	void *word = &scratch->data[at];

	barrier_var(word);
	return word;
}

/* Puts a name in front of the text at `at`. The new beginning, or TEXT_FULL. */
static __always_inline int text_prepend(struct scratch *scratch, __u32 at, const void *name,
					__u32 length)
{
	if (length > TEXT_NAME_MAX)
		return TEXT_FULL;
	at -= length;
	barrier_var(at); /* else the compiler bounds another register than it uses */
	if (at > SCRATCH_SPACE) /* below 0, too; equal: an empty name at the very end */
		return TEXT_FULL;
	if (bpf_probe_read_kernel(&scratch->data[at], length, name))
		return TEXT_FULL;
	return at;
}

/* The same, with a character in front of the name. */
static __always_inline int text_prepend_marked(struct scratch *scratch, __u32 at, char mark,
					       const void *name, __u32 length)
{
	__u32 begin = text_prepend(scratch, at, name, length) - 1;

	barrier_var(begin);
	if (begin >= SCRATCH_SPACE)
		return TEXT_FULL;
	scratch->data[begin] = mark;
	return begin;
}

/*
 * "/name" of a directory entry whose type is known, in front of the text. Most names lie in the
 * entry itself, where whole words of them can be loaded: a fraction of the cost of a helper. What
 * the last word overwrites behind the name is put back.
 */
static __always_inline int text_prepend_entry(struct scratch *scratch, __u32 at,
					      struct dentry *entry)
{
	const __u64 *words = entry_short_name(entry);
	__u32 length = entry->d_name.len, begin;
	__u64 *to, behind;

	if (entry->d_name.name != (const unsigned char *)words || length > TEXT_SHORT_MAX)
		return text_prepend_marked(scratch, at, '/', entry->d_name.name, length);
	begin = at - length - 1;
	barrier_var(begin);
	barrier_var(at);
	if (begin >= SCRATCH_SPACE || at > SCRATCH_SPACE)
		return TEXT_FULL;
	behind = *text_word(scratch, at);
	scratch->data[begin] = '/';
	to = text_word(scratch, begin + 1);
	to[0] = words[0];
	if (length > 8)
		to[1] = words[1];
	if (length > 16)
		to[2] = words[2];
	if (length > 24)
		to[3] = words[3];
	*text_word(scratch, at) = behind;
	return begin;
}

#endif
