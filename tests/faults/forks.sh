#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# A fork bomb in a session, which has a limit of processes.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

more_options=(--pids=200)
start_grithd
load one
as "$user" "$grith" exec --profile faults --name bomb -- python3 -c '
import os, time
while True:
    try:
        os.fork()
    except OSError:
        time.sleep(0.1)' 2>"$work/bomb.err" &
bomb=$!
check_logged '"op":"start".*"name":"bomb"'
id=$("$grith" ps --json | python3 -c '
import json, sys
print(*[s["id"] for s in json.load(sys.stdin)["sessions"] if s["name"] == "bomb"])')
for _ in $(seq 300); do
	[ "$(cat "$cgroups/$id/pids.current")" -lt 200 ] || break
	sleep 0.1
done
check_equal "the bomb has the limit's number of processes" 200 "$(cat "$cgroups/$id/pids.current")"
check "grith ps answers" "$grith" ps >/dev/null
check "grith kill ends it" "$grith" kill bomb
wait "$bomb"
account "fork bomb against a limit of 200"
