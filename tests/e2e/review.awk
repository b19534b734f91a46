# SPDX-License-Identifier: MPL-2.0
# Prints "ID PID" of the first waiting review, of those that `grith review --list --json` lists,
# whose object, or whose address and port, end with `wanted`; fails where there is none.

function value(line)
{
	sub(/^ *"[a-z_]*": "?/, "", line)
	sub(/"?,?$/, "", line)
	return line
}

function ends(text)
{
	return substr(text, length(text) - length(wanted) + 1) == wanted
}

/^  \{/ { id = pid = object = address = port = "" }
/^    "id":/ { id = value($0) }
/^    "pid":/ { pid = value($0) }
/^    "object":/ { object = value($0) }
/^    "address":/ { address = value($0) }
/^    "port":/ { port = value($0) }
/^  \}/ && !found && (ends(object) || ends(address ":" port)) {
	print id, pid
	found = 1
}
END { exit !found }
