/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Keys and keyrings of the kernel. A session inherits its user's: the keyring that login made, and
 * what programs outside have put there. Names may be seen, and keyrings be listed and searched, as
 * every program does that looks for a key; what a key holds is not read, and neither a key is used
 * nor a keyring changed that the session has not made. Its own are allowed and not recorded.
 */
#include "hook.bpf.h"
#include "object.bpf.h"
#include "own.bpf.h"

/* enum key_need_perm, the same since 5.8; the last is followed by a check of its own. */
#define KEY_NEED_VIEW 1
#define KEY_NEED_READ 2
#define KEY_NEED_SEARCH 4
#define KEY_DEFER_PERM_CHECK 10

SEC("fexit/security_key_alloc")
int BPF_PROG(security_key_alloc, struct key *key, const struct cred *cred, unsigned long flags,
	     int ret)
{
	if (!ret)
		own_note(key);
	return 0;
}

SEC("fentry/security_key_free")
int BPF_PROG(security_key_free, struct key *key)
{
	own_forget(key);
	return 0;
}

/* A keyring's type is the only one of this name. */
static __noinline int is_keyring(struct key *key)
{
	static const char keyring[] = "keyring";
	char type[sizeof(keyring)] = {};
	int i;

	bpf_probe_read_kernel_str(type, sizeof(type), BPF_CORE_READ(key, index_key.type, name));
	for (i = 0; i < (int)sizeof(type); i++)
		if (type[i] != keyring[i])
			return false;
	return true;
}

/* "key:TYPE:DESCRIPTION", cut where it is too long for a name. */
static __noinline int key_name(struct scratch *scratch, struct key *key)
{
	__u32 length = BPF_CORE_READ(key, index_key.desc_len);
	int at;

	if (length > TEXT_NAME_MAX)
		length = TEXT_NAME_MAX;
	at = text_prepend(scratch, SCRATCH_SPACE, BPF_CORE_READ(key, index_key.description),
			  length);
	if (at >= 0)
		at = text_prepend_word(scratch, at, BPF_CORE_READ(key, index_key.type, name));
	return at < 0 ? at : text_prepend(scratch, at, "key:", sizeof("key:") - 1);
}

/*
 * EPERM and not EACCES: by the latter the kernel goes on to whether the key is possessed, that is
 * found in a keyring of the task, and then lets it be read all the same.
 */
static __noinline int key_operation(struct key *key, __u32 need)
{
	struct operation o;
	int r, at;

	if (is_own(key, session_of_current()))
		return 0;
	if ((need == KEY_NEED_READ || need == KEY_NEED_SEARCH) && is_keyring(key))
		return 0;
	r = operation_begin(&o, GRITH_OP_KEY);
	if (r <= 0)
		return r ? -EPERM : 0;
	o.d->outcome = FIXED_OUTCOME(o.session, keyring);
	o.d->request.path.value = (__u64)BPF_CORE_READ(key, serial) << 32 | need;
	at = key_name(o.scratch, key);
	if (at >= 0)
		o.d->at = at;
	return path_finish(&o, NULL, 0, SCRATCH_SPACE);
}

/*
 * The reference is the key's address, with the lowest bit set where the task possesses it. The
 * kernel has no definition of its type, so that the verifier lets it through to the helper alone.
 */
HOOK(key_permission, void *reference, const struct cred *cred, unsigned int need)
{
	__u64 key;

	if (!session_of_current() || need == KEY_NEED_VIEW || need == KEY_DEFER_PERM_CHECK)
		return 0;
	if (bpf_get_func_arg(ctx, 0, &key))
		return -EPERM;
	return key_operation((struct key *)(key & ~1ull), need);
}
