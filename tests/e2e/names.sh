#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# One object, one name: whatever a session mounts in namespaces of its own, an object is decided by
# the name that it has where the session started. Under the shipped profiles, and for every layer of
# an overlay; and sandboxes that agents bring along go on working.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

install -m 644 "$project"/policy/*.yaml "$policies"
home=$(getent passwd "$agent" | cut -d : -f 6)
at=$work/at
install -d -o "$agent" "$at" "$work/empty" "$work/project" "$home/.ssh" "$home/.config"
install -d -o "$agent" "$home/.config/autostart"

# The private key of the user, and what runs outside later. Each attempt whose control takes an
# object away, or makes it, has one of its own.
home_attempts()
{
	local key=id_ed25519 file

	rm -f "$home"/.config/autostart/*
	for file in .ssh/id_ed25519 .bashrc .profile; do
		install -o "$agent" -m 600 /dev/stdin "$home/$file" <<<content
	done

	refused open "$home/.ssh/$key"
	refused via-bind "$home/.ssh" "$at" $key open
	refused via-bind "$home" "$at" .ssh/$key open
	refused via-bind / "$at" "$home/.ssh/$key" open
	refused via-tree "$home/.ssh" $key open
	refused via-tree "$home" .ssh/$key open
	refused via-moved-tree "$home/.ssh" "$at" $key open
	refused via-root "$home/.ssh" $key open
	refused via-passed-bind "$home/.ssh" "$at" $key open
	refused via-overlay "$home/.ssh" - "$at" $key open
	refused via-overlay "$home" - "$at" .ssh/$key open
	refused via-detached-overlay "$home/.ssh" "$at" $key open
	refused via-bind "$home" "$at" .bashrc open-append
	refused via-root "$home" .bashrc open-append
	refused via-bind "$home" "$at" .profile unlink
	refused via-bind "$home/.config" "$at" autostart/new create-excl
	refused via-tree "$home/.config" autostart/new2 create-excl
	refused via-bind "$home" "$at" .bashrc chmod
	allowed via-bind /etc "$at" hostname open
	allowed via-bind "$work/project" "$at" new create-excl
	allowed via-root /etc hostname open
}

start_grithd
cd "$work/project" || exit 1
for profile in generic generic-cli; do
	home_attempts
	run_attempts --profile "$profile"
	rm -f "$work/project/new"
done
check_logged "\"path\":\"$home/.ssh/id_ed25519\",\"known_as\":\"$at/id_ed25519\".*\"other_name\""
as agent "$grith" why --last >"$work/out" 2>&1
check "why names the object" grep -qF "is $home/.bashrc under another name" "$work/out"

# A session can be all that holds the namespace that it started in, and leave it. What has no name
# there any more is nobody's: it is refused, and not taken for what was mounted inside.
for profile in generic generic-cli; do
	rm -f "$at"/*
	background root unshare -m "${prefix_agent[@]}" "$grith" exec --name "gone-$profile" \
		--on-hold deny --profile "$profile" -- sh -c "exec sh -c 'touch $at/started
			until [ -e $at/go ]; do sleep 0.1; done
			exec unshare -Urm cat $home/.ssh/id_ed25519 >$at/key'"
	check "$profile: a session in a namespace of its own" \
		timeout 60 sh -c "until [ -e $at/started ]; do sleep 0.1; done"
	pkill -KILL -f "exec --name gone-$profile"
	as agent touch "$at/go"
	check "$profile: it ends" timeout 60 sh -c "while [ -n \"\$($grith ps -q)\" ]; do sleep 0.1; done"
	check "$profile: refused where the first namespace is gone" test -e "$at/key" -a ! -s "$at/key"
done

# set_home PATH: the user's home directory in the password database.
set_home()
{
	sed -i "s|^\($agent:.*:\)[^:]*\(:[^:]*\)\$|\1$1\2|" /etc/passwd
}

# A home directory is resolved once, when the session starts: where it is a link, or has a slash
# behind it.
if [ "${GRITH_IN_VM:-}" = 1 ]; then
	ln -s "$home" "$work/link"
	for entry in "$work/link" "$home/"; do
		set_home "$entry"
		refused open "$home/.ssh/id_ed25519"
		run_attempts --profile generic
	done
	set_home "$home"
	check_logged "\"home\":\"$home\""
fi

# What programs do to confine themselves works.
works()
{
	local profile

	for profile in generic generic-cli; do
		check "$profile: $*" as agent "$grith" exec --on-hold deny --profile "$profile" -- \
			"$@"
	done
}

works unshare -Ur true
works unshare -Urm true
works unshare -Urm sh -c "mount -t tmpfs none $at && echo x >$at/x && cat $at/x"
! command -v bwrap >/dev/null || {
	works bwrap --ro-bind / / --dev /dev --proc /proc true
	works bwrap --unshare-all --ro-bind /usr /usr --ro-bind /etc /etc --symlink usr/bin /bin \
		--symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev \
		--tmpfs /tmp --bind "$work/project" /work --chdir /work sh -c 'echo x >x && cat x'
}
cd "$work" || exit 1

# In DIRECTORY, by a policy of its own: no/ where everything is refused, hidden/, yes/.
fixture()
{
	local dir=$1

	rm -rf "$dir"
	mkdir -p "$dir"/{no,no.work,hidden,yes,upper,upper.work,at}
	echo content | tee "$dir"/{no,hidden,yes}/{file,old,open,open-write,unlink,chmod,truncate} \
		"$dir"/no/unlink-tree >/dev/null
	mkdir "$dir"/{no,yes}/sub
	# The group, too: what a user namespace does not map cannot be copied up.
	[ "$user" = root ] || chown -R "$agent:" "$dir"
}

test_in()
{
	local dir=$1/grith-names kind=$2 no yes

	no=$dir/no yes=$dir/yes
	fixture "$dir"
	policy names <<-END
		grith: 1
		name: names
		extends: lenient
		files:
		  - {deny: all, path: "$dir/no/**"}
		  - {hide: all, path: "$dir/hidden/**"}
		namespaces: allow
	END
	for verb in open open-write chmod truncate unlink; do
		refused via-bind "$dir" "$dir/at" "no/$verb" "$verb"
	done
	refused via-bind "$dir" "$dir/at" no/new-bind mkdir
	refused via-tree "$dir" no/file open
	refused via-tree "$dir" no/file open-write
	refused via-tree "$dir" no/unlink-tree unlink
	refused via-tree "$dir" no/new-tree mkdir
	refused --errno ENOENT via-bind "$dir" "$dir/at" hidden/file open
	refused --errno ENOENT via-bind "$dir" "$dir/at" hidden/file stat
	refused via-overlay "$no" - "$dir/at" file open
	refused via-detached-overlay "$no" "$yes" file open
	refused --errno ENOENT via-overlay "$dir/hidden" - "$dir/at" file open
	allowed via-bind "$dir" "$dir/at" yes/file open-write
	if [ "$kind" = disk ]; then
		# Copied up, and in an upper layer: made, opened, removed, cut, renamed.
		refused via-overlay "$no" "$dir/upper" "$dir/at" file open-write
		for verb in create-excl open-create mkdir mknod; do
			refused via-overlay "$yes" "$no" "$dir/at" "new-$verb" "$verb"
		done
		for verb in open-write truncate chmod unlink; do
			refused via-overlay "$yes" "$no" "$dir/at" "$verb" "$verb"
		done
		refused via-overlay "$yes" "$no" "$dir/at" sub rmdir
		allowed via-overlay "$yes" "$dir/upper" "$dir/at" new create-excl
		allowed via-overlay "$yes" "$dir/upper" "$dir/at" old open-write
		allowed via-overlay "$yes" "$dir/upper" "$dir/at" old unlink
	fi
	run_attempts --profile names
	rm -rf "$dir"
}

for user in agent root; do
	test_in "$work" overlay
	[ -z "${GRITH_DISK:-}" ] || test_in "$GRITH_DISK" disk
done

# As root, where the session started: no mount changes, directly or by way of one that is shared.
user=root
mkdir -p "$work/shared/at" "$work/at"
mount --bind "$work/shared" "$work/shared"
mount --make-shared "$work/shared"
refused mount "$work/empty" "$work/at"
refused mount-shared "$work/empty" "$work/shared/at"
refused via-new proc "$work/at" sys/kernel/core_pattern open-write
refused via-new sysfs "$work/at" kernel/profiling open-write
refused via-new cgroup2 "$work/at" cgroup.procs open-write
allowed via-new tmpfs "$work/at" new create-excl
cd "$work/project" || exit 1
run_attempts --profile generic
cd "$work" || exit 1
umount "$work/shared"
check_refusal mount "\"path\":\"$work/at\""

# Where the policy has no namespaces for a session.
user=agent
policy flat <<'END'
grith: 1
name: flat
extends: lenient
namespaces: deny
END
refused user-namespace
run_attempts --profile flat
check_logged '"op":"namespace","verdict":"deny"'
