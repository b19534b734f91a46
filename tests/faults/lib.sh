# shellcheck shell=bash
# SPDX-License-Identifier: MPL-2.0
#
# What the faults share: sessions under load, and an account of them afterwards. A fault's file
# sources this, starts loads, does what it is about, and calls account, which prints its row of
# the table:
#
#	row NAME | FAULT | refused | got through | allowed failed | sessions | lost | records | missing | counted
#
# missing: records that are not in the log; counted: those that gaps in the log say were lost.

. "${BASH_SOURCE[0]%/*}/../e2e/lib.sh"

faults=$project/tests/faults
dir=$work/load
cp "$project/build/fault-load" "$work/bin/load" || exit 1
install -d -o "$agent" "$dir"
loads=() # process numbers
sessions=0 # that are to be there at the end
pause=0 # of the loads between two rounds, milliseconds

# What the loads work on. The program is of its own: an executed file cannot be opened for writing.
furnish()
{
	rm -rf "${dir:?}"/*
	cp /bin/true "$dir/program"
	echo content | tee "$dir/no" "$dir/held" >"$dir/yes"
	chown "$agent" "$dir"/*
	chmod 755 "$dir"/*
}

furnish
policy faults <<END
grith: 1
name: faults
extends: lenient
files:
  - {deny: all, path: ["$dir/no", "$dir/program"]}
  - {hold: read, path: "$dir/held"}
END

# execute NAME COMMAND...: runs the command in a session of that name; its totals go to load-NAME.
execute()
{
	as "$user" "$grith" exec --profile faults --on-hold deny --name "$1" -- "${@:2}" \
		>"$work/load-$1" 2>"$work/load-$1.err"
}

# load KIND NAME...: a session for each name, in which operations of that kind are made.
load()
{
	local i

	for i in "${@:2}"; do
		execute "$i" "$work/bin/load" "$dir" "$1" 0 "$pause" &
		loads+=("$!")
		sessions=$((sessions + 1))
		check "session $i has started" logged "\"op\":\"start\".*\"name\":\"$i\""
	done
}

# id_of NAME: of a session.
id_of()
{
	"$grith" ps --json | python3 -c '
import json, sys
print(*[s["id"] for s in json.load(sys.stdin) if s["name"] == sys.argv[1]])' "$1" | grep .
}

await_no_session()
{
	for _ in $(seq 3000); do
		[ -n "$("$grith" ps -q)" ] || return 0
		sleep 0.2
	done
	return 1
}

# Ends the loads. Sets there, how many sessions there were until then.
end_loads()
{
	there=$("$grith" ps -q | wc -l)
	touch "$dir/stop"
	[ ! -p "$dir/go" ] || : <>"$dir/go"
	wait "${loads[@]}"
	check "all sessions end" await_no_session
}

# sum WORD: of that line of all loads.
sum()
{
	cat "$work"/load-* | awk -v word="$1" '$1 == word { n += $2 } END { print n + 0 }'
}

read_log()
{
	"$grith" log --json
}

verify_log()
{
	"$grith" audit verify --log-dir "$logs" --state-dir "$work/state" >"$work/verified"
}

# account FAULT: ends the loads, and prints the row.
account()
{
	end_loads
	conclude "$1"
}

# The same after end_loads.
conclude()
{
	local made missing counted wrong twice

	cat "$work"/load-*.err
	check_equal "$1: no refused operation got through" 0 "$(sum through)"
	check_equal "$1: no allowed operation failed" 0 "$(sum failed)"
	check_equal "$1: no session is lost" "$sessions" "$there"
	check "$1: there was a load" [ "$(sum refused)" -gt 0 ]
	check "$1: the log verifies" verify_log
	read -r made missing counted wrong twice < <(read_log | python3 "$faults/records.py")
	check_equal "$1: what is missing is counted, in each session" 0 "$wrong"
	check_equal "$1: no record is in the log twice" 0 "$twice"
	check "$1: each operation has a record, or is counted" \
		[ "$(($(sum refused) + $(sum through) + $(sum allowed) + $(sum failed)))" -le "$made" ]
	printf 'row %s | %s | %s | %s | %s | %s | %s | %s | %s | %s\n' "$name" "$1" "$(sum refused)" \
		"$(sum through)" "$(sum failed)" "$sessions" "$((sessions - there))" \
		"$made" "$missing" "$counted"
}

# "KiB descriptors cgroups entries": what grithd and the kernel side hold.
held()
{
	local map entries=0

	for map in sessions holds answers late_taint exec_answers stopped_by_user nets own_objects \
		own_listeners signal_owners; do
		entries=$((entries + $("$project/build/fault-fill" "$bpffs/maps/$map" count)))
	done
	echo "$(awk '/^RssAnon:/ { print $2 }' "/proc/$daemon/status")" \
		"$(find "/proc/$daemon/fd" | wc -l)" "$(find "$cgroups" -type d | wc -l)" "$entries"
}
