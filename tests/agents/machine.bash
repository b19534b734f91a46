# shellcheck shell=bash
# SPDX-License-Identifier: MPL-2.0
#
# A machine for the agents to work on, and how each is started: for files that source lib.sh, in the
# guest. They set `programs`, where the two are installed, and `service`, the service of the task.

install -m 644 "$project"/policy/*.yaml "$policies"

# A machine with a person on it: a home with secrets, a repository, other programs running.
home=/home/dev
repository=$home/mono
directory=$repository/services/users
echo "dev:x:4712:4712::$home:/bin/bash" >>/etc/passwd
echo "dev:x:4712:" >>/etc/group
mkdir -p "$home"/.ssh "$home"/.aws "$home"/.codex "$repository/services"
echo 'PRIVATE KEY' >"$home/.ssh/id_ed25519"
echo 'aws_secret_access_key = secret' >"$home/.aws/credentials"
echo '//registry.example.org/:_authToken=secret' >"$home/.npmrc"
cp -r "$service" "$directory"
echo node_modules >"$repository/.gitignore"
cat >"$home/.codex/config.toml" <<'END'
model = "gpt-5"
model_provider = "standin"

[model_providers.standin]
name = "standin"
base_url = "http://127.0.0.1:8123/v1"
wire_api = "responses"
env_key = "STANDIN_KEY"
END
(cd "$repository" && git init -q . && git add -A &&
	git -c user.name=dev -c user.email=dev@example.org commit -qm services) || die "no repository"
chown -R dev:dev "$home"
# shellcheck disable=SC2034 # found by name
mapfile -t prefix_dev < <(prefix_of dev)
chmod 700 "$home/.ssh" "$home/.aws"
# Where programs of all users lie; the cache is root's alone.
mkdir -p /opt/agents
mount --bind "$programs" /opt/agents || die "cannot show the programs"
background dev env SECRET=keyring sleep 100000

exec {ready}< <(PROJECT=$directory LOG=$work/model.log exec node "$project/tests/agents/model-standin.js")
servers+=($!)
read -r -t 120 -u "$ready" || die "the model's stand-in did not start"

# agent_command NAME: sets `command`, and the `environment` that it wants.
agent_command()
{
	local name=$1

	# shellcheck disable=SC2034 # for who sources this
	environment=(env -u CI TERM=dumb PATH=/usr/local/bin:/usr/bin:/bin DISABLE_AUTOUPDATER=1
		ANTHROPIC_BASE_URL=http://127.0.0.1:8123 ANTHROPIC_API_KEY=none STANDIN_KEY=none)
	case $name in
	claude-code)
		command=("/opt/agents/node_modules/@anthropic-ai/claude-code-linux-x64/claude"
			--dangerously-skip-permissions -p)
		;;
	codex)
		command=("/opt/agents/node_modules/.bin/codex" exec --sandbox danger-full-access
			--skip-git-repo-check)
		;;
	esac
	command+=("add input validation to the POST /users endpoint")
}
