#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# What grith reports of a session is what strace saw of the same run: row by row of the report's
# table, and file by file. strace stays outside the session and traces grith exec with all its
# children; what grith itself did is taken out of its log.
#
# What may differ, and nothing else, is told in truth.py.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

calls=open,openat,openat2,creat,connect,execve,execveat,getdents,getdents64,truncate,ftruncate
calls+=,clone,clone3,fork,vfork,chdir,fchdir,mkdir,mkdirat,mknod,mknodat,symlink,symlinkat,link
calls+=,linkat,rename,renameat,renameat2,unlink,unlinkat,rmdir
place=$work/place
home=$(getent passwd "$agent" | cut -d : -f 6)
labels=()

# The session's first process begins with the exec of its command; its parent is grith itself.
take_grith_out()
{
	awk -v "parent=$2" -v "first=$3" '
		$1 == parent { next }
		$1 == first && !begun { begun = / execve\(.* = 0$/ }
		$1 != first || begun' "$1"
}

# trace LABEL COMMAND...: runs it in a session, under strace; leaves LABEL.session and LABEL.replay.
trace()
{
	local label=$1 log=$work/trace/$1 id line status parent
	shift

	as agent strace -f --seccomp-bpf -qq -y -ttt -s 256 -e trace=$calls -e signal=none -o "$log" \
		"$grith" exec --profile lenient --name "$label" -- "$@" >"$work/said" 2>&1
	status=$?
	check_equal "$label under strace: $(tail -n 1 "$work/said")" 0 $status
	line=$(grep -m 1 "\"kind\":\"session\",\"op\":\"start\".*\"name\":\"$label\"" "$audit")
	id=$(field session <<<"$line")
	check_ended "$id"
	line=$(grep -m 1 "\"session\":\"$id\",\"kind\":\"exec\"" "$audit")
	parent=$(head -n 1 "$log" | cut -d ' ' -f 1)
	take_grith_out "$log" "$parent" "$(field pid <<<"$line")" >"$log.log"
	"$grith" report "$id" --home "$home" --json >"$log.session" || fail "$label: no report"
	"$grith" replay "$log.log" --policy "$policies/lenient.yaml" --project "$PWD" --cwd "$PWD" \
		--home "$home" --json >"$log.replay" || fail "$label: no replay"
	labels+=("$label")
}

prepare()
{
	mkdir -p packages/one src tree/{a,b,c}/{d,e} && git init -q -b main origin || return
	echo text >origin/file && git -C origin add file
	git -C origin -c user.name=t -c user.email=t@example.org commit -qm one
	echo '{"name": "one", "version": "1.0.0", "main": "index.js"}' >packages/one/package.json
	echo '{"name": "place", "version": "1.0.0"}' >package.json
	echo 'module.exports = 1;' >packages/one/index.js
	printf 'int f(void);\nint main(void)\n{\n\treturn f();\n}\n' >src/main.c
	printf 'int f(void)\n{\n\treturn 0;\n}\n' >src/f.c
	printf 'program: main.o f.o\n\tgcc -o $@ $^\n%%.o: %%.c\n\tgcc -c -o $@ $<\n' >src/Makefile
	for i in tree/*/*; do echo "$i" >"$i/file"; done
	ln -s tree/a link
	cat >run.sh <<-'END'
		set -e
		sort <link/d/file | tr a-z A-Z | tee upper | wc -c >count
		while read -r line; do echo "$line"; done <<-TEXT >copy
			$(cat upper count)
		TEXT
		(cd link/e && cat ../d/file file) >>copy
		cp copy copied && mv copied moved && ln moved hard && rm hard
		: >moved
		mkdir -p made/in && rmdir made/in made
	END
	cat >work.py <<-'END'
		import json, os, socket, subprocess, tempfile, threading
		def connect(family, to):
		    with socket.socket(family) as s:
		        return s.connect_ex(to)
		connect(socket.AF_INET, ("127.0.0.1", 7001))
		connect(socket.AF_INET, ("127.0.0.1", 7002))
		connect(socket.AF_UNIX, "socket")
		threads = [threading.Thread(target=os.listdir, args=("tree",)) for i in range(3)]
		[t.start() for t in threads] and [t.join() for t in threads]
		subprocess.run(["true"], check=True)
		with tempfile.NamedTemporaryFile(dir=".") as f:
		    json.dump(sorted(os.environ), open(f.name, "w"))
		for p in filter(str.isdigit, os.listdir("/proc")):
		    try:
		        open(f"/proc/{p}/environ").close()
		    except OSError:
		        pass
		open(os.path.expanduser("~/.gitconfig"), "a").close()
		open("/etc/passwd").close()
	END
}

install -d -o "$agent" "$work/trace" "$place"
cd "$place" || exit 1
as agent bash -c "$(declare -f prepare); prepare" || die "cannot make $place"
start_grithd
serve serve-tcp 127.0.0.1 7001
serve serve-unix "$place/socket"
trace clone git clone -q origin clone
trace build make -s -C src
trace python python3 work.py
trace shell sh run.sh
trace tree sh -c 'find tree -name file -newer package.json -exec grep -l tree {} +
	tar -cf tree.tar tree link && tar -xf tree.tar -C src && rm -r src/tree'
trace npm npm install --offline --no-audit --no-fund ./packages/one
for label in "${labels[@]}"; do
	check "$label: nothing was lost" grep -q '"lost": *0' "$work/trace/$label.session"
	said=$(python3 "$project/tests/e2e/truth.py" "$work/trace/$label".{session,replay,log})
	check_equal "$label: strace and grith: $(tail -n 1 <<<"$said")" "" "$(grep '^differs' <<<"$said")"
done
[ -z "${GRITH_TRUTH_DIR:-}" ] || cp "$work"/trace/*.{session,replay,log} "$GRITH_TRUTH_DIR"
