#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# A new name gives nothing: what one name of a file or directory refuses cannot be had by giving it
# another, on tmpfs, ext4 and overlayfs, by an ordinary user and by root, and under the shipped
# profiles. EXDEV is the answer where a program can do the same file by file.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# --- each op class by itself

# In DIR: a directory for each op class that is refused in it, and free/ with directories whose
# guards lie deeper than what is renamed.
fixture()
{
	local dir=$1 class i

	mkdir -p "$dir"/{free,read,write,exec,metadata,delete,list/empty,connect}
	mkdir -p "$dir"/free/{box{1..5}/key,boxes,repo{1,2},in/key,out/hooks,out2/hooks,plain/below,swap/below}
	for class in read write exec metadata delete connect; do
		for i in {1..5}; do echo content >"$dir/$class/$i"; done
	done
	for i in {1..12}; do echo content >"$dir/free/$i"; done
	echo content >"$dir/free/box1/key/file"
	chmod -R a+rwX "$dir"
	[ "$user" = root ] || chown -R "$agent" "$dir"
}

guards()
{
	cat <<-END
		grith: 1
		name: guards
		extends: lenient
		files:
		  - {deny: read, path: ["$1/read/**", "$1/free/box?/key/**"]}
		  - {deny: [write, create], path: ["$1/write/**", "$1/free/repo?/hooks/**"]}
		  - {deny: metadata, path: "$1/metadata/**"}
		  - {deny: delete, path: "$1/delete/**"}
		  - {deny: list, path: "$1/list/**"}
		exec:
		  - {deny: exec, path: "$1/exec/**"}
		unix:
		  - {deny: connect, path: "$1/connect/**"}
	END
}

class_attempts()
{
	local dir=$1 free=$1/free class

	for class in read exec metadata write; do
		refused --errno EXDEV rename "$dir/$class/1" "$free/from-$class"
		refused --errno EXDEV link "$dir/$class/2" "$free/link-$class"
		refused --errno EXDEV rename-exchange "$dir/$class/3" "$free/1"
		refused --errno EXDEV uring plain rename "$dir/$class/4" "$free/uring-$class"
	done
	refused --errno EXDEV rename-exchange "$free/1" "$dir/read/3"
	refused rename-exchange "$free/1" "$dir/write/3"
	refused --errno EXDEV rename "$dir/delete/1" "$free/from-delete"
	refused --errno EXDEV rename "$dir/list/empty" "$free/from-list"
	refused rename "$free/2" "$dir/write/new"
	refused rename "$free/3" "$dir/write/2"
	refused link "$free/4" "$dir/write/link"
	refused uring plain link "$free/5" "$dir/write/link2"
	refused uring plain rename "$free/6" "$dir/write/renamed"

	allowed link "$dir/delete/2" "$free/link-delete"
	allowed rename "$free/7" "$dir/read/7"
	allowed rename "$dir/write/5" "$dir/write/5x"
	allowed rename "$dir/connect/1" "$free/not-a-socket"
	allowed rename "$free/8" "$free/8x"
	allowed rename-exchange "$free/9" "$free/10"
}

tree_attempts()
{
	local free=$1/free

	refused --errno EXDEV rename "$free/box1" "$free/taken"
	refused --errno EXDEV rename "$free/box2" "$1/box2"
	refused --errno EXDEV rename-exchange "$free/box3" "$free/boxes"
	refused --errno EXDEV rename-exchange "$free/boxes" "$free/box3"
	refused --errno EXDEV rename-exchange "$free/out" "$free/repo1"
	refused --errno EXDEV uring plain rename "$free/box4" "$free/taken2"
	refused rename "$free/out2/hooks" "$free/repo2/hooks"

	allowed rename "$free/plain" "$free/plain2"
	allowed rename-exchange "$free/plain2" "$free/swap"
	allowed rename "$free/in" "$1/in"
}

# test_in DIRECTORY tmpfs|disk|overlay
test_in()
{
	local dir

	for user in agent root; do
		[ "$user:$2" != root:tmpfs ] || continue # nothing there depends on both
		dir=$1/grith-e2e-$user
		fixture "$dir"
		guards "$dir" | policy guards
		class_attempts "$dir"
		# An overlay itself does not rename directories of its lower layer.
		[ "$2" = overlay ] || tree_attempts "$dir"
		if [ "$2" != overlay ] || kernel_at_least 6.3; then
			refused tmpfile-link "$dir/free" "$dir/write/tmpfile"
			allowed tmpfile-link "$dir/free" "$dir/free/tmpfile"
		fi
		[ "$2" = overlay ] || refused --errno EXDEV rename "$dir/free" "$dir/freed"
		cd "$dir" || die "no $dir"
		run_attempts --profile guards
		cd "$work" || die "no $work"
		check_moves "$dir"
		rm -rf "$dir"
	done
}

# The log says which of the two names decided, by which rule.
check_moves()
{
	local dir=$1

	check_refusal rename "\"path\":\"$dir/read/1\",\"path2\":\"$dir/free/from-read\".*\"move\":\"the old name restricts read\"" deny EXDEV
	check_refusal rename "\"path\":\"$dir/free/2\",\"path2\":\"$dir/write/new\".*\"move\":\"the new name restricts write\""
}

# --- secrets

