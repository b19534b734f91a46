#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# What people type and what they get: exit statuses, messages, signals, the terminal, the log.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/files
mkdir -p "$dir"
hostile=$dir/no$(printf '\033[31m\nx')
echo content | tee "$dir/no" "$hostile" >"$dir/yes"
printf 'echo no interpreter line\n' >"$dir/plain"
chmod 755 "$dir/plain"
chown -R "$agent" "$dir"
policy cli <<END
grith: 1
name: cli
extends: lenient
files:
  - {deny: all, path: "$dir/no*", reason: a reason to show}
END

# said STATUS TEXT COMMAND...: the agent's command exits so and says so, on stderr.
said()
{
	local expected=$1 text=$2 status
	shift 2

	as agent "$@" >"$work/out" 2>"$work/said"
	status=$?
	check_equal "status of $*" "$expected" "$status"
	said=$(<"$work/said")
	check "$*: says '$text', not: $said" contains "$said" "$text"
}

# status STATUS COMMAND...: the command exits so, in a session of the agent.
status()
{
	local expected=$1 status
	shift

	as agent "$grith" exec --profile cli -- "$@" >"$work/out" 2>"$work/said"
	status=$?
	check_equal "grith exec $*: $(<"$work/said")" "$expected" "$status"
}

contains()
{
	[[ $1 == *"$2"* ]]
}

run_in_terminal()
{
	TERM=dumb timeout 60 script -qec "$1" /dev/null </dev/null | tr -d '\r'
}

# --- without a daemon

said 125 "grithd is not running (socket $GRITH_SOCKET): " "$grith" exec -- touch "$work/ran"
check "nothing was run" [ ! -e "$work/ran" ]
said 125 "grithd is not running (socket $work/other.sock): " \
	"$grith" exec --socket "$work/other.sock" -- true
said 127 "no-such-command: command not found" "$grith" exec -- no-such-command
said 127 "$dir/nothing: no such file" "$grith" exec "$dir/nothing"
said 126 "$dir/yes: Permission denied" "$grith" exec -- "$dir/yes"
said 126 "$dir: Permission denied" "$grith" exec -- "$dir"
said 125 "exec needs a command" "$grith" exec --observe
said 1 "grithd is not running" "$grith" ps
said 1 "grithd is not running" "$grith" log
said 1 "grithd is not running" "$grith" kill x
said 1 "grithd is not running" "$grith" review --list
said 1 "grithd is not running" "$grith" why --last
said 1 "grithd is not running" "$grith" trust
said 1 "grithd is not running" "$grith" canary list
said 2 "usage: grith review" "$grith" review --all
said 2 "'x' is not the number of a review" "$grith" review allow x
said 2 "--for cannot be 'ever'" "$grith" review allow 1 --for ever
said 2 "usage: grith why" "$grith" why
said 2 "'17' is not an event" "$grith" why 17
said 2 "usage: grith trust" "$grith" trust --reset x --reset-all
said 2 "usage: grith canary" "$grith" canary add token
said 2 "did you mean 'freeze'" "$grith" freze x
said 2 "--all" "$grith" kill
as agent "$grith" doctor >"$work/out" 2>&1
check_equal "doctor without a daemon" 1 $?
check "doctor says that it is not running" grep -q "grithd .*not running" "$work/out"
check "doctor says what is missing: not root" grep -q "not root" "$work/out"
check "doctor, for programs" grep -q '"running": false' <(as agent "$grith" doctor --json)

# A server that is not root's is none, whatever it would say.
mkdir "$work/false" && chown "$agent" "$work/false"
serve serve-unix "$work/false/socket"
said 125 "does not run as root" "$grith" exec --socket "$work/false/socket" -- touch "$work/ran"
check "nothing was run by a false daemon" [ ! -e "$work/ran" ]
end_servers

start_grithd

# --- what stops a session

said 125 "no-such-profile" "$grith" exec --profile no-such-profile -- touch "$work/ran"
said 125 "$dir/missing.yaml: No such file" "$grith" exec --policy "$dir/missing.yaml" -- true
said 125 "exclude each other" "$grith" exec --policy "$dir/yes" --profile cli -- true
cat >"$dir/broken.yaml" <<-END
	grith: 1
	name: broken
	extends: lenient
	fils: []
	files:
	  - {allow: reed, path: /x}
