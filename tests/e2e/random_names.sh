#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Random renames, exchanges, links and mounts in random trees: after each no object may be used in more ways
# than under its first name, and none lies where it could not have been made. GRITH_SEED and
# GRITH_STEPS repeat a run, or make a longer one.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$project/build/names" "$work/bin" || exit 1
start_grithd

# walk_in DIRECTORY USER SEED: the last words are counts, which a run without any would not have.
walk_in()
{
	local directory=$1/names-$2 said

	install -d -o "$agent" -m 777 "$directory"
	"$work/bin/names" policy "$directory" | policy names
	said=$(cd "$directory" && "$work/bin/names" "$3" "${GRITH_STEPS:-1500}" "$directory" \
		"$work/bin/as-$2" "$grith" exec --profile names -- "$work/bin/names" worker 2>&1)
	check "$2 in $1: $(tail -n 5 <<<"$said")" \
		grep -q '[1-9][0-9]* EXDEV.*[1-9][0-9]* by one; 0 violations' <<<"$said"
	say "$2 in $1: $(tail -n 1 <<<"$said")"
	rm -rf "$directory" "$directory-at"
}

for user in agent root; do
	declare -n prefix=prefix_$user
	printf '#!/bin/sh\nexec %s "$@"\n' "${prefix[*]@Q}" >"$work/bin/as-$user"
	chmod 755 "$work/bin/as-$user"
done
mkdir -p "$work/tmpfs"
mount -t tmpfs tmpfs "$work/tmpfs" && chmod 755 "$work/tmpfs"
walk_in "$work/tmpfs" agent "${GRITH_SEED:-1}"
if [ -n "${GRITH_DISK:-}" ]; then
	walk_in "$GRITH_DISK" root "${GRITH_SEED:-2}"
else
	skip "ext4: no disk (scripts/vm --disk)"
fi
