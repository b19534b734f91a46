#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Who may see and end a session: its user and root, nobody else, and no supervised process.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# records USER [OPTION]...: how many records that user gets.
records()
{
	local who=$1
	shift

	as "$who" "$grith" log --json "$@" 2>/dev/null | wc -l
}

start_grithd
mkfifo "$work/ready"
chmod 666 "$work/ready"
exec {ready}<>"$work/ready"
background agent "$grith" exec --profile lenient --name private -- \
	sh -c "echo \$GRITH_SESSION >$work/ready; exec sleep 600"
read -r -t 60 -u "$ready" id || die "no session"

check_equal "its user sees it" "$id" "$(as agent "$grith" ps -q)"
check_equal "root sees it" "$id" "$("$grith" ps -q)"
check_equal "another user does not" "" "$(as other "$grith" ps -q)"
for verb in kill freeze thaw; do
	as other "$grith" "$verb" "$id" 2>/dev/null
	check_equal "another user's $verb" 1 $?
	as other "$grith" "$verb" private 2>/dev/null
	check_equal "another user's $verb by name" 1 $?
done
check_equal "another user's log" 0 "$(records other --session "$id")"
check_equal "another user's log of everything" 0 "$(records other)"
check "its user's log" [ "$(records agent --session "$id")" -gt 0 ]

# In a session nothing can be had from the daemon, as the session's user or as root.
for user in agent root; do
	for command in "ps" "log" "kill $id" "freeze $id" "exec --profile lenient -- true"; do
		as "$user" "$grith" exec --profile lenient -- sh -c "$grith $command" >"$work/said" 2>&1
		status=$?
		check "grith $command in a session of $user fails" [ "$status" != 0 ]
		check "grith $command in a session of $user is denied: $(head -n 1 "$work/said")" \
			grep -qi -e denied -e supervised -e "inside a session" "$work/said"
	done
done
check_equal "the session is still there" "$id" "$("$grith" ps -q)"

# The daemon's files are root's.
for file in "$audit" "$work/state" "$bpffs"; do
	check "$file cannot be read by others" \
		as agent sh -c "! cat '$file' && ! ls '$file'/*" >/dev/null 2>&1
done