# To give a secret another name counts as reading it: afterwards less may be sent.
test_secret()
{
	local dir=$work/secret

	user=agent
	install -d -o "$agent" "$dir"
	as agent sh -c "cd $dir && touch key plain dear dear2"
	policy secret <<-END
		grith: 1
		name: secret
		extends: lenient
		thresholds: {hold: 3.0, deny: 8.0}
		files:
		  - {score: 2.0, on: read, path: "$dir/key", class: secret-high}
		  - {score: 5.0, on: read, path: "$dir/dear*"}
	END
	allowed rename "$dir/plain" "$dir/plain2"
	allowed rename "$dir/key" "$dir/lock"
	refused link "$dir/dear" "$dir/cheap"
	refused rename "$dir/dear2" "$dir/cheap2"
	run_attempts --profile secret
	check_logged "\"path\":\"$dir/key\",\"path2\":\"$dir/lock\".*\"score\":2.00,.*\"flags\":\\[\"read_too\"\\]"
	check_refusal rename "\"path\":\"$dir/dear2\",\"path2\":\"$dir/cheap2\".*\"score\":5.00"
}

# --- under the shipped profiles

# A project in the home directory, what a home directory has, and servers of others in /tmp.
home_fixture()
{
	rm -rf "$home"/{zz*,work,w2,.config,.m2,.docker}
	as agent mkdir -p "$home"/{work/p/{evil/hooks,hooks,below},.config/gcloud,.m2,.docker}
	as agent git init -q "$home/work/p"
	rm -rf "$home/work/p/.git/hooks"
	as agent mkdir "$home/work/p/.git/hooks"
	as agent touch "$home/work/p/.git/hooks/pre-rebase"
	as agent sh -c "cd $home/work/p && for i in 1 2 3 4 5 .env below/f; do echo x >\$i; done"
	as agent sh -c "echo secret >$home/.config/gcloud/creds.db"
}

# Attempts that have one answer under all profiles.
home_attempts()
{
	local p=$home/work/p

	allowed rename "$p/4" "$p/4x"
	allowed rename "$p/below" "$p/other"
	refused rename "$p/1" "$p/.git/hooks/pre-commit"
	refused link "$p/2" "$p/.git/hooks/pre-push"
	refused rename-exchange "$p/3" "$p/.git/hooks/pre-rebase"
	refused --errno EXDEV rename-exchange "$p/evil" "$p/.git"
	refused --errno EXDEV rename-exchange "$p/.git" "$p/evil"
	refused --errno EXDEV rename "$p/.git" "$p/g"
}

# What git and editors rename all day: none of it is refused or asked for.
home_work()
{
	local profile=$1 before

	before=$(wc -l <"$audit")
	in_session git add 1 below
	in_session git -c user.name=a -c user.email=a@example.org commit -qm 1
	in_session git mv below other
	in_session sed -i s/x/y/ 1
	in_session git gc -q
	in_session mv other below
	check_equal "$profile: no rename of ordinary work was refused" "" \
		"$(tail -n "+$((before + 1))" "$audit" |
			grep -E '"op":"(rename|link)","verdict":"(deny|hide|hold)"')"
	as "$user" "$grith" exec --on-hold deny --profile "$profile" -- mv "$home/.config" "$home/zz" \
		>>"$work/said" 2>&1
	check "$profile: mv leaves what may not be read" [ ! -e "$home/zz/gcloud/creds.db" ]
}

in_session()
{
	as "$user" "$grith" exec --on-hold deny --profile "$profile" -- "$@" >>"$work/said" 2>&1
	check_equal "$profile: $*" 0 $?
}

test_shipped()
{
	local profile

	user=agent
	home=$(getent passwd "$agent" | cut -d : -f 6)
	install -m 644 "$project"/policy/*.yaml "$policies"
	for profile in generic generic-cli; do
		home_fixture
		cd "$home/work/p" || die "no project"
		home_work $profile
		cd "$work" || die "no $work"
		home_fixture
		cd "$home/work/p" || die "no project"
		if [ $profile = generic ]; then
			refused rename "$home/.config" "$home/zz1"
			allowed rename "$home/work/p/.env" "$home/work/p/e.txt"
		else
			refused --errno EXDEV rename "$home/.config" "$home/zz1"
			refused --errno EXDEV rename "$home/.m2" "$home/zz2"
			refused rename "$home/work/p/.env" "$home/work/p/e.txt"
		fi
		home_attempts
		if [ $profile = generic ]; then refused rename "$home/work" "$home/w2"
		else refused --errno EXDEV rename "$home/work" "$home/w2"; fi
		run_attempts --profile $profile
		cd "$work" || die "no $work"
	done
}

start_grithd
mkdir -p "$work/tmpfs"
mount -t tmpfs tmpfs "$work/tmpfs" && chmod 755 "$work/tmpfs"
test_in "$work/tmpfs" tmpfs
umount "$work/tmpfs"
if [ -n "${GRITH_DISK:-}" ]; then
	test_in "$GRITH_DISK" disk
else
	skip "ext4: no disk (scripts/vm --disk)"
fi
if [ "$(stat -f -c %T /usr)" = overlayfs ]; then
	test_in /usr/local overlay
else
	skip "overlayfs: /usr is on another file system"
fi
test_secret
test_shipped
