#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# No fault of grith's: each of what the account of a fault must find, brought about, and found.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# finds WHAT: account says that this check failed.
finds()
{
	local before=$passed failures=$failed

	account control >"$work/account"
	passed=$before
	failed=$failures
	check "it is found: $1" grep -q "FAILED: control: $1" "$work/account"
	[ -z "${GRITH_E2E_VERBOSE:-}" ] || cat "$work/account"
	rm -f "$work"/load-*
	loads=()
	sessions=0
	furnish
}

start_grithd
pause=1000 # the log is read again each time

load each lost stays
id=$(id_of lost) || die "no such session"
echo 1 >"$cgroups/$id/cgroup.kill"
check_ended "$id"
finds "no session is lost"

chmod 0 "$dir/yes"
load each one
finds "no allowed operation failed"

# A record that the log does not have, and nobody counted.
read_log()
{
	"$grith" log --json | grep -v '"seq":20,'
}
load each two
finds "what is missing is counted, in each session"

# The last ones: their numbers cannot show it.
read_log()
{
	"$grith" log --json | head -n 20
}
load each three
finds "each operation has a record, or is counted"

read_log()
{
	"$grith" log --json | sed '30p'
}
load each four
finds "no record is in the log twice"

read_log()
{
	"$grith" log --json
}
read -ra before < <(held)
bpftool map update pinned "$bpffs/maps/stopped_by_user" key 1 0 0 0 value 1
read -ra after < <(held)
check_equal "an entry of a map that is left is found" $((before[3] + 1)) "${after[3]}"
bpftool map delete pinned "$bpffs/maps/stopped_by_user" key 1 0 0 0

# A policy that allows what the load takes for refused.
policy faults <<END
grith: 1
name: faults
extends: lenient
END
kill -HUP "$daemon"
load each five
finds "no refused operation got through"
printf X | dd of="$audit" bs=1 seek=600 conv=notrunc status=none
load each six
finds "the log verifies"
echo "row control | what the account must find, brought about | | | | | | | |"
