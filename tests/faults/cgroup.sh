#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# The cgroup of one of two sessions is removed underneath: its processes killed by its file.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

start_grithd
load stays
as "$user" "$grith" exec --profile faults --name goes -- sleep 1000 &
check_logged '"op":"start".*"name":"goes"'
id=$("$grith" ps --json | python3 -c '
import json, sys
print(*[s["id"] for s in json.load(sys.stdin)["sessions"] if s["name"] == "goes"])')
echo 1 >"$cgroups/$id/cgroup.kill"
while [ -d "$cgroups/$id" ] && ! rmdir "$cgroups/$id" 2>/dev/null; do sleep 0.1; done
check_ended "$id"
account "cgroup of a session removed"
