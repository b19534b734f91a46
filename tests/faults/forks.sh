#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# A fork bomb in a session, which has a limit of processes.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

limit=200
# shellcheck disable=SC2034 # lib.sh reads it
more_options=("--pids=$limit")
start_grithd
load each one
execute bomb python3 -c '
import os, time
while True:
    try:
        os.fork()
    except OSError:
        time.sleep(3)' &
bomb=$!
check_logged '"op":"start".*"name":"bomb"'
id=$(id_of bomb) || die "no such session"
for _ in $(seq 600); do
	[ "$(cat "$cgroups/$id/pids.current")" -lt $limit ] || break
	sleep 0.1
done
check_equal "the bomb has the limit's number of processes" $limit "$(cat "$cgroups/$id/pids.current")"
check "grith ps answers" grep -q bomb <("$grith" ps)
check "grith kill ends it" "$grith" kill bomb
wait "$bomb"
check_ended "$id"
account "fork bomb against a limit of $limit"
