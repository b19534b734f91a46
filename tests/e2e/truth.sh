#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# What grith reports of a session is what strace saw of the same run: row by row of the report's
# table, and file by file. trace.bash runs the two.
#
# What may differ, and nothing else, is told in truth.py.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=trace.bash
. "$(dirname "$0")/trace.bash"

place=$work/place
home=$(getent passwd "$agent" | cut -d : -f 6)
# shellcheck disable=SC2034 # for trace.bash
tracer=agent trace_environment=() trace_options=(--profile lenient) trace_reading=()

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
compare_traces
