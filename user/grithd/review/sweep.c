/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the kernel holds and grithd does not know of: it was started anew, or a record
 * did not arrive. A held process is asked to try again, so that its record comes. A program that
 * was stopped before its first instruction has made no call that it could try again; but it has not
 * run, so what /proc says of it is what its record said.
 */
#include "review.h"

/* The record of an inspected program, as far as it can be had. */
static void ask_inspected(struct reviews *reviews, struct session *session,
			  const struct kernel_hold *found)
{
	OWNED_TEXT struct text arguments = { 0 };
	OWNED_MEM char *program = NULL;
	bool cut = false;
	uint32_t pid = found->key.pid;
	struct review *review;
	struct record record = {
		.head = {
			.version = GRITH_ABI_VERSION, .kind = GRITH_KIND_EXEC,
			.time = found->hold.time, .session = found->hold.session, .pid = pid,
			.tid = pid, .ppid = proc_parent(pid), .uid = session->info.uid,
			.op = GRITH_OP_EXEC, .verdict = GRITH_HOLD,
			.flags = GRITH_RECORD_HELD | GRITH_RECORD_INSPECT_ARGV,
			.object = found->hold.object,
		},
	};

	if (proc_arguments(pid, GRITH_ARGV_MAX, &arguments, &cut) < 0 ||
	    proc_link(pid, "exe", &program) < 0 ||
	    !root_cgroup_has(reviews->root, session->info.id, pid)) {
		kernel_inspected(reviews->kernel, pid);
		return;
	}
	if (cut)
		record.head.flags |= GRITH_RECORD_TRUNCATED;
	record.path = (struct record_bytes) { program, strlen(program) };
	review = reviews_ask(reviews, session, &record,
			     (struct record_bytes) { arguments.data, arguments.length }, program);
	if (review)
		review_announce(review);
}

static void take_up(struct reviews *reviews, const struct kernel_hold *found)
{
	struct session *session = sessions_find_cgroup(reviews->sessions, found->hold.session);
	const struct hold *hold = holds_find(&reviews->holds, &found->key);

	if (!session) {
		kernel_hold_remove(reviews->kernel, &found->key);
		return;
	}
	if (hold && hold->object == found->hold.object)
		return;
	if (!found->key.tid)
		ask_inspected(reviews, session, found);
	else if (!proc_has_thread(found->key.pid, found->key.tid))
		kernel_hold_remove(reviews->kernel, &found->key);
	else
		hold_retry(&reviews->holds, &found->key);
}

void reviews_scan(struct reviews *reviews)
{
	OWNED_MEM struct kernel_hold *found = NULL;
	size_t count = 0;
	uint64_t now = clock_mono();
	int r;

	reviews_prune(reviews, now);
	kernel_answers_expire(reviews->kernel, now);
	r = kernel_holds(reviews->kernel, &found, &count);
	if (r < 0)
		log_line(LOG_ERR, "cannot look through what is held: %s", strerror(-r));
	for (size_t i = 0; r == 0 && i < count; i++)
		take_up(reviews, &found[i]);
}
