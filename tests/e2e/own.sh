#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# What a session made itself is its own, whatever its name is; what others made is theirs. The same
# kinds of names are tried with servers of the session and with servers of outside.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/sockets
install -d -m 777 "$dir"
policy own <<'END'
grith: 1
name: own
extends: lenient
unix:
  - {deny: connect, path: "/**", abstract: "**"}
  - {allow: connect, abstract: "grith-own-pass*"}
END
start_grithd

serve serve-unix "$dir/stream"
serve serve-unix @grith-own-stream
serve serve-dgram "$dir/dgram"
serve serve-dgram @grith-own-dgram
serve serve-connection @grith-own-pass "$dir/stream"
serve serve-connection @grith-own-pass-allowed @grith-own-pass

for user in agent root; do
	refused unix-connect "$dir/stream"
	refused unix-connect @grith-own-stream
	refused unix-dgram "$dir/dgram"
	refused unix-dgram-connect @grith-own-dgram
	refused as-daemon unix-connect "$dir/stream"
	refused receive @grith-own-pass
	allowed receive @grith-own-pass-allowed
	for type in stream seqpacket dgram; do
		allowed unix-own $type "$dir/$user-$type"
		allowed unix-own $type "@grith-own-$user-$type"
		allowed as-daemon unix-own $type "@grith-own-daemon-$user-$type"
	done
	[ $user != root ] || allowed nested-cgroup unix-own stream @grith-own-nested
	run_attempts --profile own
done
check_refusal connect "\"path\":\"$dir/stream\""
check_logged "\"op\":\"connect\",\"verdict\":\"allow\",\"path\":\"$dir/agent-stream\".*\"own\""