END
said 125 "broken.yaml:4:" "$grith" exec --policy "$dir/broken.yaml" -- touch "$work/ran"
check "every error is there" contains "$said" "broken.yaml:6:"
said 125 "letters" "$grith" exec --profile cli --name "a b" -- touch "$work/ran"
check "nothing was run" [ ! -e "$work/ran" ]
check_equal "no session came of it" "" "$("$grith" ps -q)"

# --- the command

status 0 true
status 7 sh -c 'exit 7'
status 143 sh -c 'kill -TERM $$'
status 137 sh -c 'kill -KILL $$'
status 0 "$dir/plain"
status 1 cat "$dir/no"
printf 'grith: 1\nname: own\nextends: lenient\nexec:\n  - {deny: exec, path: "**/true"}\n' \
	>"$dir/own.yaml"
said 126 "cannot execute" "$grith" exec --policy "$dir/own.yaml" -- true
check "it says where to look" contains "$said" "grith log --session"

as agent sh -c "cd $dir && echo in | GREETING=hello $grith exec --profile cli --name told -- sh -c \
	'cat; id -un; pwd; echo \$GREETING \${#GRITH_SESSION} \$0'" >"$work/told" 2>&1 ||
	fail "input and output: $?"
check_equal "input, user, directory and environment are the caller's" \
	"in $agent $dir hello 10 sh" "$(tr '\n' ' ' <"$work/told" | sed 's/ $//')"
check "a descriptor of the caller is the command's" \
	as agent sh -c "$grith exec --profile cli -- sh -c 'echo x >&5' 5>&1 | grep -q x"
check "the command has no other descriptors" as agent sh -c \
	"$grith exec --profile cli -- sh -c 'ls /proc/self/fd' </dev/null 2>&1 | tr '\n' ' ' |
	grep -qx '0 1 2 3 '"

# --- signals

mkfifo "$work/up"
chmod 666 "$work/up"
exec {up}<>"$work/up"
for signal in TERM HUP USR1; do
	background agent "$grith" exec --profile cli -- sh -c \
		"trap 'exit 41' $signal; echo up >$work/up; while :; do sleep 0.1; done"
	read -r -t 60 -u "$up" _ || fail "no session"
	kill -"$signal" "$background"
	wait "$background"
	check_equal "a command that handles SIG$signal" 41 $?
done
background agent "$grith" exec --profile cli -- sh -c "echo up >$work/up; exec sleep 600"
read -r -t 60 -u "$up" _ || fail "no session"
kill -TERM "$background"
wait "$background"
check_equal "a command that SIGTERM ends" 143 $?

# Killed, grith exec leaves a session that is supervised and can be ended.
background agent "$grith" exec --profile cli --name left -- \
	sh -c "echo up >$work/up; while :; do sleep 0.1; done"
read -r -t 60 -u "$up" _ || fail "no session"
kill -KILL "$background"
wait "$background" 2>/dev/null
id=$(as agent "$grith" ps -q)
check "the session is still there" [ -n "$id" ]
check "ps has its name" grep -q " left " <(as agent "$grith" ps)
check "ps, for programs" grep -q "\"name\": \"left\"" <(as agent "$grith" ps --json)
said 1 "nobody" "$grith" kill nobody
check "kill --all" as agent "$grith" kill --all
check_ended "$id"

# --- the terminal

if command -v script >/dev/null; then
	check_equal "the command has the terminal" terminal \
		"$(run_in_terminal "$grith exec --quiet --profile cli -- sh -c 'test -t 0 && echo terminal'")"
	check "ps is cut to the terminal's width" [ "$(run_in_terminal \
		"stty cols 40; $grith exec --quiet --profile cli -- sleep 0.1; $grith ps" |
		awk '{ if (length > n) n = length } END { print n }')" -le 40 ]
else
	skip "the terminal: no script(1)"
fi

# --- the log

as agent "$grith" exec --observe --profile cli --name watched -- cat "$dir/no" >"$work/out" 2>&1
check_equal "observe refuses nothing" content "$(cat "$work/out")"
as agent "$grith" exec --profile cli --name hostile -- sh -c \
	"cat '$dir/no'; cat '$hostile'; cat '$dir/yes'" >/dev/null 2>&1
