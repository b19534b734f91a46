#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Ordinary work under the shipped generic profile: all of it succeeds and nothing of it is refused.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Copies: whoever checked the project out may own it, and then grithd does not trust it.
install -m 644 "$project"/policy/*.yaml "$policies"
start_grithd
directory=$work/project
install -d -o "$agent" "$directory"
cd "$directory" || exit 1

# What bash and others open again through /proc/self/fd has no path: pipes, here-documents, memfds.
# The end of a file that is renamed and removed on an overlay makes the kernel mark its layers.
# shellcheck disable=SC2016 # expanded inside
said=$(as agent "$grith" exec --on-hold deny --profile generic --name work -- bash -c '
	set -e
	cat <(echo substitution)
	cat /dev/stdin < <(echo stdin)
	echo fd | cat /proc/self/fd/0
	cat /dev/fd/3 3<<<here
	ls / >/dev/null
	mkdir d && echo text >d/f && mv d/f g && rm -r d g
	git init -q repository && cd repository && echo x >x && git add x
	git -c user.name=a -c user.email=a@example.org commit -qm x
	node -e "require(\"fs\").readFileSync(\"/dev/stdin\")" < <(echo x)
	echo done' 2>&1 | grep -v '^grith: note: ')
check_equal "ordinary work" "substitution stdin fd here done" "$(tr '\n' ' ' <<<"$said" | sed 's/ $//')"
check_logged '"kind":"session","op":"end"'
check_equal "nothing was refused but tokens" "" \
	"$(grep -E '"verdict":"(deny|hide|hold)"' "$audit" | grep -v -e '/.npmrc"' -e '"judged"' \
		-e '"verdict":"hold".*/config\.lock"')"
