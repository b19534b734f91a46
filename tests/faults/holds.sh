#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# GRITH_FAULT_COUNT (100000) holds, by eight processes beside each other, denied unasked.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

count=${GRITH_FAULT_COUNT:-100000}

start_grithd
load one
for i in $(seq 8); do
	as "$user" "$grith" exec --profile faults --on-hold deny -- \
		"$work/bin/load" "$dir" $((count / 8)) >"$work/load-held-$i" 2>"$work/load-held-$i.err" &
	holds+=("$!")
done
wait "${holds[@]}"
check_equal "each hold was denied" $((count / 8 * 8)) \
	"$(cat "$work"/load-held-* | awk '$1 == "refused" { n += $2 } END { print n }')"
account "$count holds"
