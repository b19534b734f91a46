# shellcheck shell=bash
# SPDX-License-Identifier: MPL-2.0
#
# Attempts of the end-to-end tests: described first, then made by build/probe all in one go, inside
# a session and, those that must be refused there, also outside. Sourced by lib.sh.
# shellcheck disable=SC2154 # what lib.sh sets: user, work, grith, probe

attempts=()

# What the probe reads: each word with a NUL, an empty word at the end.
add_attempt()
{
	local expected=$1
	shift

	printf '%s\0' "$@" '' >>"$work/inside"
	[ "$expected" = allowed ] || printf '%s\0' "$@" '' >>"$work/outside"
	attempts+=("$expected ${*//$'\n'/\\n}")
}

refused()
{
	add_attempt refused "$@"
}

allowed()
{
	add_attempt allowed "$@"
}

# Inside first: what is refused there leaves everything as it was for the control.
run_attempts()
{
	local attempt status said control number=0 results controls

	as "$user" "$grith" exec --on-hold deny "$@" -- "$probe" batch <"$work/inside" >"$work/results" \
		2>"$work/said" || fail "grith exec $*: status $?: $(tail -n 5 "$work/said")"
	: >>"$work/outside"
	as "$user" "$probe" batch <"$work/outside" >"$work/controls"
	exec {results}<"$work/results" {controls}<"$work/controls"
	for attempt in "${attempts[@]}"; do
		number=$((number + 1))
		control=
		read -r -u "$results" status said || status=none
		[ "${attempt%% *}" = allowed ] || read -r -u "$controls" control || control=none
		judge "$attempt" "$status" "$said" "$control"
	done
	exec {results}<&- {controls}<&-
	attempts=()
	rm -f "$work/inside" "$work/outside"
}

# judge ATTEMPT STATUS SAID CONTROL: the latter three as the probe printed them.
judge()
{
	local attempt=$1 status=$2 said=$3 control=$4 text

	text="$attempt${user:+ ($user)}"
	case $status:${attempt%% *} in
	1:refused | 0:allowed) ;;
	2:*) skip "$text: $said" && return ;;
	*) fail "$text: status $status $said" && return ;;
	esac
	case $control in
	'' | 0*) pass "$text" ;;
	2*) skip "$text: outside: ${control#2 }" ;;
	*) fail "$text: the same outside: status $control" ;;
	esac
}
