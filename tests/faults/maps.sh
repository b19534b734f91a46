#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Each map of the kernel side that can be full is filled from outside, one after the other, while
# sessions are under load and another one starts.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

maps="sessions nets holds answers late_taint exec_answers stopped_by_user own_objects own_listeners
	signal_owners rechecked start_terminals"

# Those with keys of our choice that are pinned.
check_list()
{
	local map

	for map in "$bpffs"/maps/*; do
		case $(bpftool --json map show pinned "$map" |
			sed 's/.*"type":"\([a-z_]*\)".*/\1/') in
		hash | lru_hash | lpm_trie) basename "$map" ;;
		esac
	done
}

start_grithd
check_equal "these are all of them" "$(tr -s ' \t' '\n' <<<"$maps" | sort)" "$(check_list | sort)"
load each one
load held two
for map in $maps; do
	entries=$("$project/build/fault-fill" "$bpffs/maps/$map" fill)
	check "$map is full" [ "${entries:-0}" -gt 0 ]
	execute "with-$map" timeout 60 sh -c "
		'$work/bin/load' '$dir' each 10
		'$work/bin/load' '$dir' held 10"
	say "$map, $entries entries: $(tr '\n' ' ' <"$work/load-with-$map")$(head -n 1 "$work/load-with-$map.err")"
	check "$map full: a session goes on, or is refused with a word" \
		[ -s "$work/load-with-$map" -o -s "$work/load-with-$map.err" ]
	check "$map is emptied" [ "$("$project/build/fault-fill" "$bpffs/maps/$map" drain)" -gt 0 ]
done
check "without room for a session the message has the limit" \
	grep -q "no more than 1024 sessions" "$work/load-with-sessions.err"
check "doctor says it" grep -q "the table of holds was full" <("$grith" doctor 2>&1)
account "each of $(wc -w <<<"$maps") maps full"
