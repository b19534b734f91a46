#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# The audit log of a grithd that runs, and is killed: whole when it is whole, and what was done to a
# copy of it is found and named.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

policy plain <<END
grith: 1
name: plain
extends: lenient
END

# verify DIRECTORY: its log by the state directory's key and head; what it says is in $work/said.
verify()
{
	"$grith" audit verify --log-dir "$1" --state-dir "$work/state" >"$work/said" 2>&1
}

# tampered NAME WHAT SED-SCRIPT: a copy that was changed like this is bad, and WHAT is said of it.
tampered()
{
	local copy=$work/$1

	rm -rf "$copy"
	cp -r "$work/log" "$copy"
	sed -i "$3" "$copy/audit.jsonl"
	verify "$copy"
	check_equal "$1: found" 1 $?
	check "$1: named '$2', not: $(cat "$work/said")" grep -q -- "$2" "$work/said"
}

start_grithd
as agent "$grith" exec --profile plain -- ls / >"$work/out"
verify "$work/log"
check_equal "the log of a grithd that runs is whole: $(cat "$work/said")" 0 $?

kill -KILL "$daemon"
wait "$daemon" 2>/dev/null
start_grithd
as agent "$grith" exec --profile plain -- ls / >"$work/out"
verify "$work/log"
check_equal "and after kill -9 and a new one: $(cat "$work/said")" 0 $?

tampered bit changed '5s/"op":"/"op":"x/'
tampered removed removed 7d
tampered inserted inserted '4{p}'
# shellcheck disable=SC2016 # the last line
tampered end 'cut off' '$d'

"$grith" audit export --log-dir "$work/log" --state-dir "$work/state" >"$work/export"
check_equal "exported" 0 $?
"$grith" audit verify --file "$work/export" --key "$work/state/audit.pub" >"$work/said" 2>&1
check_equal "the export proves itself: $(cat "$work/said")" 0 $?
sed -i '3s/"uid":0/"uid":1/; 3s/"pid":/"pid":1/' "$work/export"
"$grith" audit verify --file "$work/export" --key "$work/state/audit.pub" >"$work/said" 2>&1
check_equal "a changed export does not" 1 $?
as agent "$grith" audit verify --log-dir "$work/log" >"$work/said" 2>&1
check_equal "it is root's alone" 1 $?
