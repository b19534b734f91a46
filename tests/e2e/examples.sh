#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# The EXAMPLES of the manuals, typed as they stand there: those with a '$' by a user in a project,
# those with a '#' by root. What they name is here: an agent, a policy, tests, an operation that is
# held.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ "${GRITH_IN_VM:-}" = 1 ] || die "it needs the directories of an installed grithd: run it in scripts/vm"

home=$(getent passwd "$agent" | cut -d : -f 6)
held=$work/held
mkdir -p "$work/bin" /var/log/grith /var/lib/grith
mount --bind "$logs" /var/log/grith
mount --bind "$work/state" /var/lib/grith
chmod 777 "$work"

as agent mkdir -p "$home/project"
as agent touch "$home/.netrc" "$held"
for program in claude npm; do
	printf '#!/bin/sh\ncat ~/.netrc || echo kept >note\n' >"$work/bin/$program"
	chmod 755 "$work/bin/$program"
done
printf '#!/bin/sh\nexit 0\n' >"$work/bin/notify-send"
chmod 755 "$work/bin/notify-send"
policy generic <<END
grith: 1
name: generic
extends: lenient
files:
  - {deny: read, path: "**/.netrc", reason: passwords}
  - {hold: read, path: "$held", reason: doubtful}
END
as agent cp "$policies/generic.yaml" "$policies/lenient.yaml" "$home/project/"
as agent mv "$home/project/generic.yaml" "$home/project/mine.yaml"

# examples PAGE: its lines of EXAMPLES that are typed.
examples()
{
	awk '/^\.Sh / { here = $2 == "EXAMPLES" }
		here && sub(/^\.Dl /, "") && /^[$#] / { print }' "$project/user/man/$1"
}

# typed LINE: as whom it says, for no longer than a few seconds; what it prints is in $work/said.
typed()
{
	local whom=agent

	[ "${1%% *}" = '$' ] || whom=root
	as $whom env PATH="$work/bin:$PATH" \
		timeout --signal INT --kill-after 5 10 bash -c "cd $home/project && ${1#? }" >"$work/said" 2>&1
}

start_grithd
install -m 644 "$work/state/audit.pub" "$home/project"
"$grith" exec --profile generic -- true # something is in the log before anybody looks
background agent "$grith" exec --quiet --profile generic -- cat "$held"
for ((i = 0; i < 100; i++)); do
	review=$(as agent "$grith" review --list --json | sed -n 's/.*"id": *\([0-9]*\).*/\1/p' | head -n 1)
	[ -z "$review" ] || break
	sleep 0.1
done
check "something is held" [ -n "$review" ]

count=0
while read -r line <&3; do
	# The number is one that waits.
	typed "${line/%session 12/session $review}"
	status=$?
	# A program that follows goes on until it is interrupted.
	[[ "$line" != *' -f' ]] || {
		check_equal "goes on: $line" 124 $status
		status=0
	}
	check_equal "$line: $(head -c 300 "$work/said")" 0 $status
	case $line in
	*'why --last') check "it says why" grep -q passwords "$work/said" ;;
	*'--refused'*) check "it has the refusal" grep -q netrc "$work/said" ;;
	*'review allow'*) check "the held one goes on" wait "$background" ;;
	esac
	count=$((count + 1))
done 3< <(examples grith.1 && examples grith-audit.5)
pkill -u "$agent" -f 'review --watch'
check "there were some: $count" [ "$count" -ge 10 ]
umount /var/log/grith /var/lib/grith
