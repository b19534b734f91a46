#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# Git under the shipped profiles. What it does all day asks nothing. What makes it run a program when
# its user next works there, outside of the session, asks; here nobody answers, so it is refused.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

home=$(getent passwd "$agent" | cut -d : -f 6)
place=$home/grith-e2e-git

# A repository with one commit, as it was before the session, and one to push to.
prepare()
{
	mkdir "$place-0" && cd "$place-0" || return
	git init -q -b main . && git config user.name e2e && git config user.email e2e@example.org
	git config core.pager 'less -R'
	git config alias.last 'log -1'
	echo one >file && git add . && git commit -q -m one
	git init -q --bare -b main "$place-origin.git"
}

# The repository as it was.
restore()
{
	as agent sh -c "rm -rf $place && cp -a $place-0 $place"
}

# in_session PROFILE TEXT: a shell in a session, in the repository.
in_session()
{
	(cd "$place" && as agent env PATH=/usr/bin:/bin "$grith" exec --profile "$1" \
		--on-hold deny -- bash -c "$2") >"$work/said" 2>&1
}

# What the file of settings has, as its user reads it outside of the session.
setting()
{
	as agent git -C "$place" config --get "$1"
}

# works PROFILE TEXT
works()
{
	in_session "$1" "$2" || { fail "$1: $2: $(tail -n 3 "$work/said")" && return; }
	pass "$1: $2"
}

# asks PROFILE TEXT: refused there, and done outside. The repository is a new one for each.
asks()
{
	restore
	if in_session "$1" "$2"; then
		fail "$1: not refused: $2"
	elif ! cmp -s "$place/.git/config" "$place-0/.git/config"; then
		fail "$1: refused, and done: $2"
	else
		pass "$1: $2"
	fi
	restore
	check "outside: $2" as agent bash -c "cd $place && $2"
}

install -m 644 "$project"/policy/*.yaml "$policies"
start_grithd
rm -rf "$place"*
as agent bash -c "place=$place; $(declare -f prepare); prepare" || die "cannot make a repository"
restore

# --- all day

for profile in generic generic-cli; do
	works $profile "git config user.name $profile"
	check_equal "$profile: the name is there" $profile "$(setting user.name)"
	check_equal "$profile: what was there still is" "less -R" "$(setting core.pager)"
	works $profile "git checkout -q -b $profile && echo more >>file && git commit -q -a -m more"
	works $profile "git branch -q --set-upstream-to main && git checkout -q main && git merge -q $profile"
	check_equal "$profile: upstream" refs/heads/main "$(setting branch.$profile.merge)"
	works $profile "git clone -q . clone-$profile && git -C clone-$profile remote add other /srv/x.git"
	works $profile "git init -q new-$profile && git init -q --bare bare-$profile.git"
	works $profile "git branch -q -m $profile renamed-$profile && git branch -q -D renamed-$profile"
	works $profile "! git config --get branch.renamed-$profile.merge"
done
works generic-cli "git remote add origin $place-origin.git && git push -q -u origin main"
check_equal "a branch that is pushed" origin "$(setting branch.main.remote)"
check_equal "questions so far" "" "$(grep '"kind":"review"' "$audit" | grep -v '"by":"score"')"

# --- what git would run

asks generic "git config core.fsmonitor /tmp/x"
asks generic-cli "git config core.hooksPath /tmp"
asks generic "git config alias.st '!/tmp/x'"
asks generic-cli "git config filter.x.clean /tmp/x"
asks generic "git config diff.external /tmp/x && git config core.sshCommand /tmp/x"
asks generic-cli "git config --file .git/config include.path /tmp/x"
asks generic "git remote add x 'ext::sh -c /tmp/x'"
asks generic "git config core.worktree /tmp"

# --- and without git

evil='[core] fsmonitor = /tmp/x'
asks generic "echo '$evil' >>.git/config"
asks generic-cli "sed -i 's/less/more/' .git/config"
asks generic "cp .git/config c && echo '$evil' >>c && mv c .git/config"
asks generic-cli "cp .git/config c && echo '$evil' >>c && ln -f c .git/config"
asks generic "(cat .git/config && echo '$evil') >.git/config.lock && mv .git/config.lock .git/config"
asks generic "ln -s /tmp/c .git/config.lock && mv .git/config.lock .git/config"
asks generic-cli "cp .git/config c && mv c .git/config.lock && mv .git/config.lock .git/config"
# Harmless as it is, and somebody has it open who can still write to it.
asks generic "exec 3>.git/config.lock && cat .git/config >&3 && mv .git/config.lock .git/config"
asks generic-cli "cp .git/config .git/config.lock && ln .git/config.lock c"
asks generic "cp .git/config .git/config.lock && : >>.git/config.lock"
asks generic "touch .git/hooks/pre-commit"
asks generic "mkdir d && cd d && git init -q --bare . && cd .."
asks generic-cli "mkdir d && echo 'ref: refs/heads/main' >d/HEAD"
asks generic "mkdir .husky && echo x >.husky/pre-commit"
asks generic-cli "echo 'node 1' >.tool-versions"
rm -rf "$place"*

# In a namespace of its own: another file, of the same inode number, has the name that is asked about.
# Where inodes are numbered one after the other, as in tmpfs.
place=$work/forged/git
install -d -o "$agent" "$work/forged"
mount -t tmpfs -o mode=1777 none "$work/forged"
as agent bash -c "place=$place; $(declare -f prepare); prepare" || die "cannot make a repository"
cat >"$work/forge" <<END
umask 022
mkdir at
{ cat .git/config && echo '$evil'; } >.git/config.lock
number=\$(stat -c %i .git/config.lock)
mount --bind .git at && mount -t tmpfs none .git || exit
cat at/config >.git/config
for ((i = \$(stat -c %i .git/config) + 1; i < number; i++)); do : >.git/\$i; done
cat at/config >.git/config.lock
[ "\$(stat -c %i .git/config.lock)" = "\$number" ] || exit
mv at/config.lock at/config
END
chmod 644 "$work/forge"
asks generic "unshare -Urm bash $work/forge"
umount "$work/forged"
