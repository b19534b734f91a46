# shellcheck shell=bash
# SPDX-License-Identifier: MPL-2.0
#
# grith top in a terminal (tmux), for files that source lib.sh. Where there is no tmux, the file
# ends here. $work must be open to $agent.

command -v tmux >/dev/null || {
	skip "the full screen: no tmux"
	exit 0
}

export LC_ALL=C.UTF-8
tmux=(as agent env LC_ALL=C.UTF-8 tmux -f /dev/null -S "$work/tmux")

# open COLUMNS ROWS: grith top in a shell in a terminal of that size.
open()
{
	"${tmux[@]}" new-session -d -s top -x "$1" -y "$2" \
		"env GRITH_SOCKET=$GRITH_SOCKET HISTFILE= PS1='shell: ' bash --norc"
	"${tmux[@]}" send-keys -t top "$grith top; echo ended-with-\$?" Enter
}

close()
{
	"${tmux[@]}" kill-server 2>/dev/null
}

screen()
{
	"${tmux[@]}" capture-pane -p -t top
}

keys()
{
	"${tmux[@]}" send-keys -t top "$@"
}

# shown TEXT PATTERN: the screen has it, now or within a minute.
shown()
{
	local end=$((SECONDS + 60))

	while [ "$SECONDS" -lt "$end" ]; do
		! screen | grep -qE -- "$2" || {
			pass "$1"
			return
		}
		sleep 0.2
	done
	fail "$1: no '$2' on the screen"
	screen
}

# not_shown TEXT PATTERN
not_shown()
{
	if screen | grep -qE -- "$2"; then
		fail "$1"
		screen
	else
		pass "$1"
	fi
}
