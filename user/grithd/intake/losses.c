/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Each record of a session has a number, also where the ring buffer had no room for it. So one that
 * is missing was lost once nothing that was made before it can come any more: it is a window
 * behind, or the ring was emptied long after the kernel had counted it.
 */
#include "intake.h"

#define OVERDUE_NS UINT64_C(1000000000) /* from a record's number to its place in the ring */

static const char *const causes[LOSS_CAUSES] = {
	[LOSS_RING] = "the ring buffer was full",
	[LOSS_EARLIER] = "an earlier grithd took them from the ring buffer and did not write them",
};

static void count_lost(struct intake *intake, struct session *session, enum loss_cause cause,
		       uint64_t lost)
{
	if (!lost)
		return;
	session->intake->lost += lost;
	session->intake->unlogged[cause] += lost;
	intake->lost_records = true;
	flow_lost(session->review->flow, clock_mono());
}

void losses_give_up(struct intake *intake, struct session *session, uint64_t below)
{
	struct intake_session *own = session->intake;
	uint64_t earlier = below < own->heard ? below : own->heard;

	if (!own->counting)
		return;
	count_lost(intake, session, LOSS_EARLIER, sequence_give_up(&own->sequence, earlier));
	count_lost(intake, session, LOSS_RING, sequence_give_up(&own->sequence, below));
}

void losses_note(struct intake *intake, struct session *session, uint64_t number)
{
	struct intake_session *own = session->intake;

	if (!own->counting) {
		own->sequence.next = own->sequence.end = number;
		own->counting = true;
	}
	if (number < own->heard)
		own->heard = number;
	losses_give_up(intake, session, sequence_floor(number));
	sequence_note(&own->sequence, number);
}

uint64_t losses_made(const struct intake *intake, const struct session *session)
{
	const struct intake_session *own = session->intake;
	struct grith_session state;

	if (kernel_session_get(intake->kernel, session->info.cgroup, &state) < 0 ||
	    state.sequence < own->sequence.end)
		return own->sequence.end;
	return state.sequence;
}

/* Once for all that is missing by now: a line for each would be more than what is left. */
void losses_log(struct intake *intake, struct session *session)
{
	uint64_t *unlogged = session->intake->unlogged;

	for (int i = 0; i < LOSS_CAUSES; i++) {
		if (unlogged[i])
			audit_log_gap(intake->audit->log,
				      &(struct event_gap) {
					      .head = event_now(session->info.id),
					      .next = session->intake->sequence.next,
					      .lost = unlogged[i],
					      .reason = causes[i],
				      });
		unlogged[i] = 0;
	}
}

bool losses_look(struct intake *intake, uint64_t now)
{
	if (intake->emptied < intake->looked + OVERDUE_NS)
		return false;
	for (size_t i = 0; i < intake->sessions->count; i++) {
		struct session *session = intake->sessions->list[i];
		struct intake_session *own = session->intake;

		own->overdue = own->made;
		own->made = losses_made(intake, session);
	}
	intake->looked = now;
	return true;
}
