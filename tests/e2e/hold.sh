#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# Holds from beginning to end: a process that asks for something doubtful waits, stopped, until
# somebody answers, and then goes on as if it had not.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/dir
held=$dir/held
tests=$(dirname "$0")
port=$((20000 + RANDOM % 10000))
options=()
mkdir "$dir"
chown "$agent" "$dir"
chmod 777 "$work"

fresh()
{
	rm -rf "${held:?}"
	install -d -o "$agent" "$held" "$held/sub"
	for i in one two three sub/four sub/five; do
		echo "content of $i" >"$held/$i"
	done
	install -m 755 /bin/true "$held/program"
	chown -R "$agent" "$held"
}

policy held <<END
grith: 1
name: held
extends: lenient
files:
  - {hold: [read, write, create, delete, rename, link, metadata, exec], path: "$held/**", reason: doubtful}
network:
  - {hold: [connect, bind], cidr: 127.0.0.0/8, port: $port}
END

# begin NAME COMMAND...: a session of that name in the background; what it says is in $work/NAME.
begin()
{
	local session=$1
	shift

	rm -f "$work/$session.status"
	# shellcheck disable=SC2016 # for the inner shell
	background agent sh -c 'out=$1; shift; "$@" >"$out" 2>&1; echo $? >"$out.status"' sh \
		"$work/$session" "$grith" exec --profile held --name "$session" "${options[@]}" -- "$@"
}

# Until the session's command has ended, at most a minute.
await_end()
{
	for _ in $(seq 600); do
		[ ! -s "$work/$1.status" ] || return 0
		sleep 0.1
	done
}

# ended NAME STATUS: the session's command has ended with that status, now or soon.
ended()
{
	await_end "$1"
	check_equal "$1 has ended: $(head -c 300 "$work/$1")" "$2" "$(cat "$work/$1.status" 2>/dev/null)"
}

# Prints "ID PID" of the review that waits for an object ending like this. Nothing after a minute.
review()
{
	for _ in $(seq 600); do
		"$grith" review --list --json 2>/dev/null | awk -v "wanted=$1" -f "$tests/review.awk" &&
			return
		sleep 0.05
	done
}

# How many reviews wait for such an object.
reviews()
{
	"$grith" review --list | grep -c -- "$1"
}

state()
{
	sed -n 's/^State:\t\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null
}

# Sets id and pid.
await()
{
	read -r id pid <<<"$(review "$1")"
	check "$1 is asked about" [ -n "${id:-}" ]
}

start_grithd

# --- allowed, denied, unanswered; strangers

fresh
begin read cat "$held/one"
await held/one
check_equal "the reader is stopped" T "$(state "$pid")"
for _ in $(seq 50); do
	kill -CONT "$pid"
done
sleep 0.2
check_equal "strangers do not continue it" T "$(state "$pid")"
check "the reader has not read" [ ! -s "$work/read" ]
check_equal "one review" 1 "$(reviews held/one)"
check_equal "another user does not see it" 0 "$(as other "$grith" review --list | grep -c held/one)"
as other "$grith" review allow "$id" >"$work/said" 2>&1
check_equal "another user may not answer" 1 $?
check_equal "and nothing happens" T "$(state "$pid")"
check "its own user allows it" as agent "$grith" review allow "$id"
ended read 0
check_equal "the reader has read" "content of one" "$(cat "$work/read")"
check_logged '"op":"read","verdict":"hold".*"held"'
check_logged '"op":"read","verdict":"allow".*"answered"'
"$grith" review allow "$id" >"$work/said" 2>&1
check_equal "a review is answered once" 1 $?

begin denied cat "$held/two"
await held/two
check "root denies it" "$grith" review deny "$id"
ended denied 1
check "the reader sees EACCES" grep -q "Permission denied" "$work/denied"

options=(--timeout 1)
begin late cat "$held/one"
ended late 1
check "unanswered is EACCES" grep -q "Permission denied" "$work/late"
check_logged '"kind":"review".*expired'

# --- unattended

options=(--on-hold deny)
begin nobody cat "$held/one"
ended nobody 1
as agent "$grith" why --last --session nobody >"$work/said" 2>&1
check "why says who answered, after the session's end: $(cat "$work/said")" \
	grep -q '^answer *denied for once by --on-hold' "$work/said"
options=(--on-hold allow)
begin anybody cat "$held/one"
ended anybody 0
options=()

# --- some kinds of operation; tests/kernel/hold.c has all of them

# operation NAME OBJECT STATUS-IF-ALLOWED COMMAND...
operation()
{
	local what=$1 object=$2 status=$3 verdict
	shift 3

	for verdict in allow deny; do
		fresh
		begin "$what" "$@"
		await "$object"
		check_equal "$what waits" T "$(state "$pid")"
		check "$what: $verdict" "$grith" review "$verdict" "$id"
		if [ "$verdict" = allow ]; then
			ended "$what" "$status"
		else
			await_end "$what"
			check "$what is refused" grep -qE "Permission denied|EACCES" "$work/$what"
		fi
	done
}

operation create held/new 0 sh -c "set -C; echo new >$held/new"
operation execute held/program 0 sh -c "$held/program"
operation connect "127.0.0.1:$port" 1 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port"

# --- what an answer covers

fresh
begin session sh -c "cat $held/one && cat $held/one && cat $held/two"
await held/one
check "for the session" "$grith" review allow "$id" --for session
await held/two
check "another object is another question" "$grith" review allow "$id"
ended session 0

