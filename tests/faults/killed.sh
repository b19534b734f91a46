#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# grithd is killed at random for GRITH_FAULT_SECONDS (600), under load.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

seconds=${GRITH_FAULT_SECONDS:-600}
RANDOM=${GRITH_FAULT_SEED:-1}
kills=0
pause=100 # so that what is logged in that time can be read again

start_grithd
load each one two
end=$((SECONDS + seconds))
while [ $SECONDS -lt $end ]; do
	sleep "$((RANDOM % 4)).$((RANDOM % 10))"
	kill_grithd
	kills=$((kills + 1))
	[ $((kills % 20)) != 0 ] || say "$kills kills"
	sleep "0.$((RANDOM % 10))"
	start_grithd
done
account "grithd killed $kills times in $seconds s, $pause ms between rounds"
