#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Root in a session: the kernel's memory and code, disks, the machine's clock and network, the way
# out of the session's control group.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

policy kernel-allowed <<'END'
grith: 1
name: kernel-allowed
extends: lenient
kernel: allow
END
start_grithd
user=root

# A disk, if only one of memory, under a name that no policy knows.
disk=$(awk 'NR > 2 { print $1, $2; exit }' /proc/partitions)
elsewhere=${cgroups%/*}/e2e-elsewhere
mkdir -p "$elsewhere" "$work/cgroups" "$work/cgroups-v1" "$work/proc"
mount -t cgroup2 none "$work/cgroups"
mount -t cgroup -o none,name=e2e none "$work/cgroups-v1"
mount -t proc none "$work/proc"

for what in bpf perf; do
	refused kernel $what
done
# These go by a capability, and answer what they answer without it.
for what in module module-file kexec time adjtime ports reboot network; do
	refused --errno EPERM kernel $what
done
refused --errno EPERM open /proc/kcore
refused --errno EPERM open /dev/mem
# Until 6.9 another capability would do.
if kernel_at_least 6.9; then refused --errno EPERM kernel log; else refused kernel log; fi
refused open /sys/kernel/tracing/trace
refused open-write "$work/proc/sys/kernel/core_pattern"
refused mknod-char "$work/mem" 1 1
allowed mknod-char "$work/whiteout" 0 0
if [ -n "$disk" ]; then
	# shellcheck disable=SC2086 # two numbers
	{
		refused mknod-block "$work/raw" $disk
		mknod "$work/disk" b $disk
	}
	refused open "$work/disk"
	refused open-write "$work/disk"
else
	skip "no disk"
fi
refused clone-into "$elsewhere"
refused write-file "$elsewhere/cgroup.procs" 0
refused write-file "$work/cgroups/e2e-elsewhere/cgroup.procs" 0
refused write-file "$work/cgroups-v1/cgroup.procs" 0
allowed nested-cgroup open /dev/null
run_attempts --profile lenient
for what in bpf perf sys-module sys-time sys-rawio sys-boot syslog net-admin cgroup; do
	check_refusal kernel "\"path\":\"kernel:$what\""
done
check_logged '"op":"kernel","verdict":"deny","errno":"EACCES","path":"kernel:lockdown:[0-9][0-9]"'

for what in bpf module kexec time adjtime log perf ports reboot network; do
	allowed kernel $what
done
allowed open /proc/kcore
allowed open /sys/kernel/tracing/trace
allowed open-write "$work/proc/sys/kernel/core_pattern"
allowed mknod-char "$work/mem2" 1 1
refused clone-into "$elsewhere"
run_attempts --profile kernel-allowed
umount "$work/cgroups" "$work/cgroups-v1" "$work/proc"
rmdir "$elsewhere"