fresh
begin directory sh -c "cat $held/sub/four && cat $held/sub/five"
await held/sub/four
check "for the directory" "$grith" review allow "$id" --for session --dir "$held/sub"
ended directory 0

fresh
begin always cat "$held/one"
await held/one
check "for always" as agent "$grith" review allow "$id" --for always
ended always 0
begin again cat "$held/one"
ended again 0

# --- what stands is listed, and taken back

check "the answer for always stands" grep -q "allow .*always .*$held/one" \
	<(as agent "$grith" review --answers)
check_equal "not somebody else's" "No answer stands." "$(as other "$grith" review --answers)"
check "taken back" as agent "$grith" review revoke "$id"
begin revoked cat "$held/one"
await held/one
check "it is asked again" "$grith" review allow "$id"
ended revoked 0

mkfifo -m 666 "$work/go"
begin kernel sh -c "cat $held/one && cat $work/go && cat $held/one"
await held/one
check "for the session once more" as agent "$grith" review allow "$id" --for session
as agent "$grith" exec --profile lenient -- "$grith" review revoke all >"$work/said" 2>&1
check "not from a session" grep -q "supervised process" "$work/said"
check_equal "nothing is left" "No answer stands." "$(as agent "$grith" review revoke all)"
echo >"$work/go"
await held/one
check "the kernel asks again" "$grith" review allow "$id"
ended kernel 0

# --- from inside a session

fresh
begin inside cat "$held/two"
await held/two
as agent "$grith" exec --profile lenient -- "$grith" review allow "$id" >"$work/said" 2>&1
check_equal "a supervised process may not answer" 1 $?
check_equal "and nothing happens" T "$(state "$pid")"
check "denied from outside" "$grith" review deny "$id"
ended inside 1

# --- several at once, children, threads, debuggers. What several say goes through a pipe: into a
# file, programs that copy to it at the same time would write over each other.

fresh
begin two sh -c "(cat $held/three & cat $held/two & wait) | cat"
await held/three
check "the first of two" "$grith" review allow "$id"
await held/two
check "the second of two" "$grith" review allow "$id"
ended two 0
check_equal "both have read" 2 "$(grep -c content "$work/two")"

fresh
begin same sh -c "(cat $held/two & cat $held/two & cat $held/two & wait) | cat"
await held/two
sleep 1
check_equal "identical holds are one review" 1 "$(reviews held/two)"
check "and one answer" "$grith" review allow "$id"
ended same 0
check_equal "all three have read" 3 "$(grep -c content "$work/same")"

cat >"$dir/threads.js" <<END
const fs = require('fs'), child = require('child_process');
let left = 2;
const read = (error, text) => {
	if (error) throw error;
	process.stdout.write(text);
	if (!--left) process.stdout.write(child.spawnSync('cat', ['$held/three']).stdout);
};
fs.readFile('$held/sub/four', 'utf8', read);
fs.readFile('$held/two', 'utf8', read);
END
fresh
begin threads node "$dir/threads.js"
for i in sub/four two three; do
	await "held/$i"
	check "node: $i" "$grith" review allow "$id"
done
ended threads 0
check_equal "node has read all three" 3 "$(grep -c content "$work/threads")"

fresh
begin traced strace -f -o "$dir/strace" cat "$held/two"
await held/two
check "under a debugger" "$grith" review allow "$id"
ended traced 0
check "the traced one has read" grep -q content "$work/traced"

# --- stopped, killed, frozen, restarted

fresh
begin stopped cat "$held/two"
await held/two
kill -STOP "$pid"
check "the stopped one is allowed" "$grith" review allow "$id"
sleep 0.5
check_equal "and stays stopped" T "$(state "$pid")"
kill -CONT "$pid"
ended stopped 0

fresh
begin killed cat "$held/two"
await held/two
kill -KILL "$pid"
ended killed 137
check_equal "nobody waits any more" 0 "$(reviews held/two)"

fresh
begin ending cat "$held/two"
await held/two
check "the session is killed" "$grith" kill ending
ended ending 137

fresh
begin frozen cat "$held/two"
await held/two
check "frozen" "$grith" freeze frozen
check "allowed while frozen" "$grith" review allow "$id"
check "thawed" "$grith" thaw frozen
ended frozen 0

fresh
begin restarted cat "$held/two"
await held/two
kill_grithd
check_equal "held without grithd" T "$(state "$pid")"
kill -CONT "$pid"
sleep 0.2
check_equal "and strangers do not continue it" T "$(state "$pid")"
start_grithd
await held/two
check "allowed by the next grithd" "$grith" review allow "$id"
ended restarted 0

# --- arguments

install -m 644 "$project/policy/weights.yaml" "$policies"
install -m 755 /bin/rm "$dir/rm"
policy held <<END
grith: 1
name: held
extends: lenient
exec:
  - {judge: argv, path: "$dir/rm"}
END
stop_grithd
start_grithd
touch "$dir/harmless"
chown "$agent" "$dir/harmless"
begin harmless "$dir/rm" "$dir/harmless"
ended harmless 0
check "the harmless one ran" [ ! -e "$dir/harmless" ]
begin harmful "$dir/rm" -rf --no-preserve-root /
ended harmful 137

# --- very many at once

policy held <<END
grith: 1
name: held
extends: lenient
files:
  - {hold: read, path: "$held/**"}
END
fresh
options=(--on-hold allow)
begin many "$probe" open-many 1000 "$held/two"
ended many 0
check_equal "a thousand were held" 1000 \
	"$(grep -c "\"op\":\"read\",\"verdict\":\"hold\",.*\"comm\":\"probe\"" "$audit")"
