#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Policies are compiled beside grithd's work: what it costs others when a user sends the worst ones.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

clients=16
policy generic <<END
grith: 1
name: generic
extends: lenient
END
# Each differs from all others, so that nothing is to be had of an earlier one.
for ((i = 0; i < clients; i++)); do
	cat >"$work/worst-$i.yaml" <<END
grith: 1
files:
  - {deny: read, path: "/srv/$i/**"}
  - {deny: read, path: "**/*a??????????????????????????????????????"}
END
done
chmod 644 "$work"/worst-*.yaml

# Prints the median and the maximum of twenty, in milliseconds.
twenty_ps()
{
	local before

	for ((i = 0; i < 20; i++)); do
		before=$(date +%s%N)
		"$grith" ps >/dev/null || fail "ps failed"
		echo $((($(date +%s%N) - before) / 1000000))
	done | sort -n | awk '{ ms[NR] = $1 } END { print ms[10], ms[20] }'
}

start_grithd
idle=$(twenty_ps)

pids=()
for ((i = 0; i < clients; i++)); do
	background agent "$grith" exec --policy "$work/worst-$i.yaml" -- true 2>"$work/said-$i"
	pids+=("$background")
done

# The compiler of the first one runs, and those of the others wait or were refused by now.
until pgrep -P "$daemon" >/dev/null; do
	sleep 0.1
done
first=$(pgrep -P "$daemon" | head -n 1)
# Stopped, it is not done before any of these.
kill -STOP "$first"
check "grith ps answers while a policy is compiled" "$grith" ps
check "another user's session starts meanwhile" as other "$grith" exec -- true
kill -CONT "$first"
during=$(twenty_ps)
say "grith ps, median and maximum: $idle ms; while $clients clients send the worst policies: $during ms"

until grep -q "_MAX" "$work"/said-*; do
	sleep 0.1
done
kill "${pids[@]}" 2>/dev/null
wait "${pids[@]}"
check "the rule that is too much is named" grep -q "worst-[0-9]*.yaml:4:5: .*_MAX" "$work"/said-*
check "who sends too many is told so" grep -q "wait to be compiled" "$work"/said-*

# The second start of a policy compiles nothing.
as agent "$grith" exec -- true
kept=$(find "$work/state/policies" -type f | wc -l)
check "a result is kept" [ "$kept" -ge 1 ]
as agent "$grith" exec -- true
check_equal "and used again" "$kept" "$(find "$work/state/policies" -type f | wc -l)"
