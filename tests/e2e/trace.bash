# shellcheck shell=bash
# SPDX-License-Identifier: MPL-2.0
#
# One run seen by two: a session, and strace, which stays outside of it and traces grith exec with
# all its children. For files that source lib.sh, as root. They set:
#
#	tracer=USER		who runs it, and home=DIR, theirs
#	trace_environment=(...)	goes before strace: env and the like
#	trace_options=(...)	of grith exec
#	trace_reading=(...)	of both grith report and grith replay: what to leave out

# What strace is asked for.
calls=open,openat,openat2,creat,connect,execve,execveat,getdents,getdents64,truncate,ftruncate
calls+=,clone,clone3,fork,vfork,chdir,fchdir,mkdir,mkdirat,mknod,mknodat,symlink,symlinkat,link
calls+=,linkat,rename,renameat,renameat2,unlink,unlinkat,rmdir
labels=()

# The session's first process begins with the exec of its command; its parent is grith itself.
take_grith_out()
{
	awk -v "parent=$2" -v "first=$3" '
		$1 == parent { next }
		$1 == first && !begun { begun = / execve\(.* = 0$/ }
		$1 != first || begun' "$1"
}

# trace LABEL COMMAND...: runs it in a session, under strace; leaves LABEL.session and LABEL.replay.
trace()
{
	local label=$1 log=$work/trace/$1 id line status parent
	shift

	as "$tracer" "${trace_environment[@]}" \
		strace -f --seccomp-bpf -qq -y -ttt -s 256 -e trace=$calls -e signal=none -o "$log" \
		"$grith" exec "${trace_options[@]}" --name "$label" -- "$@" \
		</dev/null >"$work/said" 2>&1
	status=$?
	check_equal "$label under strace: $(tail -n 1 "$work/said")" 0 $status
	line=$(grep -m 1 "\"kind\":\"session\",\"op\":\"start\".*\"name\":\"$label\"" "$audit")
	id=$(field session <<<"$line")
	check_ended "$id"
	line=$(grep -m 1 "\"session\":\"$id\",\"kind\":\"exec\"" "$audit")
	parent=$(head -n 1 "$log" | cut -d ' ' -f 1)
	take_grith_out "$log" "$parent" "$(field pid <<<"$line")" >"$log.log"
	"$grith" report "$id" --home "$home" "${trace_reading[@]}" --json >"$log.session" ||
		fail "$label: no report"
	"$grith" replay "$log.log" --policy "$policies/lenient.yaml" --project "$PWD" --cwd "$PWD" \
		--home "$home" "${trace_reading[@]}" --json >"$log.replay" || fail "$label: no replay"
	labels+=("$label")
}

# compare_traces: what the two saw of each run is the same, but for what truth.py tells.
compare_traces()
{
	local label said

	for label in "${labels[@]}"; do
		check "$label: nothing was lost" grep -q '"lost": *0' "$work/trace/$label.session"
		said=$(python3 "$project/tests/e2e/truth.py" "$work/trace/$label".{session,replay,log})
		check_equal "$label: strace and grith: $(tail -n 1 <<<"$said")" \
			"" "$(grep '^differs' <<<"$said")"
	done
	[ -z "${GRITH_TRUTH_DIR:-}" ] || cp "$work"/trace/*.{session,replay,log} "$GRITH_TRUTH_DIR"
}
