#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# grith top as people have it: in a terminal (tmux), over a grithd that decides in the kernel.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/dir
hostile=$dir/evil$(printf '\033[2J\033]0;x\a\n界\342\200\256')
install -d -o "$agent" "$dir"
echo content | tee "$dir/held" "$dir/no" >"$hostile"
chown "$agent" "$dir"/*
chmod 777 "$work"

policy top <<END
grith: 1
name: top
extends: lenient
files:
  - {hold: read, path: "$dir/held", reason: doubtful}
  - {deny: read, path: "$dir/no", reason: a reason to show}
  - {deny: read, path: "$dir/evil*"}
END

# shellcheck source=terminal.bash
. "$(dirname "$0")/terminal.bash"

# Each line has its place: as many as there are rows, none longer than the columns.
check_grid()
{
	check_equal "rows of $1x$2" "$2" "$(screen | wc -l)"
	check "no row of $1x$2 is longer" [ "$(screen | wc -L)" -le "$1" ]
	check "the keys of $1x$2 are in the last row" \
		grep -q "q quit" <(screen | tail -n 1)
}

start_grithd

# --- 80x24: a session, what it does, what it is stopped from doing

open 80 24
shown "it starts" "grith top: 0 sessions"
background agent "$grith" exec --profile top --name blue -- sh -c \
	"cat '$dir/no' '$hostile' '$dir/held' >$work/read; sleep 3000" 2>/dev/null
shown "the session" "^.blue  top"
shown "its processes" "─ [0-9]+ cat $dir/no"
shown "the hold" "HELD: 1 waiting"
shown "the refusal" "cat\[[0-9]+\] +deny  read +/"
shown "a hostile name is shown as text" '\\n界\\xe2\\x80\\xae'
check_grid 80 24
keys h
shown "the pane of the holds" "a allow  s session"
sleep 0.5
keys Enter
shown "its details" "^read +$dir/held"
keys a
for _ in $(seq 100); do
	[ ! -s "$work/read" ] || break
	sleep 0.1
done
check_equal "answered by one key" content "$(cat "$work/read")"
check_logged '"kind":"review".*"state":"allowed"'
keys Escape
shown "nothing is held any more" "held 0|allowed"

# --- keys

keys Tab Tab
shown "the pane of the events" "^> TIME"
keys f
shown "a filter is typed" "filter: _"
keys -l "verdict=deny path=*/no"
keys Enter
shown "a filter is applied" "filter: verdict=deny path"
keys z
shown "one pane" "^. TIME +SESSION"
not_shown "the filter leaves nothing else" "allow"
keys End Enter
shown "the rule of an event" "^rule +top.yaml:6"
shown "its reason" "^reason +a reason to show"
keys Escape f
keys BSpace
for _ in $(seq 40); do keys BSpace; done
keys Enter
shown "without the filter" " allow "
keys z /
keys -l 'evil'
keys Enter
keys Enter
shown "what was searched" "^path .*/evil"
keys Escape '?'
shown "help" "F6 or >"
keys q Space
shown "paused" "PAUSED, "
keys Space

# --- sizes

"${tmux[@]}" resize-window -t top -x 200 -y 50
shown "200x50" "SESSIONS AND PROCESSES.*SESSION +PROGRAM"
check_grid 200 50
"${tmux[@]}" resize-window -t top -x 50 -y 10
shown "too small" "grith top needs 60 columns and 16 rows"
"${tmux[@]}" resize-window -t top -x 80 -y 24
shown "80x24 again" "Tab pane"
check_grid 80 24

# --- stopping, continuing, ending

keys C-z
shown "stopped: the shell is back" "Stopped"
keys -l "fg; echo ended-with-\$?"
keys Enter
shown "continued" "grith top: 1 session"
kill_grithd
shown "grithd has gone" "grithd ended the connection|grithd is not running"
start_grithd
shown "and is back" "blue  top"
keys q
shown "q ends it" "ended-with-0"
keys -l "stty -a | tr ' ;' '\n\n' | grep -xE -- '-?(echo|icanon)' | tr '\n' :"
keys Enter
shown "the terminal is as it was" "^icanon:echo:"

# --- the terminal disappears

keys -l "$grith top"
keys Enter
shown "once more" "grith top: 1 session"
top=$(pgrep -u "$agent" -f "$grith top" | head -n 1)
close
check "it ends with its terminal" "$probe" await-end 10 "$top"

# --- for programs

check_equal "batch, as JSON" "blue" "$(as agent "$grith" top -b -n 1 --json |
	sed -n 's/.*"sessions":\[{"id":"[^"]*","name":"\([^"]*\)".*/\1/p')"
as agent "$grith" top -b -n 2 -d 0.2 >"$work/text"
check_equal "batch, as text" 2 "$(grep -c "grith top: 1 session" "$work/text")"
check "no escape sequence in it" [ -z "$(tr -d '[:print:]\n' <"$work/text" | tr -d '\200-\377')" ]
check_equal "without a terminal" 1 "$(as agent "$grith" top </dev/null >/dev/null 2>"$work/said"
	echo $?)"
check "it says so" grep -q "top needs a terminal" "$work/said"
check_equal "another user sees nothing of it" 0 "$(as other "$grith" top -b -n 1 --json |
	grep -c blue)"

# What was left running is not the next test's.
"$grith" kill --all >/dev/null 2>&1 || true
