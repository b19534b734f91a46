#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# GRITH_FAULT_SESSIONS (1000) sessions at once.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

count=${GRITH_FAULT_SESSIONS:-1000}
pause=100 # so that the processors are there for the others

start_grithd
load each one
mkfifo -m 666 "$dir/go" # what all of them wait for
while [ "$sessions" -lt "$count" ]; do
	sessions=$((sessions + 1))
	execute "s$sessions" sh -c "
		'$work/bin/load' '$dir' each 1
		read -r line <'$dir/go'
		'$work/bin/load' '$dir' each 1" &
	loads+=("$!")
	[ $((sessions % 20)) = 0 ] || continue
	while [ "$("$grith" ps -q | wc -l)" -lt "$sessions" ]; do sleep 0.2; done
	say "$sessions sessions"
done
for _ in $(seq 300); do
	[ "$("$grith" ps -q | wc -l)" -lt "$count" ] || break
	sleep 0.5
done
account "$count sessions at once"
check_equal "each has made its operations twice" $(((count - 1) * 2)) \
	"$(cat "$work"/load-s* | grep -c '^refused 6$')"
