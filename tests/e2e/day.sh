#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# A working day under the shipped profile for any program of the command line, and how many
# questions it asks: none for work alone, five at most where secrets are touched on the way. Each
# question would have stopped somebody's work.
#
# The day is a script that runs in one session: a morning of work, ten sensitive objects at noon,
# and more work in the afternoon, which what was read at noon must not make doubtful. Most of it is
# done by few programs with many files, because under emulation a program takes long to start.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

readonly OPERATIONS_LEAST=10000
readonly QUESTIONS_MOST=5

home=$(getent passwd "$agent" | cut -d : -f 6)
place=$home/grith-e2e-day
secrets=(.env server.pem infra/terraform.tfstate "$home/.npmrc" "$home/.ssh/config"
	"$home/.ssh/id_ed25519" "$home/.aws/credentials" "$home/.netrc" "$home/.bash_history"
	/etc/shadow)
made=() # those in the home directory that were not there before

# --- the work, in the project's directory

# sources DIRECTORY FILES: a module of C files, written by the shell itself.
sources()
{
	local i

	mkdir -p "$1"
	for ((i = 0; i < $2; i++)); do
		printf 'int f%d(void)\n{\n\treturn %d;\n}\n' "$i" "$i" >"$1/f$i.c"
	done
}

search_and_edit()
{
	find . -name '*.c' -newer README | wc -l
	grep -rl 'return 3' src | wc -l
	sed -i 's/return/return 1 +/' src/*/*.c
	cp -r src copy
	tar -cf /tmp/day.tar copy
	rm -r copy
	tar -xf /tmp/day.tar
	diff -r src copy
	rm -rf copy /tmp/day.tar
}

# As git is used all day: history, branches, a stash.
version_control()
{
	git status --short | wc -l
	git add .
	git commit -qm "$1"
	git checkout -qb "$1"
	echo more >>README
	git commit -qam "$1: more"
	git checkout -q main
	git merge -q "$1"
	echo later >>README
	git stash -q
	git stash pop -q
	git diff --stat | wc -l
	git commit -qam "$1: later"
	git branch -q -d "$1"
	git log --oneline | wc -l
}

# A remote, a linked worktree, maintenance.
rarer_version_control()
{
	git push -q -u /tmp/day-origin.git main
	git worktree add -q -b "$1" ".worktrees/$1"
	git worktree remove ".worktrees/$1"
	git gc -q
}

# A repository that is not the project: many objects at once.
other_repository()
{
	cp -r src "$place-other/more"
	git -C "$place-other" add .
	git -C "$place-other" -c user.name=day -c user.email=day@example.org commit -qm "$1"
}

# Many small files, some renamed into their place, as cargo and its like make them.
build_many()
{
	local i deps=target/debug/deps cache=$HOME/.cache/day

	mkdir -p $deps target/debug/incremental "$cache"
	: >target/debug/.cargo-lock
	for ((i = 0; i < $1; i++)); do
		: <src/m1/f1.c
		echo object >"$deps/unit$i.o.tmp"
		echo "unit$i.o: src/m1/f1.c" >"$deps/unit$i.d"
		echo "$i" >"$cache/$i"
	done
	cp -l $deps/*.d target/debug/incremental
	mkdir $deps/done
	mv $deps/*.tmp $deps/done
	chmod 640 $deps/done/*
	find target -name '*.o.tmp' -size +0 | wc -l
	rm -rf target "$cache"
}

build_c()
{
	make -s && ./program && make -s clean
}

temporary_files()
{
	local i dir

	dir=$(mktemp -d)
	for ((i = 0; i < $1; i++)); do
		echo scratch >"$dir/$i"
	done
	cat "$dir"/* | wc -l
	rm -rf "$dir"
}

scripts()
{
	npm run --offline --silent build
	[ ! -x /usr/bin/python3 ] || /usr/bin/python3 scripts/read.py
}

# work NAME FILES
work()
{
	set -e
	sources src/m1 "$2"
	sources src/m2 "$2"
	sources src/m3 "$2"
	search_and_edit
	build_many "$2"
	temporary_files "$2"
	node server.js
	version_control "$1"
	if [ "$1" = morning ]; then # slow to start: once a day
		build_c
		scripts
		rarer_version_control linked
		other_repository "$1"
	fi
	git rm -qr src/m3
	set +e
}

touch_secrets()
{
	local secret

	for secret in "$@"; do
		cat "$secret"
	done >/dev/null 2>&1
}

# --- before the session

# The project: a repository with what the work needs.
prepare_project()
{
	rm -rf "$place" "$place-other"
	mkdir -p "$place"/{packages/one,scripts,infra} && cd "$place" || return
	git init -q -b main . && git init -q --bare /tmp/day-origin.git
	git init -q "$place-other"
	git config user.name day && git config user.email day@example.org
	echo '# day' >README
	printf '%s\n' node_modules target .worktrees .env '*.pem' '*.tfstate' >.gitignore
	printf 'int main(void)\n{\n\treturn 0;\n}\n' >main.c
	printf 'program: main.c\n\tgcc -o $@ $<\nclean:\n\trm -f program\n' >Makefile
	echo '{"name": "day", "version": "1.0.0", "scripts": {"build": "node build.js"},
		"dependencies": {"one": "file:packages/one"}}' >package.json
	echo '{"name": "one", "version": "1.0.0", "main": "index.js"}' >packages/one/package.json
	mkdir node_modules && ln -s ../packages/one node_modules/one
	echo 'module.exports = 1;' >packages/one/index.js
	echo 'require("fs").writeFileSync("node_modules/built", String(require("one")));' >build.js
	echo 'print(len(open("README").read()))' >scripts/words.py
	echo 'import words' >scripts/read.py
	server >server.js
}

# Servers that the project's own programs talk to.
server()
{
	cat <<-'END'
		const http = require('http'), run = require('child_process').execFile;
		const hello = (request, response) => response.end('hello');
		const tcp = http.createServer(hello), unix = http.createServer(hello);
		const get = (where, next) => http.get(where, answer => {
			answer.resume();
			answer.on('end', next);
		});
		const end = () => [tcp, unix].forEach(server => {
			server.close();
			server.closeAllConnections();
		});
		const ask_unix = () => unix.listen('day.socket', () =>
			get({socketPath: 'day.socket'}, end));
		const ask_curl = () => run('curl', ['-s', 'http://127.0.0.1:3000/'], ask_unix);
		tcp.listen(3000, () => get('http://127.0.0.1:3000/', ask_curl));
	END
}

# What the user has already stays as it is.
prepare_secrets()
{
	local secret

	for secret in "${secrets[@]}"; do
		[ "$secret" != /etc/shadow ] || continue
		[[ $secret != /* ]] || [ ! -e "$secret" ] || continue
		[[ $secret != /* ]] || made+=("$secret")
		# shellcheck disable=SC2016 # for the inner shell
		as agent sh -c 'mkdir -p "${1%/*}" && echo "secret=1" >"$1"' sh \
			"$(cd "$place" && realpath -m "$secret")"
	done
}

# --- what came of it

# Splits the session's lines of the log into before and after.
split_log()
{
	awk -v "session=\"session\":\"$id\"" -v "to=$work/before" -v "later=$work/after" '
		!index($0, session) { next }
		/"op":"create",.*"path":"[^"]*\/noon"/ { to = later }
		{ print >to }' "$audit"
}

# Decided operations; a second try after an answer is the same one.
operations()
{
	grep '"verdict":.*"tid":' "$1" | grep -vc '"held"'
}

# What a person would have been asked.
questions()
{
	grep '"kind":"review"' "$1" | grep -v '"by":"score"'
}

# What was not allowed in the end. Programs whose arguments are judged and settings of git wait for
# their score, and npm goes on without the file of tokens that it does not see.
refusals()
{
	grep -E '"verdict":"(deny|hide|hold)"' "$1" |
		grep -v -e '"verdict":"hold".*"judged"' -e '"verdict":"hold".*/config\.lock"' \
			-e '"verdict":"hide".*/\.npmrc"'
}

