#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# GRITH_FAULT_CHURN (3000) sessions one after the other: grithd keeps nothing of them.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

count=${GRITH_FAULT_CHURN:-3000}

churn()
{
	for _ in $(seq "$1"); do
		as "$user" "$grith" exec --profile faults -- "$work/bin/load" "$dir" each 1 \
			>>"$work/load-churn" 2>>"$work/load-churn.err"
	done
	check "all have ended" await_no_session
}

start_grithd
churn $((count / 10))
read -ra before < <(held)
churn $((count - count / 10))
read -ra after < <(held)
say "memory ${before[0]} KiB, then ${after[0]} KiB; descriptors, cgroups, entries: ${before[*]:1}, ${after[*]:1}"
check "memory is flat within 2 %" [ $((after[0] * 100)) -le $((before[0] * 102)) ]
check_equal "no descriptor, cgroup or map entry is left" "${before[*]:1}" "${after[*]:1}"
sessions=$count
there=$(grep -c '^refused 6$' "$work/load-churn") # to their end
conclude "$count sessions one after the other; ${before[0]} KiB, then ${after[0]} KiB"
