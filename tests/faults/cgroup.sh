#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# The cgroup of one of two sessions is removed underneath: its processes killed by its file.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

start_grithd
load each stays goes
id=$(id_of goes) || die "no such session"
echo 1 >"$cgroups/$id/cgroup.kill"
while [ -d "$cgroups/$id" ] && ! rmdir "$cgroups/$id" 2>/dev/null; do sleep 0.1; done
check_ended "$id"
sessions=1 # the other one
account "cgroup of a session removed"
