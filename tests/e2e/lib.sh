# shellcheck shell=bash
# SPDX-License-Identifier: MPL-2.0
#
# What the end-to-end tests share: a grithd of their own, two ordinary users, and attempts by
# build/probe that are made inside a session and, as a positive control, outside.
#
# A test file sources this, calls start_grithd, describes attempts and runs them:
#
#	policy name <<-END ... END      writes a policy
#	refused [--errno NAME] VERB...  in the session refused with that errno, outside allowed
#	allowed VERB...                 in the session allowed
#	run_attempts [OPTION]...        makes the attempts described so far, in one session of $user
#	                                started with these options of grith exec
#	check TEXT COMMAND...           passes when the command succeeds
#	skip TEXT                       a skip; a failure when GRITH_MUST_RUN=1
#
# At its end a file prints its totals and adds them to $GRITH_E2E_TOTALS.

set -uo pipefail

readonly NO_GRITHD=3 # exit status: the files that follow have no chance either

name=$(basename "$0" .sh)
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
passed=0
failed=0
skipped=0
daemon=
servers=()
background=
more_options=() # of grithd, from its next start on
user=agent # who makes the attempts: agent, other or root

say()
{
	printf 'e2e %s: %s\n' "$name" "$*"
}

pass()
{
	passed=$((passed + 1))
	[ -z "${GRITH_E2E_VERBOSE:-}" ] || say "ok: $*"
}

fail()
{
	failed=$((failed + 1))
	say "FAILED: $*"
}

skip()
{
	if [ "${GRITH_MUST_RUN:-}" = 1 ]; then
		fail "skipped although everything must run: $*"
	else
		skipped=$((skipped + 1))
		say "skipped: $*"
	fi
}

# The end of the file, for what makes all that follows pointless.
die()
{
	fail "$*"
	exit 1
}

check()
{
	local text=$1
	shift

	if "$@"; then pass "$text"; else fail "$text"; fi
}

check_equal()
{
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1: expected '$2', got '$3'"; fi
}

# --- users and places

[ "$(id -u)" = 0 ] || {
	echo "e2e: run as root, on a kernel that can enforce: scripts/vm -- tests/e2e/run" >&2
	exit 1
}

prefix_of()
{
	printf '%s\n' setpriv --reuid "$1" --regid "$(id -g "$1")" --clear-groups \
		env HOME="$(getent passwd "$1" | cut -d : -f 6)" USER="$1"
}

# In the guest two users are made; elsewhere two must be named that may be used.
if [ "${GRITH_IN_VM:-}" = 1 ]; then
	for i in agent:4000 other:4001; do
		grep -q "^${i%:*}:" /etc/passwd && continue
		echo "${i%:*}:x:${i#*:}:${i#*:}::/home/${i%:*}:/bin/bash" >>/etc/passwd
		echo "${i%:*}:x:${i#*:}:" >>/etc/group
		install -d -m 700 -o "${i#*:}" -g "${i#*:}" "/home/${i%:*}"
	done
	agent=agent
	other=other
	# Else the kernel itself keeps a user's processes apart and no control can work.
	[ ! -e /proc/sys/kernel/yama/ptrace_scope ] || echo 0 >/proc/sys/kernel/yama/ptrace_scope
else
	read -r agent other <<<"${GRITH_E2E_USERS:-}"
	[ -n "${other:-}" ] || {
		echo "e2e: outside the guest, name two users: GRITH_E2E_USERS='one other'" >&2
		exit 1
	}
fi

work=$(mktemp -d "/tmp/grith-e2e-$name.XXXXXX") || exit 1
chmod 755 "$work"
policies=$work/policy
logs=$work/log
audit=$logs/audit.jsonl
# Under tests/e2e/run the files share these and keep them, so that one grithd after the other
# adopts the programs of the first instead of loading its own.
bpffs=/sys/fs/bpf/${GRITH_E2E_SHARED:-grith-e2e-$name}
cgroups=$(awk '{ for (i = 7; i < NF; i++) if ($i == "-" && $(i + 1) == "cgroup2") {
	print $5; exit } }' /proc/self/mountinfo)/${GRITH_E2E_SHARED:-grith-e2e-$name}
export GRITH_SOCKET=$work/grithd.sock
mkdir "$policies" "$logs" "$work/state" "$work/bin"
# The users may not be able to reach the project.
cp "$project"/build/{probe,grith,grithd} "$work/bin" || exit 1
probe=$work/bin/probe
grith=$work/bin/grith
grithd=$work/bin/grithd

# What goes before a command so that this user runs it.
# shellcheck disable=SC2034 # found by name
{
	prefix_root=()
	mapfile -t prefix_agent < <(prefix_of "$agent")
	mapfile -t prefix_other < <(prefix_of "$other")
}

