#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# The log counts what strace counts: successful opens, execs and connects of real programs.
# strace stays outside the session and traces grith exec with all its children, one file per thread.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

calls=open,openat,openat2,creat,execve,execveat,connect

# The session's first process begins with the exec of its command; its parent is grith itself.
count_strace()
{
	local first=$1 file

	for file in "$work"/trace/log.*; do
		[ "$file" != "$work/trace/log.$parent" ] || continue
		if [ "$file" = "$work/trace/log.$first" ]; then
			sed -n '/^execve(.*) *= 0$/,$p' "$file"
		else
			cat "$file"
		fi
	done | awk '
		/^(open|openat|openat2|creat)\(.*\) *= [0-9]+$/ && !/O_PATH/ { opens++ }
		/^execve(at)?\(.*\) *= 0$/ { execs++ }
		/^connect\(.*\) *= (0$|-1 EINPROGRESS)/ { connects++ }
		END { printf "%d opens, %d execs, %d connects\n", opens, execs, connects }'
}

count_log()
{
	grep "\"session\":\"$1\"" "$audit" | awk '
		/"op":"(read|write|opendir)","verdict":"allow"/ { opens++ }
		/"kind":"exec"/ { execs++ }
		/"kind":"result","op":"connect"/ && !/"errno":/ { connects++ }
		/"kind":"result","op":"connect"/ && /"errno":"EINPROGRESS"/ { connects++ }
		END { printf "%d opens, %d execs, %d connects\n", opens, execs, connects }'
}

# agree LABEL COMMAND...
agree()
{
	local label=$1 id line status expected
	shift

	rm -rf "$work/trace"
	install -d -o "$agent" "$work/trace"
	as agent \
		strace -ff --seccomp-bpf -qq -s 8 -e trace=$calls -e signal=none -o "$work/trace/log" \
		"$grith" exec --profile lenient --name "$label" -- "$@" >"$work/said" 2>&1
	status=$?
	check_equal "$label under strace: $(tail -n 1 "$work/said")" 0 $status
	line=$(grep -m 1 "\"kind\":\"session\",\"op\":\"start\".*\"name\":\"$label\"" "$audit")
	id=$(field session <<<"$line")
	check_ended "$id"
	line=$(grep -m 1 "\"session\":\"$id\",\"kind\":\"exec\"" "$audit")
	parent=$(grep -l "^execve(\"$grith\"" "$work"/trace/log.* | head -n 1)
	parent=${parent##*.}
	expected=$(count_strace "$(field pid <<<"$line")")
	check_equal "$label: strace and the log: $expected" "$expected" "$(count_log "$id")"
	check "$label: nothing was lost" sh -c "! grep -q '\"session\":\"$id\",\"kind\":\"gap\"' '$audit'"
}

repository=$work/repository
install -d -o "$agent" "$repository"
as agent sh -c "cd $repository && git init -q && echo text >file && git add file" ||
	die "cannot make a repository"

start_grithd
serve serve-tcp 127.0.0.1 7001
serve serve-unix "$work/repository/socket"
cd "$repository" || exit 1
agree git git status --short
agree node node -e "
	const net = require('net');
	require('child_process').execFileSync('/bin/true');
	require('fs').readdirSync('/etc');
	net.connect(7001, '127.0.0.1', () => net.connect('socket', () => process.exit(0)));"
agree npm npm --version
