# SPDX-License-Identifier: MPL-2.0
"""Compares the report of a session with that of a strace log of the same run.

usage: truth.py SESSION.json REPLAY.json STRACE.log

Prints a line "differs: ..." for each difference that has none of these reasons:

1. strace has names as they were printed, a session has the objects: links are followed here, as
   they are after the run; /proc/self and /proc/NUMBER are one.
2. A directory that was opened without O_DIRECTORY is a file for strace.
3. A script is executed by its interpreter, which is what a session has.
4. An open of a device may fail after it was allowed, with ENXIO: a session has counted it, as read
   or as written.
5. O_TMPFILE opens what has no name in a session, and its directory's name in strace's log.
6. What the kernel refuses by itself before it asks anybody is a try for strace alone: a unix socket
   that is not there, and the environment of a process that has ended or is another user's.
7. A program that executes /proc/self/exe is itself.
8. What is sent and bound is not in strace's log: of the network, connections are compared.
"""

import json
import os
import re
import sys

# Rows that do not depend on the names of files.
EQUAL = ("directory_scans", "execs", "environ_read", "gitconfig_read", "passwd_read",
          "npmrc_read", "ssh_config_read", "ssh_known_hosts_read", "connections")


def canonical(path):
    if not path.startswith("/"):
        return path
    path = re.sub(r"^/dev/fd(?=/)", "/proc/self/fd", path)
    path = re.sub(r"^/proc/(self|thread-self|\d+)(/task/\d+)?(?=/|$)", "/proc/PID", path)
    if path.startswith("/proc/PID"):
        return path
    return os.path.realpath(path)


def program(path):
    """The file itself, or the one that its first line names."""
    for _ in range(4):
        path = canonical(path)
        try:
            with open(path, "rb") as f:
                first = f.readline(256)
        except OSError:
            break
        if not first.startswith(b"#!"):
            break
        path = first[2:].split()[0].decode()
    return path


def tally(rows, key, count):
    counts = {}
    for row in rows:
        name = key(row)
        if row[count] and name is not None:
            counts[name] = counts.get(name, 0) + row[count]
    return counts


def names(rows, count):
    return set(tally(rows, lambda row: canonical(row["path"]), count))


def whole_lines(log):
    """The log with each call on one line: those that another one interrupted are joined."""
    begun = {}
    for line in log:
        thread = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>\n"):
            begun[thread] = line[:-len("<unfinished ...>\n")]
            continue
        resumed = re.search(r"<\.\.\. \w+ resumed>(.*\n)", line)
        yield begun.pop(thread, "") + resumed[1] if resumed else line


def failed(log, error, flags=""):
    """How often each file was opened in vain, with this error and these flags."""
    counts = {}
    for line in log:
        match = re.search(rf'open\w*\(.*?"([^"]*)", {flags}.* = -1 {error}', line)
        if match:
            path = canonical(match[1])
            counts[path] = counts.get(path, 0) + 1
    return counts


def is_nameless(path):
    """Of O_TMPFILE, a pipe, a memory file; or what stands for one."""
    return path.startswith("/proc/PID/fd/") or not path.startswith("/") or re.search(r"/#(\d+|tmpfile)$", path) or path.endswith(" (deleted)")


def differ(what, session, replay):
    for name in sorted(set(session) | set(replay), key=str):
        a, b = session.get(name, 0), replay.get(name, 0)
        if a != b:
            print(f"differs: {what}: {name}: session {a}, strace {b}")


def executed(row):
    path = program(row["program"])
    return program(row["started_by"]) if path == "/proc/PID/exe" else path


def connection(row):
    return (row["address"], row["port"]) if row["op"] == "connect" else None


def compare_files(session, replay, late, late_reads):
    def file(row):
        path = canonical(row["path"])
        return None if os.path.isdir(path) or is_nameless(path) else path

    reads = tally(session, file, "reads")
    for path, times in late_reads.items():
        reads[path] = reads.get(path, 0) - times
        if not reads[path]:
            del reads[path]
    differ("reads", reads, tally(replay, file, "reads"))
    written = [{p: 1 for p in names(rows, "writes") if not os.path.isdir(p) and not is_nameless(p)}
               for rows in (session, replay)]
    differ("written", *({p: n for p, n in w.items() if p not in late} for w in written))
    return len(reads), len(written[0])


def main():
    session, replay = (json.load(open(name)) for name in sys.argv[1:3])
    with open(sys.argv[3], errors="surrogateescape") as log:
        lines = list(whole_lines(log))
    late, late_reads = failed(lines, "ENXIO"), failed(lines, "ENXIO", "O_RDONLY")
    early = failed(lines, "(?:EACCES|ENOENT)").get("/proc/PID/environ", 0)
    for row in EQUAL:
        differ(row, {"": session["counts"][row]}, {"": replay["counts"][row]})
    differ("environ_tried", {"": session["counts"]["environ_tried"]},
           {"": replay["counts"]["environ_tried"] - early})
    tables = session["tables"], replay["tables"]
    read, written = compare_files(*(t["files"]["rows"] for t in tables), late, late_reads)
    differ("programs", *(tally(t["programs"]["rows"], executed, "times") for t in tables))
    for count in ("tried", "done"):
        differ(f"network, {count}",
               *(tally(t["network"]["rows"], connection, count) for t in tables))
    for table in ("unix", "processes"):
        key = {"unix": lambda r: (r["op"], canonical(r["path"])),
               "processes": lambda r: r["what"]}[table]
        differ(table, *(tally(t[table]["rows"], key, "done") for t in tables))
    counts = session["counts"]
    print(f"{read} files read, {written} written, {counts['directory_scans']} scans, "
          f"{counts['execs']} programs, {counts['connections']} connections")


main()
