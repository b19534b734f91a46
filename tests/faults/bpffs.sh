#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# The file system that keeps the programs is unmounted while sessions run; then grithd restarts.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

own=$work/bpffs
mkdir "$own"
mount -t bpf none "$own"
bpffs=$own/grith
start_grithd
load one
umount -l "$own"
sleep 2
check "grithd goes on" "$grith" ps >/dev/null
account "bpffs unmounted"
