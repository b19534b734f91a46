#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Terminals: the one that a session was started in, its own, and those of others.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v script >/dev/null || die "no script(1)"
dir=$work/links
install -d -m 777 "$dir"
policy terminals <<'END'
grith: 1
name: terminals
extends: lenient
terminals: {outside: deny}
END
start_grithd

readonly TIOCSETD=21539 KDSETMODE=19258 VT_ACTIVATE=22022

# in_terminal COMMAND...: on a pseudo terminal of its own, made outside, as $user.
in_terminal()
{
	as "$user" script -qec "$(printf '%q ' "$@")" /dev/null </dev/null
}

# status_inside EXPECTED ATTEMPT...: in a session that was started in such a terminal.
status_inside()
{
	local expected=$1 status
	shift

	in_terminal "$grith" exec --profile terminals --on-hold deny -- "$probe" "$@" >"$work/out" 2>&1
	status=$?
	check "$* in the terminal of the session ($user): $status $(tail -c 300 "$work/out")" [ $status = "$expected" ]
}

for user in agent root; do
	serve serve-pty "$dir/$user"
	refused open "$dir/$user"
	refused open-write "$(readlink "$dir/$user")"
	allowed pty-own
	allowed as-daemon pty-own
	run_attempts --profile terminals
	check_refusal terminal "\"path\":\"$(readlink "$dir/$user")\""

	# Whether the kernel itself refuses it: then with another errno.
	status_inside 1 tiocsti
	status_inside 1 ioctl $TIOCSETD
	status_inside 1 ioctl $KDSETMODE
	status_inside 1 ioctl $VT_ACTIVATE
	in_terminal "$probe" ioctl $TIOCSETD >"$work/out" 2>&1
	check "TIOCSETD outside ($user)" [ $? = 0 ]
	status_inside 1 open "$dir/$user"
	status_inside 0 open /dev/tty
	status_inside 0 open-write /dev/stdin
	status_inside 0 as-daemon open-write /dev/stdin
	status_inside 0 pty-own
done
if ! kernel_at_least 6.2; then
	user=agent
	in_terminal "$probe" tiocsti >"$work/out" 2>&1
	check "TIOCSTI outside" [ $? = 0 ]
fi

# Shells with job control, a terminal in a terminal.
# shellcheck disable=SC2016 # expanded inside
said=$(in_terminal "$grith" exec --profile terminals --on-hold deny -- script -qec \
	'bash --norc -ic "set -m; true & wait; tty >/dev/tty; stty -a >/dev/null && echo all-well"' /dev/null 2>&1)
check "programs in a terminal of their own: $said" grep -q all-well <<<"$said"
