/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The answer is written first, then the process is continued: whichever way it comes to run, it
 * finds the answer. A process that was continued before its stop took effect stops after all, with
 * its answer waiting: those are looked after.
 */
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <sys/pidfd.h>

#include "holds.h"

#define GOOD_NS (60 * UINT64_C(1000000000)) /* an answer for one process that goes on at once */
#define GOOD_LATER_NS (24 * 3600 * UINT64_C(1000000000)) /* for one that its user continues */
#define FIRST_LOOK_NS UINT64_C(40000000)
#define FORGET_NS (60 * UINT64_C(1000000000))

static int compare(const void *left, const void *right)
{
	const struct grith_hold_key *a = left, *b = right;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

/* The tree holds pointers to keys. */
static struct hold *of_key(const void *key)
{
	return (struct hold *)((const char *)key - offsetof(struct hold, key));
}

void holds_init(struct holds *holds)
{
	TAILQ_INIT(&holds->answered);
}

void holds_free(struct holds *holds)
{
	while (holds->tree)
		hold_free(of_key(*(void **)holds->tree));
}

struct hold *holds_find(const struct holds *holds, const struct grith_hold_key *key)
{
	void *const *found = tfind(key, &holds->tree, compare);

	return found ? of_key(*found) : NULL;
}

void hold_free(struct hold *hold)
{
	if (!hold)
		return;
	if (hold->list) {
		TAILQ_REMOVE(hold->list, hold, link);
		tdelete(&hold->key, &hold->holds->tree, compare);
		hold->holds->count--;
	}
	sd_event_source_disable_unref(hold->gone);
	cleanup_close(&hold->pidfd);
	free(hold);
}
DEFINE_CLEANUP(struct hold, hold_free)

/* Whether it was stopped before its first instruction. */
static bool is_at_start(const struct hold *hold)
{
	return hold->key.tid == 0;
}

static struct grith_answer_key answer_key(const struct hold *hold)
{
	return (struct grith_answer_key) {
		.session = hold->session->info.cgroup,
		.object = hold->object,
		.pid = hold->key.pid,
	};
}

/* An unused answer must not be found by another process that gets the pid. */
static void drop_in_kernel(struct hold *hold)
{
	const struct grith_answer_key key = answer_key(hold);

	kernel_answer_remove(hold->holds->kernel, &key);
	if (is_at_start(hold))
		kernel_inspected(hold->holds->kernel, hold->key.pid);
	else
		kernel_hold_remove(hold->holds->kernel, &hold->key);
}

static int on_gone(sd_event_source *source, int fd, uint32_t events, void *arg)
{
	struct hold *hold = arg;
	struct review *review = hold->review;
	struct holds *holds = hold->holds;

	(void)source;
	(void)fd;
	(void)events;
	drop_in_kernel(hold);
	hold_free(hold);
	holds->gone(holds->arg, review);
	return 0;
}

int hold_watch(struct hold *hold)
{
	int r;

	hold->pidfd = pidfd_open((pid_t)hold->key.pid, 0);
	if (hold->pidfd < 0)
		return -errno;
	r = sd_event_add_io(hold->holds->event, &hold->gone, hold->pidfd, EPOLLIN, on_gone, hold);
	if (r < 0)
		return r;
	return sd_event_source_set_priority(hold->gone, PRIORITY_SESSIONS);
}

int hold_add(struct holds *holds, struct session *session, const struct grith_hold_key *key,
	     uint64_t object, struct review *review, struct hold_list *list)
{
	CLEANUP(hold_freep) struct hold *hold = calloc(1, sizeof(*hold));
	void **node;

	if (!hold)
		return -ENOMEM;
	hold->holds = holds;
	hold->session = session;
	hold->review = review;
	hold->key = *key;
	hold->object = object;
	hold->pidfd = -1;
	node = tsearch(&hold->key, &holds->tree, compare);
	if (!node)
		return -ENOMEM;
	if (of_key(*node) != hold)
		return -EEXIST;
	holds->count++;
	hold->list = list;
	TAILQ_INSERT_TAIL(list, hold, link);
	TAKE_PTR(hold);
	return 0;
}

/*
 * The process may have only this processor to run on, so grithd yields it: what is left to do here
 * is not waited for.
 *
 * Without a pidfd the process made its record a moment ago. If it has ended since and its pid was
 * reused, the SIGCONT reaches a process that grithd did not stop, and has no effect on it.
 */
static int resume(const struct hold *hold)
{
	int r = kernel_continue(hold->holds->kernel, hold->key.pid, hold->pidfd);

	if (r == 0)
		sched_yield();
	return r == -ESRCH ? 0 : r;
}

/* By pidfd, and only below the root cgroup: the pid may have been reused. */
static int kill_at_start(struct hold *hold)
{
	OWNED_MEM char *cgroup = NULL;
	int r = hold->pidfd < 0 ? hold_watch(hold) : 0;

	r = r ?: cgroup_of((pid_t)hold->key.pid, &cgroup);
	if (r == 0 && path_text_is_below(cgroup, hold->holds->root) &&
	    pidfd_send_signal(hold->pidfd, SIGKILL, NULL, 0) < 0)
		r = -errno;
	if (r < 0 && r != -ESRCH)
		return r;
	kernel_inspected(hold->holds->kernel, hold->key.pid);
	return 0;
}

int holds_set_answer(struct holds *holds, const struct grith_answer_key *key,
		     const struct grith_answer *answer)
{
	int r = kernel_answer_set(holds->kernel, key, answer);

	if (r != -E2BIG)
		return r;
	kernel_answers_expire(holds->kernel, clock_mono());
	return kernel_answer_set(holds->kernel, key, answer);
}

/* Good for `ns` nanoseconds: until the process gets to run. */
static int set_answer(struct hold *hold, const struct holding_answer *given, uint64_t ns)
{
	const struct grith_answer_key key = answer_key(hold);
	const struct grith_answer answer = {
		.expires = clock_mono() + ns,
		.verdict = given->verdict,
		.once = 1,
		.review = given->review,
	};

	return holds_set_answer(hold->holds, &key, &answer);
}

static void note_answered(struct hold *hold)
{
	TAILQ_REMOVE(hold->list, hold, link);
	hold->list = &hold->holds->answered;
	TAILQ_INSERT_TAIL(hold->list, hold, link);
	hold->review = NULL;
	hold->answered = clock_mono();
	hold->look = hold->answered + FIRST_LOOK_NS;
}

static int answer_at_start(struct hold *hold, const struct holding_answer *given)
{
	int r;

	if (given->verdict != GRITH_ALLOW)
		return kill_at_start(hold);
	r = kernel_inspected(hold->holds->kernel, hold->key.pid);
	if (r == 0 || r == -ENOENT)
		r = resume(hold);
	return r == -EBUSY ? 0 : r;
}

static int answer_operation(struct hold *hold, const struct holding_answer *given)
{
	int r = 0;

	/* Where another thread uses the answer up, this one is to be heard of again. */
	if (given->shared && !given->covered)
		kernel_hold_tell(hold->holds->kernel, &hold->key);
	if (!given->covered)
		r = set_answer(hold, given, hold->session->frozen ? GOOD_LATER_NS : GOOD_NS);
	r = r ?: resume(hold);
	if (r != -EBUSY)
		return r;
	return given->covered ? 0 : set_answer(hold, given, GOOD_LATER_NS);
}

int hold_answer(struct hold *hold, const struct holding_answer *given)
{
	int r = is_at_start(hold) ? answer_at_start(hold, given) : answer_operation(hold, given);

	if (r == 0)
		note_answered(hold);
	return r;
}

void hold_retry(struct holds *holds, const struct grith_hold_key *key)
{
	OWNED_FD int fd = pidfd_open((pid_t)key->pid, 0);

	if (fd < 0)
		kernel_hold_remove(holds->kernel, key);
	else if (kernel_hold_tell(holds->kernel, key) == 0)
		kernel_continue(holds->kernel, key->pid, fd);
}

void holds_replayed(struct holds *holds, const struct grith_record *head)
{
	const struct grith_hold_key key = { head->pid, head->tid };
	struct hold *hold = holds_find(holds, &key);

	if (hold && hold->answered)
		hold_free(hold);
}

static void look_at(struct hold *hold, uint64_t now)
{
	if (now < hold->look)
		return;
	hold->look = now + (now - hold->answered);
	if (kill((pid_t)hold->key.pid, 0) < 0 && errno == ESRCH) {
		drop_in_kernel(hold);
		hold_free(hold);
	} else if (proc_is_stopped(hold->key.pid)) {
		resume(hold);
	}
}

void holds_look_after(struct holds *holds, uint64_t now)
{
	struct hold *hold = TAILQ_FIRST(&holds->answered), *next;

	for (; hold; hold = next) {
		next = TAILQ_NEXT(hold, link);
		if (now - hold->answered > FORGET_NS)
			hold_free(hold);
		else
			look_at(hold, now);
	}
}

void holds_forget_session(struct holds *holds, const struct session *session)
{
	struct hold *hold = TAILQ_FIRST(&holds->answered), *next;

	for (; hold; hold = next) {
		next = TAILQ_NEXT(hold, link);
		if (hold->session == session) {
			drop_in_kernel(hold);
			hold_free(hold);
		}
	}
}
