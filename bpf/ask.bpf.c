/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The decisions of all hooks, asked for by a test with BPF_PROG_TEST_RUN: grith_ask.h. grithd never
 * loads this; it hangs on nothing.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "decide.bpf.h"
#include "grith_ask.h"
#include "net.bpf.h"
#include "operation.bpf.h"

char LICENSE[] SEC("license") = "Dual MPL/GPL";

static __always_inline __u32 ask_row(const struct grith_ask *ask, const __u32 *image,
				     const struct scratch *scratch)
{
	__u64 length = ask->length;

	if (ask->kind == GRITH_ASK_UNKNOWN || length > GRITH_PATH_MAX)
		return ((const struct grith_image_header *)image)->unknown_row;
	return image_row(image, scratch, SCRATCH_SPACE - length, SCRATCH_SPACE);
}

static __always_inline struct grith_outcome ask_net(const struct grith_ask *ask,
						    struct operation *o)
{
	struct endpoint e = { .port = ask->extra };

	__builtin_memcpy(e.address, ask->address, sizeof(e.address));
	net_judge(o, &e, ask->column);
	return o->outcome;
}

static __always_inline struct grith_outcome ask_image(const struct grith_ask *ask,
						      const __u32 *image, struct operation *o)
{
	const struct grith_image_header *header = (const void *)image;

	switch (ask->kind) {
	case GRITH_ASK_PATH:
	case GRITH_ASK_UNKNOWN:
		return row_outcome(image, ask_row(ask, image, o->scratch), ask->column);
	case GRITH_ASK_NET:
		return ask_net(ask, o);
	case GRITH_ASK_SOCKET:
		return socket_outcome(image, ask->column, ask->extra);
	case GRITH_ASK_TOUCH:
		return image_outcome(image, header->ptrace_access);
	case GRITH_ASK_SIGNAL:
		return image_outcome(image, header->signal);
	case GRITH_ASK_RING:
		return image_outcome(image, header->ring);
	default:
		return OUTCOME_DENY;
	}
}

SEC("?raw_tp")
int ask(const struct grith_ask *ask)
{
	struct operation o = {};
	const __u32 *image;
	__u64 id = ask->session;
	__u32 first = 0;

	o.session = bpf_map_lookup_elem(&sessions, &id);
	o.scratch = bpf_map_lookup_elem(&scratches, &first);
	if (!o.session || !o.scratch)
		return -1;
	image = image_of_slot(o.session->image);
	if (!image)
		return -1;
	*(struct grith_outcome *)o.scratch->data = ask_image(ask, image, &o);
	return 0;
}
