#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# The file system that keeps the programs is unmounted while sessions run, and others start.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

own=$work/bpffs
mkdir "$own"
mount -t bpf none "$own"
bpffs=$own/grith
cgroups+=-own # programs that other grithds have left know none of these sessions
start_grithd
load each one
check "while grithd runs it is busy" [ -n "$(umount "$own" 2>&1)" ]
umount -l "$own"
check "nothing is pinned any more" [ ! -e "$bpffs" ]
sleep 2
check "grithd goes on" "$grith" ps >/dev/null
load each two
execute held "$work/bin/load" "$dir" held 10
account "bpffs unmounted"
