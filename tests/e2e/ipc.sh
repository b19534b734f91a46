#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# System V objects, POSIX message queues and keys: those of outside and those of the session.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

policy ipc <<'END'
grith: 1
name: ipc
extends: lenient
ipc: {outside: deny}
keyrings: {outside: deny}
END
start_grithd
serve serve-unix @grith-ipc-keeps-the-keyring

number()
{
	sed 's/.*: //'
}

# The System V objects may be used by everybody.
for user in agent root; do
	shm=$(as $user ipcmk -p 666 -M 4096 | number)
	sem=$(as $user ipcmk -p 666 -S 1 | number)
	msg=$(as $user ipcmk -p 666 -Q | number)
	as $user "$probe" mq-make /grith-ipc-$user
	as $user "$probe" mq-make /grith-ipc-unlink-$user
	key=$(as $user "$probe" key-make grith-ipc)
	for object in "shm $shm" "sem $sem" "msg $msg"; do
		# shellcheck disable=SC2086 # two words
		{
			refused ipc-use $object
			refused ipc-remove $object
		}
		allowed ipc-own "${object% *}"
	done
	refused mq-open /grith-ipc-$user
	refused mq-open /grith-ipc-$user 32
	refused mq-unlink /grith-ipc-unlink-$user
	allowed mq-own /grith-ipc-own-$user
	refused key-read "$key"
	refused key-update "$key"
	allowed key-own grith-ipc-own
	allowed key-list
	run_attempts --profile ipc
	as $user "$probe" mq-unlink /grith-ipc-$user
done
check_refusal ipc '"path":"sysv-ipc:0x'
check_refusal ipc '"path":"mqueue:/grith-ipc-agent"'
check_refusal ipc '"path":"mqueue:/grith-ipc-unlink-agent"'
check_refusal key '"path":"key:user:grith-ipc"' deny EPERM
