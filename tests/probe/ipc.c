/* SPDX-License-Identifier: MPL-2.0 */
/*
 * System V objects by number, POSIX message queues by name, keys by serial: those of others, and
 * ones that are made here.
 */
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <linux/keyctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

/* Attaches, counts up, or sends. */
static int use_object(const char *kind, int id)
{
	struct sembuf up = { .sem_op = 1 };
	struct {
		long type;
		char text[1];
	} message = { 1, "x" };
	void *memory;

	if (!strcmp(kind, "sem"))
		return outcome(semop(id, &up, 1));
	if (!strcmp(kind, "msg"))
		return outcome(msgsnd(id, &message, 1, IPC_NOWAIT));
	memory = shmat(id, NULL, 0);
	if (memory == (void *)-1)
		return -errno;
	shmdt(memory);
	return 0;
}

static int remove_object(const char *kind, int id)
{
	return outcome(!strcmp(kind, "sem")   ? semctl(id, 0, IPC_RMID)
		       : !strcmp(kind, "msg") ? msgctl(id, IPC_RMID, NULL)
					      : shmctl(id, IPC_RMID, NULL));
}

static int run_ipc_use(int argc, char **argv)
{
	unsigned long id;
	int r = parse_number(argv[2], INT_MAX, &id);

	(void)argc;
	return r ? r : use_object(argv[1], (int)id);
}

static int run_ipc_remove(int argc, char **argv)
{
	unsigned long id;
	int r = parse_number(argv[2], INT_MAX, &id);

	(void)argc;
	return r ? r : remove_object(argv[1], (int)id);
}

/* Makes one, uses it and removes it. */
static int run_ipc_own(int argc, char **argv)
{
	const char *kind = argv[1];
	int id = !strcmp(kind, "sem")	? semget(IPC_PRIVATE, 1, 0600)
		 : !strcmp(kind, "msg") ? msgget(IPC_PRIVATE, 0600)
					: shmget(IPC_PRIVATE, 4096, 0600);
	int r;

	(void)argc;
	if (id < 0)
		return -errno;
	r = use_object(kind, id);
	return r ? r : remove_object(kind, id);
}

/* To the kernel, not to the library: names without their slash, and any flags beside O_RDWR. */
static int run_mq_open(int argc, char **argv)
{
	unsigned long flags = 0;
	int r = argc > 2 ? parse_number(argv[2], INT_MAX, &flags) : 0;

	return r ? r
		 : outcome_fd(
			   (int)syscall(SYS_mq_open, argv[1] + 1, (int)flags | O_RDWR, 0600, NULL));
}

static int run_mq_make(int argc, char **argv)
{
	(void)argc;
	return outcome_fd(
		(int)syscall(SYS_mq_open, argv[1] + 1, O_RDWR | O_CREAT | O_EXCL, 0600, NULL));
}

static int run_mq_unlink(int argc, char **argv)
{
	(void)argc;
	return outcome(syscall(SYS_mq_unlink, argv[1] + 1));
}

/* Makes one, opens it again and removes it. */
static int run_mq_own(int argc, char **argv)
{
	return run_mq_make(argc, argv) ?: run_mq_open(2, argv) ?: run_mq_unlink(argc, argv);
}

static long add_key(const char *name, long ring)
{
	return syscall(SYS_add_key, "user", name, "secret", 6, ring);
}

/* Into the user's own keyring, where it stays. Prints its serial. */
static int run_key_make(int argc, char **argv)
{
	long key = add_key(argv[1], KEY_SPEC_USER_KEYRING);

	(void)argc;
	if (key < 0)
		return -errno;
	printf("%ld\n", key);
	return 0;
}

static long read_key(long key)
{
	char secret[16];

	return syscall(SYS_keyctl, KEYCTL_READ, key, secret, sizeof(secret));
}

static int run_key_read(int argc, char **argv)
{
	unsigned long key;
	int r = parse_number(argv[1], INT_MAX, &key);

	(void)argc;
	return r ? r : outcome(read_key((long)key));
}

static int run_key_update(int argc, char **argv)
{
	unsigned long key;
	int r = parse_number(argv[1], INT_MAX, &key);

	(void)argc;
	return r ? r : outcome(syscall(SYS_keyctl, KEYCTL_UPDATE, key, "changed", 7));
}

static int run_key_find(int argc, char **argv)
{
	(void)argc;
	return outcome(syscall(SYS_request_key, "user", argv[1], NULL, 0));
}

/* In a keyring of the process: makes one, finds it, reads it and takes it away. */
static int run_key_own(int argc, char **argv)
{
	long key = add_key(argv[1], KEY_SPEC_PROCESS_KEYRING);
	int r;

	if (key < 0)
		return -errno;
	r = run_key_find(argc, argv);
	if (!r)
		r = outcome(read_key(key));
	if (!r)
		r = outcome(syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_PROCESS_KEYRING));
	return r;
}

/* What `keyctl show` does: names, and what is in a keyring. */
static int run_key_list(int argc, char **argv)
{
	char text[256];
	int ids[64];

	(void)argc;
	(void)argv;
	if (syscall(SYS_keyctl, KEYCTL_DESCRIBE, KEY_SPEC_USER_KEYRING, text, sizeof(text)) < 0)
		return -errno;
	return outcome(syscall(SYS_keyctl, KEYCTL_READ, KEY_SPEC_USER_KEYRING, ids, sizeof(ids)));
}

const struct verb ipc_verbs[] = {
	{ "ipc-use", "shm|sem|msg ID", 2, 2, run_ipc_use },
	{ "ipc-remove", "shm|sem|msg ID", 2, 2, run_ipc_remove },
	{ "ipc-own", "shm|sem|msg", 1, 1, run_ipc_own },
	{ "mq-make", "NAME", 1, 1, run_mq_make },
	{ "mq-open", "NAME [FLAGS]", 1, 2, run_mq_open },
	{ "mq-unlink", "NAME", 1, 1, run_mq_unlink },
	{ "mq-own", "NAME", 1, 1, run_mq_own },
	{ "key-make", "NAME", 1, 1, run_key_make },
	{ "key-read", "SERIAL", 1, 1, run_key_read },
	{ "key-update", "SERIAL", 1, 1, run_key_update },
	{ "key-find", "NAME", 1, 1, run_key_find },
	{ "key-own", "NAME", 1, 1, run_key_own },
	{ "key-list", "", 0, 0, run_key_list },
	{ 0 },
};
