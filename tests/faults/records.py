# SPDX-License-Identifier: MPL-2.0
"""
What the log on standard input (grith log --json) has of the records that the kernel made. Each
record has a number in its session, from 0 without gaps: a number that is not there is a record that
is missing, and a gap in the log says how many of its session were lost. (A command line of more
than 4096 bytes is several records and one line: nothing here has such.)

Prints: made missing counted wrong twice
  wrong   sessions of which not as many are missing as are counted
  twice   lines with a number that another line of the session has
"""
import collections
import json
import sys

numbers = collections.defaultdict(set)
lost = collections.Counter()
twice = 0
for line in sys.stdin:
    event = json.loads(line)
    session = event.get("session")
    if event["kind"] == "gap":
        lost[session] += event["lost"]
    elif "seq" in event:
        twice += event["seq"] in numbers[session]
        numbers[session].add(event["seq"])

missing = {s: max(seen) + 1 - len(seen) for s, seen in numbers.items()}
wrong = sum(missing.get(s, 0) != lost[s] for s in {*missing, *lost})
made = sum(max(seen) + 1 for seen in numbers.values())
print(made, sum(missing.values()), sum(lost.values()), wrong, twice)
