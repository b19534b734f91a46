/* SPDX-License-Identifier: MPL-2.0 */
/* Lists, in the order of what was done. */
#include "fake_kernel.h"

struct fake_answer *fake_answer_of(struct kernel *kernel, uint32_t pid)
{
	for (size_t i = 0; i < kernel->n_answers; i++)
		if (kernel->answers[i].key.pid == pid)
			return &kernel->answers[i];
	return NULL;
}

bool fake_has_session(const struct kernel *kernel, uint64_t cgroup)
{
	for (size_t i = 0; i < kernel->n_sessions; i++)
		if (kernel->sessions[i] == cgroup)
			return true;
	return false;
}

int kernel_answer_set(struct kernel *kernel, const struct grith_answer_key *key,
		      const struct grith_answer *answer)
{
	if (kernel->answer_r == 0)
		kernel->answers[kernel->n_answers++] = (struct fake_answer) { *key, *answer };
	return kernel->answer_r;
}

int kernel_answer_remove(struct kernel *kernel, const struct grith_answer_key *key)
{
	struct fake_answer *found = fake_answer_of(kernel, key->pid);

	if (!found)
		return -ENOENT;
	*found = kernel->answers[--kernel->n_answers];
	return 0;
}

int kernel_answers_expire(struct kernel *kernel, uint64_t now)
{
	(void)kernel;
	(void)now;
	return 0;
}

int kernel_answers_forget(struct kernel *kernel, uint64_t session)
{
	(void)session;
	kernel->n_answers = 0;
	return 0;
}

int kernel_answers_revoke(struct kernel *kernel, const uint32_t *reviews, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < kernel->n_answers; i++) {
		const struct fake_answer *answer = &kernel->answers[i];
		bool revoked = false;

		for (size_t k = 0; k < count && !answer->key.pid; k++)
			revoked |= reviews[k] == answer->answer.review;
		if (!revoked)
			kernel->answers[left++] = *answer;
	}
	kernel->n_answers = left;
	return 0;
}

int kernel_holds(struct kernel *kernel, struct kernel_hold **ret_holds, size_t *ret_count)
{
	*ret_holds = calloc(FAKE_MAX, sizeof(**ret_holds));
	memcpy(*ret_holds, kernel->holds, kernel->n_holds * sizeof(**ret_holds));
	*ret_count = kernel->n_holds;
	return 0;
}

static struct kernel_hold *find_hold(struct kernel *kernel, const struct grith_hold_key *key)
{
	for (size_t i = 0; i < kernel->n_holds; i++)
		if (!memcmp(&kernel->holds[i].key, key, sizeof(*key)))
			return &kernel->holds[i];
	return NULL;
}

int kernel_hold_get(struct kernel *kernel, const struct grith_hold_key *key,
		    struct grith_hold *ret_hold)
{
	struct kernel_hold *found = find_hold(kernel, key);

	if (found)
		*ret_hold = found->hold;
	return found ? 0 : -ENOENT;
}

int kernel_hold_tell(struct kernel *kernel, const struct grith_hold_key *key)
{
	struct kernel_hold *found = find_hold(kernel, key);

	if (found)
		found->hold.resend = 1;
	return found ? 0 : -ENOENT;
}

int kernel_hold_remove(struct kernel *kernel, const struct grith_hold_key *key)
{
	struct kernel_hold *found = find_hold(kernel, key);

	if (found)
		*found = kernel->holds[--kernel->n_holds];
	return found ? 0 : -ENOENT;
}

int kernel_inspected(struct kernel *kernel, uint32_t pid)
{
	return kernel_hold_remove(kernel, &(const struct grith_hold_key) { pid, 0 });
}

int kernel_continue(struct kernel *kernel, uint32_t pid, int pidfd)
{
	(void)pidfd;
	kernel->resumed[kernel->n_resumed++] = pid;
	return 0;
}

int kernel_session_taint(struct kernel *kernel, uint64_t cgroup, enum grith_source source,
			 uint64_t time)
{
	(void)kernel;
	(void)cgroup;
	(void)source;
	(void)time;
	return 0;
}

int kernel_session_set(struct kernel *kernel, uint64_t cgroup, const struct grith_session *session)
{
	(void)session;
	kernel->sessions[kernel->n_sessions++] = cgroup;
	return 0;
}

int kernel_session_get(struct kernel *kernel, uint64_t cgroup, struct grith_session *ret_session)
{
	*ret_session = (struct grith_session) { 0 };
	return fake_has_session(kernel, cgroup) ? 0 : -ENOENT;
}

int kernel_session_remove(struct kernel *kernel, uint64_t cgroup)
{
	for (size_t i = 0; i < kernel->n_sessions; i++)
		if (kernel->sessions[i] == cgroup) {
			kernel->sessions[i] = kernel->sessions[--kernel->n_sessions];
			return 0;
		}
	return -ENOENT;
}

int kernel_sessions(struct kernel *kernel, uint64_t **ret_cgroups, size_t *ret_count)
{
	*ret_cgroups = calloc(FAKE_MAX, sizeof(uint64_t));
	memcpy(*ret_cgroups, kernel->sessions, kernel->n_sessions * sizeof(uint64_t));
	*ret_count = kernel->n_sessions;
	return 0;
}

int kernel_image_add(struct kernel *kernel, const struct policy_image *image, uint32_t *ret_slot)
{
	(void)image;
	*ret_slot = 0;
	while (kernel->slots[*ret_slot])
		++*ret_slot;
	kernel->slots[*ret_slot] = true;
	return 0;
}

int kernel_image_remove(struct kernel *kernel, uint32_t slot)
{
	kernel->slots[slot] = false;
	return 0;
}

int kernel_image_adopt(struct kernel *kernel, uint32_t slot)
{
	kernel->slots[slot] = true;
	return 0;
}

int kernel_ring_fd(const struct kernel *kernel)
{
	(void)kernel;
	return -1;
}

int kernel_ring_consume(struct kernel *kernel, kernel_record_fn *fn, void *arg)
{
	int r = 0;

	for (size_t i = 0; i < kernel->n_records && r == 0; i++)
		r = fn(arg, kernel->records[i], kernel->sizes[i]);
	kernel->n_records = 0;
	return r;
}
