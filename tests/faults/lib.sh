# shellcheck shell=bash
# SPDX-License-Identifier: MPL-2.0
#
# What the faults share: sessions under load, and an account of them afterwards. A fault's file
# sources this, starts loads, does what it is about, and calls account, which prints its row of
# the table:
#
#	row | FAULT | refused | got through | allowed failed | sessions | lost | records | missing | counted
#
# missing: records that are not in the log; counted: those that gaps in the log say were lost.

. "${BASH_SOURCE[0]%/*}/../e2e/lib.sh"

dir=$work/load
cp "$project/build/fault-load" "$work/bin/load" || exit 1
loads=()

install -d -o "$agent" "$dir"
cp /bin/true "$dir/program" # of its own: an executed file cannot be opened for writing
echo content | tee "$dir/no" "$dir/held" >"$dir/yes"
chown "$agent" "$dir"/*
chmod 755 "$dir"/*

policy faults <<END
grith: 1
name: faults
extends: lenient
files:
  - {deny: all, path: ["$dir/no", "$dir/program"]}
  - {hold: read, path: "$dir/held"}
END

# load NAME...: a session under load for each.
load()
{
	local i

	for i; do
		as "$user" "$grith" exec --profile faults --name "$i" -- "$work/bin/load" "$dir" \
			>"$work/load-$i" 2>"$work/load-$i.err" &
		loads+=("$!")
		check "session $i has started" logged "\"op\":\"start\".*\"name\":\"$i\""
	done
}

# sum WORD: of that line of all loads.
sum()
{
	cat "$work"/load-* | awk -v word="$1" '$1 == word { n += $2 } END { print n + 0 }'
}

# What the log has of each session, and what it says was lost: "records missing counted".
count_records()
{
	"$grith" log --json | python3 -c '
import json, sys
seen, lost = {}, 0
for line in sys.stdin:
    event = json.loads(line)
    if event["kind"] == "gap":
        lost += event["lost"]
    elif "seq" in event:
        seen.setdefault(event["session"], set()).add(event["seq"])
made = sum(max(numbers) - min(0, min(numbers)) + 1 for numbers in seen.values())
there = sum(map(len, seen.values()))
print(made, made - there, lost)'
}

# account FAULT: ends the loads, and prints the row.
account()
{
	local there records

	there=$("$grith" ps -q | wc -l)
	touch "$dir/stop"
	wait "${loads[@]}"
	for i in $(seq 100); do
		[ -n "$("$grith" ps -q)" ] || break
		sleep 0.1
	done
	check_equal "$1: no refused operation got through" 0 "$(sum through)"
	check_equal "$1: no allowed operation failed" 0 "$(sum failed)"
	cat "$work"/load-*.err
	check_equal "$1: all sessions are there at the end" "${#loads[@]}" "$there"
	check "$1: there was a load" [ "$(sum refused)" -gt 0 ]
	check "$1: the log verifies" "$grith" audit verify --log-dir "$logs" \
		--state-dir "$work/state" >"$work/verified"
	read -ra records < <(count_records)
	check_equal "$1: what is missing is counted" "${records[1]}" "${records[2]}"
	printf 'row | %s | %s | %s | %s | %s | %s | %s | %s | %s\n' "$1" "$(sum refused)" \
		"$(sum through)" "$(sum failed)" "${#loads[@]}" "$((${#loads[@]} - there))" "${records[@]}"
}