install -m 644 "$project"/policy/*.yaml "$policies"
{
	declare -f sources search_and_edit version_control rarer_version_control other_repository \
		build_many build_c temporary_files scripts work touch_secrets prepare_project server
	declare -p place
} >"$work/day"
as agent bash -c ". $work/day && prepare_project" || die "cannot make the project"
prepare_secrets
start_grithd
cd "$place" || die "no $place"
began=$SECONDS
# shellcheck disable=SC2016 # for the inner shell
as agent env PATH=/usr/local/bin:/usr/bin:/bin "$grith" exec --profile generic-cli --on-hold deny \
	--name day -- bash -c '. "$1"; shift
	work morning 45 || exit
	mkdir noon
	touch_secrets "$@"
	work afternoon 15' sh "$work/day" "${secrets[@]}" >"$work/said" 2>&1
status=$?
check_equal "the day: $(tail -n 3 "$work/said")" 0 $status
say "the day took $((SECONDS - began)) s"
id=$(grep -m 1 '"op":"start".*"name":"day"' "$audit" | field session)
check_ended "$id"
split_log
count=$(operations "$work/before")
asked=$(questions "$work/after")
say "$count operations in the morning, $(operations "$work/after") in the afternoon," \
	"$(grep -c . <<<"$asked") questions"
check "at least $OPERATIONS_LEAST operations in the morning" [ "$count" -ge $OPERATIONS_LEAST ]
check "none is lost" [ -z "$(grep '"kind":"gap"' "$audit")" ]
check_equal "questions about work alone" "" "$(questions "$work/before")"
check_equal "refusals of it" "" "$(refusals "$work/before")"
check "no more than $QUESTIONS_MOST questions with secrets: $asked" \
	[ "$(grep -c . <<<"$asked")" -le $QUESTIONS_MOST ]
check_equal "questions in the list" "$(grep -c . <<<"$asked")" \
	"$("$grith" review --list --all --json | grep -c '"by": "--on-hold"')"
for secret in "${secrets[@]}"; do
	# The first is allowed, the second is refused before anybody is asked, for not being root.
	[[ $secret != *.ssh/config && $secret != /etc/shadow ]] || continue
	check_logged "\"op\":\"read\",\"verdict\":\"(deny|hide)\".*\"path\":\"[^\"]*$secret\""
done
[ -z "${GRITH_DAY_LOG:-}" ] || cp "$audit" "$work/said" "$GRITH_DAY_LOG"
cd / || exit 1
rm -rf "$place" "$place-other" /tmp/day-origin.git "${made[@]}"
