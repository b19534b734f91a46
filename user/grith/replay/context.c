/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One thing differs from the kernel: an open with O_TRUNC does not count as destroying something,
 * for a log of calls does not tell whether there was anything.
 */
#include "context.h"
#include "grith_context.h"

/* Without times, everything would seem to happen at once. */
struct replay_context replay_context_of(const struct policy_image *image)
{
	struct replay_context context = {
		.image = image,
		.weights = policy_image_header(image)->weights,
	};
	struct grith_context_weights *without = &context.without_rates;

	*without = context.weights;
	memset(without->rate_minute, 0, sizeof(without->rate_minute));
	memset(without->rate_second, 0, sizeof(without->rate_second));
	without->egress_minute_limit = without->egress_burst_limit = 0;
	without->reads_limit = without->mass_limit = 0;
	return context;
}

/* Not 0, which stands for none. FNV-1a. */
static uint32_t entity_of(const struct replay_decision *a)
{
	const struct record_bytes path = a->event->path;
	const void *data = path.length ? (const void *)path.data : a->address;
	size_t length = path.length ? path.length : sizeof(a->address);
	uint32_t h = 0x811c9dc5;

	for (size_t i = 0; i < length; i++)
		h = (h ^ ((const unsigned char *)data)[i]) * 0x01000193;
	return h | 1;
}

void replay_context_add(struct replay_context *context, bool rates, struct replay_decision *a)
{
	const struct grith_image_header *header = policy_image_header(context->image);
	const struct log_event *event = a->event;
	struct grith_points points = { 0 };
	struct grith_use use = {
		.now = event->mono,
		.entity = entity_of(a),
		.port = event->port,
		.local = event->kind == LOG_NET && address_is_loopback(a->address),
	};

	grith_use_fill(&use, header, event->op, event->flags, a->outcome.labels,
		       event->op == GRITH_OP_TRUNCATE);
	grith_context_note(&context->state, rates ? &context->weights : &context->without_rates,
			   &use, &points);
	a->added = grith_points_sum(&points, &a->filters);
	a->outcome.score += a->added;
}

void replay_context_read(struct replay_context *context, const struct replay_decision *a)
{
	const struct grith_image_header *header = policy_image_header(context->image);

	if (grith_is_reading(a->event->op, a->event->flags) &&
	    !(a->outcome.flags & GRITH_OUTCOME_ALWAYS))
		grith_source_read(&context->state, grith_source_of(header, a->outcome.labels),
				  a->event->mono);
}
