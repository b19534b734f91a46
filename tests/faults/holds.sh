#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# GRITH_FAULT_HOLDS (100000) holds, by eight sessions beside each other, denied unasked.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

count=$((${GRITH_FAULT_HOLDS:-100000} / 8 * 8))
pause=100 # so that the processors are there for the others

start_grithd
load each one
for i in $(seq 8); do
	execute "held-$i" "$work/bin/load" "$dir" held $((count / 8)) &
	holds+=("$!")
done
wait "${holds[@]}"
check_equal "each hold was denied" "$count" \
	"$(cat "$work"/load-held-* | awk '$1 == "refused" { n += $2 } END { print n }')"
account "$count holds"
