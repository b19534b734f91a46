/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The look-ups of all hooks, run by a test with BPF_PROG_TEST_RUN: struct grith_lookup. grithd
 * never loads this; it is attached to nothing.
 */
#include "net.bpf.h"

static __always_inline __u32 lookup_row(const struct grith_lookup *q, const __u32 *image,
					const struct scratch *scratch)
{
	__u64 length = q->length;

	if (q->kind == GRITH_LOOKUP_UNKNOWN || length > GRITH_PATH_MAX)
		return ((const struct grith_image_header *)image)->unknown_row;
	return image_row(image, scratch, SCRATCH_SPACE - length, SCRATCH_SPACE);
}

static __always_inline struct grith_outcome lookup_net(const struct grith_lookup *q,
						       struct operation *o)
{
	struct endpoint e = { .port = q->extra };

	__builtin_memcpy(e.address, q->address, sizeof(e.address));
	net_lookup(o, &e, q->column);
	return o->d->outcome;
}

static __always_inline struct grith_outcome lookup_image(const struct grith_lookup *q,
							 const __u32 *image, struct operation *o)
{
	const struct grith_image_header *header = (const void *)image;

	switch (q->kind) {
	case GRITH_LOOKUP_PATH:
	case GRITH_LOOKUP_UNKNOWN:
		return row_outcome(image, lookup_row(q, image, o->scratch), q->column);
	case GRITH_LOOKUP_NET:
		return lookup_net(q, o);
	case GRITH_LOOKUP_SOCKET:
		return socket_outcome(image, q->column, q->extra);
	case GRITH_LOOKUP_PTRACE_ACCESS:
		return image_outcome(image, header->ptrace_access);
	case GRITH_LOOKUP_SIGNAL:
		return image_outcome(image, header->signal);
	case GRITH_LOOKUP_RING:
		return image_outcome(image, header->ring);
	default:
		return OUTCOME_DENY;
	}
}

SEC("?raw_tp")
int test_lookup(const struct grith_lookup *q)
{
	struct operation o = {};
	const __u32 *image;
	__u64 id = q->session;
	__u32 first = 0;

	o.session = bpf_map_lookup_elem(&sessions, &id);
	o.scratch = bpf_map_lookup_elem(&scratches, &first);
	if (!o.session || !o.scratch)
		return -1;
	o.d = &o.scratch->d;
	*o.d = (struct decision) {};
	image = image_of_slot(o.session->image);
	if (!image)
		return -1;
	*(struct grith_outcome *)o.scratch->data = lookup_image(q, image, &o);
	return 0;
}
