#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# A program that does more than can be written down: what is lost is counted, grithd goes on
# answering, and the log stays as small as it was to be.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/dir
install -d -o "$agent" "$dir"
echo content >"$dir/file"
chmod 777 "$work"
# shellcheck source=terminal.bash
. "$(dirname "$0")/terminal.bash"

policy flood <<END
grith: 1
name: flood
extends: lenient
END

# opens COUNT: how often the file is opened, without a pause; 0: without an end.
opens()
{
	cat <<END
import os
n = 0
while n < ($1 or n + 1):
    os.close(os.open("$dir/file", os.O_RDONLY))
    n += 1
END
}

# --- each operation is in the log, or counted as lost

start_grithd
as agent "$grith" exec --profile flood --name counted -- python3 -c "$(opens 80000)" 2>/dev/null
"$grith" log --json | python3 -c '
import json, sys
numbers, lost, opens = [], 0, 0
for line in sys.stdin:
    event = json.loads(line)
    if event["kind"] == "gap":
        lost += event["lost"]
    if "seq" in event:
        numbers.append(event["seq"])
        opens += event.get("path") == sys.argv[1]
# What python does besides is less than 500 records.
print(len(numbers) == len(set(numbers)), opens <= 80000 <= opens + lost < 80500)
' "$dir/file" >"$work/counted"
check_equal "no record twice, none missing without a word" "True True" "$(cat "$work/counted")"
stop_grithd

# --- while grithd does not run: what does not fit the ring is lost, and exactly that

start_grithd
mkfifo "$dir/go"
background agent "$grith" exec --profile flood --name stopped -- python3 -c "
open('$dir/go').read()
$(opens 200000)" 2>/dev/null
check_logged '"path":"'"$dir"'/go"'
kill -STOP "$daemon"
echo >"$dir/go"
wait "$background"
kill -CONT "$daemon"
for _ in $(seq 600); do
	[ -n "$("$grith" ps -q)" ] || break
	sleep 0.2
done
"$grith" log --session stopped --json | python3 -c '
import json, sys
numbers, lost, opens, exits, reasons = set(), 0, 0, 0, set()
for line in sys.stdin:
    event = json.loads(line)
    if event["kind"] == "gap":
        lost += event["lost"]
        reasons.add(event["reason"])
    if "seq" in event:
        numbers.add(event["seq"])
        opens += event.get("path") == sys.argv[1]
        exits += event["kind"] == "exit"
print(opens + exits + lost, reasons == {"the ring buffer was full"}, lost, len(numbers))
' "$dir/file" >"$work/stopped"
read -r sum reasons lost logged <"$work/stopped"
check_equal "each open and the exit is in the log or lost" 200001 "$sum"
check_equal "for the reason that it was" True "$reasons"
check "some were lost" [ "$lost" -gt 0 ]
check_equal "the report says how many" "$lost" \
	"$("$grith" report stopped --json | sed -n 's/.*"operations":[0-9]*,"lost":\([0-9]*\).*/\1/p')"
"$grith" doctor --json 2>/dev/null | python3 -c '
import re, sys
print(max(map(int, re.findall(r"\"lost_path\": *([0-9]+)", sys.stdin.read()))))
' >"$work/doctor"
check "doctor, too" [ "$(cat "$work/doctor")" -ge "$((lost - 1))" ]
check "and the rest was written" [ "$logged" -gt 10000 ]
stop_grithd

# --- while it goes on

more_options=(--audit-size=1M --audit-keep=4)
start_grithd
background agent "$grith" exec --profile flood --name endless -- python3 -c "$(opens 0)" 2>/dev/null
check_logged '"path":"'"$dir"'/file"'
check "ps answers" grep -q endless <("$grith" ps)
check_equal "log has an end" 5 "$("$grith" log -n 5 | wc -l)"
check_equal "top, as JSON" endless "$(as agent "$grith" top -b -n 1 -d 5 --json |
	sed -n 's/.*"sessions":\[{"id":"[^"]*","name":"\([^"]*\)".*/\1/p')"

open 80 24
shown "top" "^.endless"
shown "its events" "allow read "
shown "its rate" "^ *[0-9.]*[1-9][0-9.]*[kM]? ops/s"
keys '?'
shown "it answers keys" "F6 or >"
keys q
sleep 0.5
keys q
shown "and ends" "ended-with-0"
close

# The first file, in any of its forms.
oldest()
{
	find "$logs" -name 'audit-00000000000000000001.*'
}

for _ in $(seq 100); do
	[ -n "$(oldest)" ] || break
	sleep 0.2
done
check_equal "what is too old goes" "" "$(oldest)"
# One is being compressed, some came since.
check "no more are kept than were asked for" \
	[ "$(find "$logs" -name 'audit-*.jsonl*' | wc -l)" -le 8 ]
check "kill ends it" "$grith" kill endless
for _ in $(seq 100); do
	[ -n "$("$grith" ps -q)" ] || break
	sleep 0.1
done
check_equal "nothing is left of it" "" "$("$grith" ps -q)"
check "the log verifies" "$grith" audit verify --log-dir "$logs" --state-dir "$work/state" >"$work/said"