check_logged "\"kind\":\"file\",.*\"path\":\"$dir/yes\""
as agent "$grith" log --session hostile --refused >"$work/lines" 2>&1
check_equal "log --session --refused" 2 "$(wc -l <"$work/lines")"
check "a line has the program, the verdict, the object, the rule and its reason" grep -qE \
	" cat\[[0-9]+\] +deny  read +$dir/no  cli.yaml:5 \(a reason to show\)  \[EACCES\]" "$work/lines"
check "hostile bytes are shown, not obeyed" grep -qF "$dir/no\\e[31m\\nx" "$work/lines"
check "observed refusals are refusals too" grep -qF "[observed]" \
	<(as agent "$grith" log --session watched --refused)
check_equal "log -n" 1 "$(as agent "$grith" log --session hostile -n 1 | wc -l)"
check_equal "log --json, --op, --program and --path" 3 "$(as agent "$grith" log --json --op read \
	--session hostile --program cat --path "$dir/*" | grep -c "\"path\":\"$dir/")"
check_equal "log --since nothing" 0 "$(as agent "$grith" log --since 0s | wc -l)"
check_equal "log --verdict" 0 "$(as agent "$grith" log --session hostile --verdict hide | wc -l)"
said 2 "reed" "$grith" log --op reed
said 2 "--since cannot be '1x'" "$grith" log --since 1x

# It follows, and ends with its reader although nothing more comes.
exec {lines}< <(as agent "$grith" log -f -n 0 --op exec)
follower=$!
timeout 60 sh -c "until grep -q grith /proc/$follower/comm; do sleep 0.1; done"
as agent "$grith" exec --profile cli -- true
read -r -t 60 -u "$lines" line || line=
check "log -f shows what happens: $line" grep -q "exec .*/true" <<<"$line"
exec {lines}<&-
check "log -f ends with its reader" "$probe" await-end 60 "$follower"

# --- why

# shellcheck disable=SC2016 # for the inner shell
status 0 sh -c 'cat "$1" 2>/dev/null; exec "$2" why --last' sh "$dir/no" "$grith"
check "why, inside of a session, has the object" grep -qF "$dir/no" "$work/out"
check "and the rule with its reason" grep -qF "cli.yaml:5 (a reason to show)" "$work/out"
as agent "$grith" why --last --json >"$work/out" 2>&1
check_equal "why, outside" 0 $?
check "it is the same refusal" grep -qF '"rule": "cli.yaml:5"' "$work/out"
as other "$grith" why --last >"$work/out" 2>&1
check_equal "of another user there is nothing to explain" 1 $?
check "and why says so" grep -qF "there is no such entry" "$work/out"

# --- reviews, trust and canaries, where there are none

check_equal "review --list" "Nothing waits for an answer." "$(as agent "$grith" review --list)"
check_equal "review --list --json" "[]" "$(as agent "$grith" review --list --json)"
said 1 "there is no such review" "$grith" review allow 999
check_equal "trust" "Nothing was learned from answers yet." "$(as agent "$grith" trust)"
check_equal "canary list" "There are no canaries." "$(as agent "$grith" canary list)"
said 1 "8 to 256 bytes" "$grith" canary add token --stdin <<<short
said 0 "" "$grith" canary add token --stdin <<<"of no use to anybody"
check "a canary is listed" grep -q "^token  *value " "$work/out"
check_equal "its value is not" 0 "$(grep -c "of no use" "$work/out")"
check_equal "others do not see it" "There are no canaries." "$(as other "$grith" canary list)"
said 1 "there already" "$grith" canary add token --stdin <<<"of no use to anybody"
said 0 "" "$grith" canary remove token
check_equal "it is gone" "There are no canaries." "$(<"$work/out")"
said 1 "there is no such canary" "$grith" canary remove token

# --- the doctor

"$grith" doctor >"$work/out" 2>&1
status=$?
check_equal "doctor: $(grep problem "$work/out" | head -n 3)" 0 "$status"
check "doctor tells the attachment" grep -qE "^attachment +(lsm|fmod_ret)$" "$work/out"
check "doctor, for programs" grep -q '"problems": 0' <("$grith" doctor --json)
