#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# GRITH_FAULT_COUNT (3000) sessions one after the other: grithd keeps nothing of them.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

count=${GRITH_FAULT_COUNT:-3000}

# "memory descriptors cgroups entries": KiB of grithd's own, and the others as numbers.
held()
{
	local map entries=0

	for map in sessions holds answers late_taint exec_answers stopped_by_user nets carried; do
		[ ! -e "$bpffs/$map" ] || entries=$((entries +
			$(bpftool map dump pinned "$bpffs/$map" | grep -c '^key:\|"key":')))
	done
	echo "$(awk '/^(RssAnon):/ { print $2 }' "/proc/$daemon/status")" \
		"$(find "/proc/$daemon/fd" | wc -l)" "$(find "$cgroups" -type d | wc -l)" "$entries"
}

churn()
{
	for _ in $(seq "$1"); do
		as "$user" "$grith" exec --profile faults -- true
	done
	while [ -n "$("$grith" ps -q)" ]; do sleep 0.1; done
}

start_grithd
load one # is there all the time
touch "$dir/stop" && wait "${loads[@]}" # the counts are of a quiet grithd
churn $((count / 10))
read -ra before < <(held)
churn $((count - count / 10))
read -ra after < <(held)
say "memory ${before[0]} KiB then ${after[0]} KiB; descriptors, cgroups, entries: ${before[*]:1}, ${after[*]:1}"
check "memory is flat within 2 %" [ $((after[0] * 100)) -le $((before[0] * 102)) ]
check_equal "no descriptor, cgroup or map entry is left" "${before[*]:1}" "${after[*]:1}"
read -ra records < <(count_records)
check_equal "what is missing is counted" "${records[1]}" "${records[2]}"
printf 'row | %s | %s | %s | %s | %s | %s | %s | %s | %s\n' \
	"$count sessions one after the other, ${before[0]} to ${after[0]} KiB" "$(sum refused)" \
	"$(sum through)" "$(sum failed)" "$count" 0 "${records[@]}"
