#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Every file operation, on tmpfs, ext4 and overlayfs, by an ordinary user and by root.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# In DIR: no/ where everything is refused, ro/ where only reading is allowed, yes/.
fixture()
{
	local dir=$1 file

	mkdir -p "$dir"/{no,ro,yes} "$dir"/no/emptydir
	for file in no/{file,write,append,trunc,truncate,creat,unlink,from,exchange,meta} \
		ro/{file,xattr,trunc} yes/{file,write,from,over,exchange,exchange2,unlink}; do
		echo content >"$dir/$file"
	done
	chmod -R a+rwX "$dir"
	[ "$user" = root ] || chown -R "$agent" "$dir"
}

# Attempts that make sense on every file system.
common_attempts()
{
	local dir=$1 no=$1/no ro=$1/ro yes=$1/yes

	refused open "$no/file"
	refused openat2 "$no/file"
	refused open-proc-fd "$no/file"
	refused open-int80 "$no/file"
	refused in-thread open "$no/file"
	refused as-daemon open "$no/file"
	refused via-symlink "$yes" open "$no/file"
	refused open "$yes/../no//file"
	refused open "/proc/self/root$no/file"
	refused open-write "$no/write"
	refused open-rw "$no/write"
	refused open-append "$no/append"
	refused open-trunc "$no/trunc"
	refused open-trunc-read "$no/trunc"
	refused open-create "$no/new1"
	refused open-create "$no/write"
	refused create-excl "$no/new2"
	refused creat "$no/new3"
	refused creat "$no/creat"
	refused truncate "$no/truncate"
	refused ftruncate 9
	refused mkdir "$no/newdir"
	refused rmdir "$no/emptydir"
	refused unlink "$no/unlink"
	refused link "$no/file" "$yes/link1"
	refused link "$yes/file" "$no/link2"
	refused symlink "$no/file" "$no/symlink"
	refused rename "$yes/from" "$no/to"
	refused rename "$yes/over" "$no/write"
	refused rename "$no/from" "$yes/to"
	refused rename-exchange "$no/exchange" "$yes/exchange"
	refused rename-exchange "$yes/exchange" "$no/exchange"
	refused mknod "$no/fifo"
	refused list "$no"
	refused chmod "$no/meta"
	refused chown "$no/meta"
	refused fchmod "$ro/file"
	refused chmod "$ro/file"
	refused open-rw "$ro/file"
	refused open-trunc "$ro/file"
	refused open-trunc-read "$ro/trunc"
	refused receive @grith-e2e-fd
	! kernel_at_least 6.6 || refused fchmodat2 "$ro/file"

	allowed open "$ro/file"
	allowed list "$ro"
	allowed stat "$no/file"
	allowed symlink "$no/file" "$yes/symlink"
	allowed open-rw "$yes/write"
	allowed open-trunc "$yes/write"
	allowed open-trunc-read "$yes/write"
	allowed truncate "$yes/write"
	allowed create-excl "$yes/new"
	allowed unlink "$yes/unlink"
	allowed mkdir "$yes/newdir"
	allowed rmdir "$yes/newdir"
	allowed link "$yes/file" "$yes/link"
	allowed mknod "$yes/fifo"
	allowed chmod "$yes/write"
	allowed rename-exchange "$yes/exchange" "$yes/exchange2"
}

# A file without a name, which gets one later. Overlays have them from 6.3 on.
tmpfile_attempts()
{
	refused tmpfile "$1/no"
	refused tmpfile-link "$1/yes" "$1/no/new4"
	allowed tmpfile "$1/yes"
}

# What only a real file system has: user attributes, handles. Attributes are known by name in the
# file system the session works in.
disk_attempts()
{
	local dir=$1

	if [ "$user" = root ]; then
		refused open-by-handle "$dir/no/file" "${dir%/*}"
		return
	fi
	as agent "$probe" setxattr "$dir/ro/xattr"
	refused setxattr "$dir/ro/file"
	refused removexattr "$dir/ro/xattr"
	allowed setxattr "$dir/yes/file"
}

# Times, from a directory in another file system: the file's name is known wherever it is.
times_attempts()
{
	refused utimes "$1/ro/file"
	refused touch "$1/ro/file"
	allowed utimes "$1/yes/file"
	allowed touch "$1/yes/file"
	cd /dev/shm || die "no /dev/shm"
	run_attempts --profile files
}

# Through a child cgroup of the session's own, which only root can make.
root_attempts()
{
	local no=$1/no

	refused nested-cgroup open "$no/file"
	refused nested-cgroup open-write "$no/file"
	refused nested-cgroup unlink "$no/unlink"
	refused nested-cgroup uring plain open "$no/file"
	refused open "$no/file"
	refused mknod "$no/fifo"
}

# test_in DIRECTORY tmpfs|disk|overlay
test_in()
{
	local place=$1 dir

	for user in agent root; do
		dir=$place/grith-e2e-$user
		fixture "$dir"
		policy "files" <<-END
			grith: 1
			name: files
			extends: lenient
			files:
			  - {deny: all, path: "$dir/no/**"}
			  - {deny: [write, create, delete, rename, link, metadata], path: "$dir/ro/**"}
		END
		serve serve-fd @grith-e2e-fd "$dir/no/file"
		exec 9<>"$dir/no/truncate"
		if [ "$user" = agent ]; then common_attempts "$dir"; else root_attempts "$dir"; fi
		if [ "$2" != overlay ] || kernel_at_least 6.3; then tmpfile_attempts "$dir"; fi
		[ "$2" != disk ] || disk_attempts "$dir"
		cd "$dir" || die "no $dir"
		run_attempts --profile files
		[ "$user" = root ] || times_attempts "$dir"
		cd "$work" || die "no $work"
		exec 9<&-
		end_servers
		check_records "$dir"
		rm -rf "$dir"
	done
}

# One record of a refusal for each kind of operation on what was refused.
check_records()
{
	local op dir=$1

	[ "$user" = agent ] || return 0
	for op in read write create delete truncate metadata receive; do
		check_refusal $op "\"path\":\"$dir/no/"
	done
	check_refusal opendir "\"path\":\"$dir/no\""
	check_logged "\"op\":\"rename\",.*\"path\":\"$dir/no/from\",\"path2\":\"$dir/yes/to\""
	check_logged "\"op\":\"link\",.*\"path\":\"$dir/yes/file\",\"path2\":\"$dir/no/link2\""
	check_logged "\"op\":\"read\",\"verdict\":\"allow\",\"path\":\"$dir/ro/file\""
}

# A file of the overlay's lower layer, before and after it is copied up.
test_lower_layer()
{
	local file=/etc/debian_version

	user=root
	policy lower <<-END
		grith: 1
		name: lower
		extends: lenient
		files:
		  - {deny: all, path: $file}
	END
	refused open $file
	refused open-write $file
	run_attempts --profile lower
	refused open $file
	refused open-rw $file
	run_attempts --profile lower
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
	test_lower_layer
else
	skip "overlay: /usr does not lie on one"
fi
