#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Sessions outlive the daemon and grith exec: killed daemons, restarts, processes left behind.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/files
mkdir -p "$dir"
echo content | tee "$dir/no" >"$dir/yes"
chown -R "$agent" "$dir"
policy daemon <<END
grith: 1
name: daemon
extends: lenient
files:
  - {deny: all, path: "$dir/no"}
END

# In a session: does what it is told through one pipe and answers through another.
cat >"$work/worker" <<END
#!/bin/bash
exec <"$work/tell" >"$work/answer"
while read -r order; do
	case \$order in
	try) $probe open "$dir/no" 2>/dev/null && echo allowed || echo "refused \$?" ;;
	read) $probe open "$dir/yes" && echo allowed ;;
	end) exit 0 ;;
	esac
done
END
chmod 755 "$work/worker"
mkfifo "$work/tell" "$work/answer"
chmod 666 "$work/tell" "$work/answer"
exec {tell}<>"$work/tell" {answer}<>"$work/answer"

# ask ORDER: prints the worker's answer.
ask()
{
	local line

	echo "$1" >&"$tell"
	read -r -t 60 -u "$answer" line || line="no answer"
	echo "$line"
}

sessions()
{
	"$grith" ps -q | wc -l
}

start_grithd

# The worker is left behind: grith exec returns, the worker is still supervised and shown.
as agent "$grith" exec --profile daemon --name worker -- \
	sh -c "setsid $work/worker </dev/null >/dev/null 2>&1 & exit 3"
check_equal "grith exec returned with the command's status" 3 $?
check_equal "a refusal for what was left behind" "refused 1" "$(ask try)"
check_equal "one session" 1 "$(sessions)"
check "ps shows the session's process" grep -q "$work/worker" <("$grith" ps)

kill_grithd
check_equal "a refusal without a daemon" "refused 1" "$(ask try)"
check_equal "what is allowed, without a daemon" allowed "$(ask read)"
as agent "$grith" exec --profile daemon -- touch "$work/ran" 2>"$work/said"
check_equal "grith exec without a daemon" 125 $?
check "grith exec without a daemon runs nothing" [ ! -e "$work/ran" ]
check "grith exec without a daemon says so" grep -q "grithd is not running" "$work/said"

start_grithd
check_equal "the session is found again" 1 "$(sessions)"
check "ps still shows its process" grep -q "$work/worker" <("$grith" ps)
check_logged '"kind":"session","op":"adopted"'
check_equal "a refusal after the restart" "refused 1" "$(ask try)"
check "a second daemon is refused" \
	sh -c "! '$probe' start 60 $grithd $(grithd_options | tr '\n' ' ') 2>/dev/null"

stop_grithd
check_equal "a refusal after a clean stop" "refused 1" "$(ask try)"
start_grithd
id=$("$grith" ps -q)
before=$(grep -c "\"op\":\"read\",.*\"path\":\"$dir/yes\"" "$audit")
check_equal "what is allowed, after a clean stop and start" allowed "$(ask read)"
check "the log goes on" logged "\"op\":\"read\",.*\"path\":\"$dir/yes\"" $((before + 1))

echo end >&"$tell"
check_ended "$id"
check_equal "no session is left" 0 "$(sessions)"
check "its cgroup is gone" sh -c "! ls -d '$cgroups'/*/ >/dev/null 2>&1"

# kill ends a session with all that is in it; freeze and thaw.
as agent "$grith" exec --profile daemon --name sleeper -- \
	sh -c "setsid $work/worker </dev/null >/dev/null 2>&1 &"
check_equal "it works" allowed "$(ask read)"
check "freeze" as agent "$grith" freeze sleeper
check "ps shows the state" grep -q frozen <("$grith" ps)
check "thaw" as agent "$grith" thaw sleeper
check_equal "it goes on" allowed "$(ask read)"
id=$("$grith" ps -q)
check "kill" as agent "$grith" kill sleeper
check_ended "$id"
check_equal "nothing is left" 0 "$(sessions)"