# as root|agent|other COMMAND...
as()
{
	local -n prefix=prefix_$1
	shift

	"${prefix[@]}" "$@"
}

# background root|agent|other COMMAND...: the same in the background, until the end of the file.
# Sets background, its process id.
background()
{
	local -n prefix=prefix_$1
	shift

	"${prefix[@]}" "$@" &
	background=$!
	servers+=("$background")
}

# --- the daemon

grithd_options()
{
	printf '%s\n' --socket "$GRITH_SOCKET" --policy-dir "$policies" --state-dir "$work/state" \
		--log-dir "$logs" --bpffs "$bpffs" --cgroup-root "$cgroups" \
		--attach "${GRITH_ATTACH:-auto}" "${more_options[@]}"
}

# Returns when it is ready.
start_grithd()
{
	local options

	mapfile -t options < <(grithd_options)
	daemon=$("$probe" start 300 "$grithd" "${options[@]}" 2>>"$work/grithd.log") || {
		tail -n 20 "$work/grithd.log"
		fail "grithd did not start"
		exit $NO_GRITHD
	}
}

end_grithd()
{
	[ -n "$daemon" ] || return 0
	kill -"$1" "$daemon"
	"$probe" await-end 60 "$daemon" || fail "grithd did not end on SIG$1"
	daemon=
}

stop_grithd()
{
	end_grithd TERM
}

kill_grithd()
{
	end_grithd KILL
}

# policy NAME: writes the policy on standard input to the policy directory.
policy()
{
	cat >"$policies/$1.yaml"
}

# Everything is allowed but what a test's own rules refuse.
policy lenient <<'END'
grith: 1
name: lenient
defaults: {read: allow, write: allow, create: allow, delete: allow, rename: allow, link: allow,
  metadata: allow, list: allow, exec: allow, connect: allow, bind: allow, listen: allow,
  unix: allow, socket: allow}
processes: {outside: allow}
io_uring: enforce
unknown: allow
END

# serve VERB...: starts one of the probe's servers as $user; returns when it serves.
serve()
{
	local line ready
	local -n prefix=prefix_$user

	exec {ready}< <(exec "${prefix[@]}" "$probe" "$@")
	servers+=($!)
	read -r -t 60 -u "$ready" line || line=
	exec {ready}<&-
	[ "$line" = ready ] || die "no server: probe $*"
}

# Ends what serve and background have started.
end_servers()
{
	[ "${#servers[@]}" != 0 ] || return 0
	kill "${servers[@]}" 2>/dev/null
	wait "${servers[@]}" 2>/dev/null
	servers=()
}

# shellcheck source=attempts.bash
. "${BASH_SOURCE[0]%/*}/attempts.bash"

# --- the audit log

# logged PATTERN [TIMES]: that many lines of the log match, now or soon.
logged()
{
	local times=${2:-1}

	[ "$(timeout 15 tail -n +1 -F "$audit" 2>/dev/null | grep -c -m "$times" -E -- "$1")" = "$times" ]
}

check_logged()
{
	check "the log has $1" logged "$1"
}

# check_refusal OP FIELDS [VERDICT ERRNO]: the log has such a refusal, with these fields next.
check_refusal()
{
	check_logged "\"op\":\"$1\",\"verdict\":\"${3:-deny}\",\"errno\":\"${4:-EACCES}\",$2"
}

# The session's last record.
check_ended()
{
	check "$1 has ended" logged "\"session\":\"$1\",\"kind\":\"session\",\"op\":\"end\""
}

# Prints a field of a line of the log: field NAME <LINE. For names and numbers.
field()
{
	sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"
}

# --- the end

kernel_at_least()
{
	[ "$(printf '%s\n%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ]
}

# Ends what enforces and who is left under it.
unload()
{
	local options

	mapfile -t options < <(grithd_options)
	[ ! -d "$cgroups" ] || echo 1 >"$cgroups/cgroup.kill"
	[ ! -d "$bpffs" ] || "$grithd" "${options[@]}" --unload --force >>"$work/grithd.log" 2>&1 ||
		fail "grithd --unload: $(tail -n 3 "$work/grithd.log")"
}

finish()
{
	local status=$?

	trap - EXIT
	end_servers
	stop_grithd
	[ -n "${GRITH_E2E_KEEP:-}" ] || unload
	[ "$failed" = 0 ] || { echo "--- grithd said:" && tail -n 30 "$work/grithd.log"; }
	say "$passed passed, $failed failed, $skipped skipped"
	[ -z "${GRITH_E2E_TOTALS:-}" ] || echo "$passed $failed $skipped" >>"$GRITH_E2E_TOTALS"
	! mountpoint -q "$work/tmpfs" || umount -l "$work/tmpfs"
	rm -rf "$work"
	[ "$failed" = 0 ] || [ "$status" != 0 ] || status=1
	exit "$status"
}
trap finish EXIT
