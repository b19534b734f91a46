#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Each hash map of the kernel side is filled from outside, one after the other, under load.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# fill MAP: enters what nothing else uses until there is no room.
fill()
{
	bpftool --json map show pinned "$bpffs/$1" | python3 -c '
import json, sys
shape = json.load(sys.stdin)
value = " ".join(["0"] * shape["bytes_value"])
for i in range(shape["max_entries"]):
    key = (0xfe << 56 | i).to_bytes(8, "little") + bytes(shape["bytes_key"])
    key = " ".join(str(b) for b in key[: shape["bytes_key"]])
    print("map update pinned", sys.argv[1], "key", key, "value", value)' "$bpffs/$1" >"$work/batch"
	bpftool batch file "$work/batch" >/dev/null 2>"$work/filled"
	grep -q "Argument list too long\|No space" "$work/filled"
}

hash_maps()
{
	local map

	for map in "$bpffs"/*; do
		[ "$(bpftool --json map show pinned "$map" 2>/dev/null | python3 -c '
import json, sys
print(json.load(sys.stdin).get("type"))' 2>/dev/null)" != hash ] || basename "$map"
	done
}

start_grithd
load one
maps=$(hash_maps)
check "there are such maps" [ "$(wc -w <<<"$maps")" -ge 4 ]
for map in $maps; do
	check "$map is full" fill "$map"
	sleep 1
	check "$map full: what would be held is refused" \
		grep -q refused <(as "$user" timeout 60 "$grith" exec --profile faults --on-hold deny \
			-- "$work/bin/load" "$dir" 1 2>&1 || echo refused)
done
check "doctor says it" grep -qi full <("$grith" doctor 2>&1)
account "each of the maps full: $(tr '\n' ' ' <<<"$maps")"
