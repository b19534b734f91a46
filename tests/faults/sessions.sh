#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# GRITH_FAULT_COUNT (1000) sessions at once.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

count=${GRITH_FAULT_COUNT:-1000}
user=root

start_grithd
load one
for i in $(seq 2 "$count"); do
	as root "$grith" exec --profile faults -- sh -c "
		read -r line <'$dir/no' && echo through 1 || echo refused 1
		while [ ! -e '$dir/stop' ]; do sleep 10; done" >"$work/load-$i" 2>"$work/load-$i.err" &
	loads+=("$!")
	[ $((i % 20)) != 0 ] || while [ "$("$grith" ps -q | wc -l)" -lt "$i" ]; do sleep 0.2; done
done
while [ "$("$grith" ps -q | wc -l)" -lt "$count" ] && kill -0 "${loads[@]}"; do sleep 0.5; done
account "$count sessions at once"
