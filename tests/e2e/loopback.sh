#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# Servers on this machine, in a session that has read a secret: what goes to its own stays in it;
# what goes to another's may carry the secret on.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/dir
install -d -m 755 "$dir"
echo TOKEN=hunter2 >"$dir/secret"
cp "$project/policy/weights.yaml" "$policies"
policy loopback <<END
grith: 1
name: loopback
extends: lenient
thresholds: {hold: 2.0, deny: 8.0}
files:
  - {allow: read, path: "$dir/secret", class: credential}
END
start_grithd
serve serve-tcp 127.0.0.1 7301
serve serve-tcp ::1 7302

for user in agent root; do
	allowed connect 127.0.0.1 7301
	allowed open "$dir/secret"
	refused connect 127.0.0.1 7301
	refused connect ::ffff:127.0.0.1 7301
	refused connect ::1 7302
	allowed tcp-own 127.0.0.1 7310 127.0.0.1
	allowed tcp-own 0.0.0.0 7311 127.0.0.1
	allowed tcp-own :: 7312 127.0.0.1
	allowed tcp-own :: 7313 ::1
	allowed tcp-own ::1 7314 ::1
	allowed as-daemon tcp-own 127.0.0.1 7315 127.0.0.1
	refused tcp-own 127.0.0.1 7316 127.0.0.1 share
	run_attempts --profile loopback
done

# A port where the session does not listen any more: whoever takes it next is somebody else.
user=agent
as agent "$probe" tcp-own 127.0.0.1 7317 127.0.0.1 close 2>"$work/said"
check "nobody listens there: $(<"$work/said")" grep -q ECONNREFUSED "$work/said"
as agent "$grith" exec --quiet --profile loopback --on-hold deny -- sh -c \
	"cat $dir/secret && exec $probe tcp-own 127.0.0.1 7317 127.0.0.1 close" >/dev/null
check_equal "a port that was its own is refused" 1 $?
check_logged '"op":"connect","verdict":"allow","address":"127.0.0.1","port":7310.*"own"'
