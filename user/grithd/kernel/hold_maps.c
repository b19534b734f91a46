/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The maps of hold and replay: what is held, and what was answered. libbpf returns -errno.
 */
#include <signal.h>
#include <sys/pidfd.h>

#include "internal.h"

int kernel_answer_set(struct kernel *kernel, const struct grith_answer_key *key,
		      const struct grith_answer *answer)
{
	return bpf_map_update_elem(kernel->maps[MAP_ANSWERS], key, answer, BPF_ANY);
}

int kernel_answer_remove(struct kernel *kernel, const struct grith_answer_key *key)
{
	return bpf_map_delete_elem(kernel->maps[MAP_ANSWERS], key);
}

/* Removes the answers that `fn` matches. The next key is looked up before one goes. */
static int remove_answers(struct kernel *kernel,
			  bool (*fn)(const struct grith_answer_key *key,
				     const struct grith_answer *answer, const void *arg),
			  const void *arg)
{
	struct grith_answer_key key, next;
	struct grith_answer answer;
	int map = kernel->maps[MAP_ANSWERS];
	int r = bpf_map_get_next_key(map, NULL, &next);

	while (r == 0) {
		key = next;
		r = bpf_map_get_next_key(map, &key, &next);
		if (bpf_map_lookup_elem(map, &key, &answer) == 0 && fn(&key, &answer, arg))
			bpf_map_delete_elem(map, &key);
	}
	return r == -ENOENT ? 0 : r;
}

static bool is_expired(const struct grith_answer_key *key, const struct grith_answer *answer,
		       const void *now)
{
	(void)key;
	return answer->expires && answer->expires < *(const uint64_t *)now;
}

int kernel_answers_expire(struct kernel *kernel, uint64_t now)
{
	return remove_answers(kernel, is_expired, &now);
}

static bool is_of_session(const struct grith_answer_key *key, const struct grith_answer *answer,
			  const void *session)
{
	(void)answer;
	return key->session == *(const uint64_t *)session;
}

int kernel_answers_forget(struct kernel *kernel, uint64_t session)
{
	return remove_answers(kernel, is_of_session, &session);
}

struct numbers {
	const uint32_t *list;
	size_t count;
};

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* What waits for one process to use it up was given to an operation that is going on. */
static bool is_revoked(const struct grith_answer_key *key, const struct grith_answer *answer,
		       const void *arg)
{
	const struct numbers *numbers = arg;

	return !key->pid && bsearch(&answer->review, numbers->list, numbers->count,
				    sizeof(*numbers->list), compare_numbers);
}

int kernel_answers_revoke(struct kernel *kernel, const uint32_t *reviews, size_t count)
{
	return remove_answers(kernel, is_revoked, &(const struct numbers) { reviews, count });
}

/*
 * The map changes while it is walked, and then may begin anew: as many steps as it can have
 * entries, so that this ends. An entry that is found twice does no harm.
 */
int kernel_holds(struct kernel *kernel, struct kernel_hold **ret_holds, size_t *ret_count)
{
	OWNED_MEM struct kernel_hold *list = NULL;
	int map = kernel->maps[MAP_HOLDS];
	struct kernel_hold entry;
	size_t count = 0;
	int r = bpf_map_get_next_key(map, NULL, &entry.key);

	for (unsigned int i = 0; i < GRITH_MAX_HOLDS && r == 0; i++) {
		struct grith_hold_key key = entry.key;

		if (bpf_map_lookup_elem(map, &key, &entry.hold) == 0) {
			if (ARRAY_GROW(list, count) < 0)
				return -ENOMEM;
			list[count++] = entry;
		}
		r = bpf_map_get_next_key(map, &key, &entry.key);
	}
	if (r < 0 && r != -ENOENT)
		return r;
	*ret_holds = TAKE_PTR(list);
	*ret_count = count;
	return 0;
}

int kernel_hold_get(struct kernel *kernel, const struct grith_hold_key *key,
		    struct grith_hold *ret_hold)
{
	struct grith_hold hold;
	int r = bpf_map_lookup_elem(kernel->maps[MAP_HOLDS], key, &hold);

	if (r == 0)
		*ret_hold = hold;
	return r;
}

int kernel_hold_tell(struct kernel *kernel, const struct grith_hold_key *key)
{
	int map = kernel->maps[MAP_HOLDS];
	struct grith_hold hold;
	int r = bpf_map_lookup_elem(map, key, &hold);

	hold.resend = 1;
	return r < 0 ? r : bpf_map_update_elem(map, key, &hold, BPF_EXIST);
}

int kernel_hold_remove(struct kernel *kernel, const struct grith_hold_key *key)
{
	return bpf_map_delete_elem(kernel->maps[MAP_HOLDS], key);
}

int kernel_inspected(struct kernel *kernel, uint32_t pid)
{
	const struct grith_hold_key key = { .pid = pid };

	return kernel_hold_remove(kernel, &key);
}

int kernel_continue(struct kernel *kernel, uint32_t pid, int pidfd)
{
	int r = pidfd < 0 ? kill((pid_t)pid, SIGCONT) : pidfd_send_signal(pidfd, SIGCONT, NULL, 0);

	(void)kernel;
	return r < 0 ? -errno : 0;
}
