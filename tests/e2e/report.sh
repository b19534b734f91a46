#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# What people ask after a session: grith report and grith log, of a grithd that runs, by the
# session's user and by others. That the counts are right is truth.sh's matter.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/project
# A name that would end a script, clear the screen and turn the text around.
hostile=$dir/'a<'/$(printf 'script>\n\033[2J\342\200\256\377.js')
install -d -o "$agent" "$dir" "$dir/a<"
echo content | tee "$dir/plain" "$dir/secret" >"$hostile"

policy project <<END
grith: 1
name: project
extends: lenient
files:
  - {deny: read, path: "$dir/secret", reason: not for you}
END

# count NAME: of the report's JSON in $work/json.
count()
{
	node -e 'const counts = JSON.parse(require("fs").readFileSync(process.argv[1])).counts;
		const found = Array.isArray(counts) ? counts.find((c) => c.name === process.argv[2]) : null;
		console.log(found ? found.value : counts[process.argv[2]])' "$work/json" "$1"
}

start_grithd
cd "$dir" || exit 1
# shellcheck disable=SC2016 # for the inner shell
as agent "$grith" exec --profile project --name one -- \
	sh -c 'cat plain "$1" secret; : >new' sh "$hostile" >/dev/null 2>&1
as agent "$grith" exec --profile project --name two -- cat plain >/dev/null

as agent "$grith" report one >"$work/text" 2>&1
check_equal "a report" 0 $?
check "says what was refused, and why" grep -q "deny  *read  *$dir/secret .*not for you" "$work/text"
check "shows no control character" [ "$(LC_ALL=C tr -d '\n\40-\377' <"$work/text" | wc -c)" = 0 ]
as agent "$grith" report one --json >"$work/json"
check_equal "one was denied" 1 "$(count denied)"
check_equal "one was written" 1 "$(count files_written)"
as agent "$grith" report one --html "$work/page.html" >"$work/said" 2>&1
check_equal "a page cannot be written where its user may not" 1 $?
install -d -o "$agent" "$work/pages"
as agent "$grith" report one --html "$work/pages/page.html" 2>/dev/null
check_equal "a page" 0 $?
check_equal "the name ends no script" 1 "$(grep -c '</script>' "$work/pages/page.html")"
as agent "$grith" report --compare one two >"$work/text"
check "two side by side" grep -q 'one (project)  *two (project)' "$work/text"
as agent "$grith" report >"$work/text"
check "the newest one where none is named" grep -q '^two ' "$work/text"
as other "$grith" report one >"$work/said" 2>&1
check_equal "not another user's" 1 $?
as agent "$grith" report none >"$work/said" 2>&1
check "none of that name: $(cat "$work/said")" grep -q 'there is no session none' "$work/said"

check_equal "log: newest first" end \
	"$(as agent "$grith" log --session one -r -n 1 --json | sed 's/.*"op":"\([a-z]*\)".*/\1/')"
check_equal "log: by rule" 1 "$(as agent "$grith" log --session one --rule 'project.yaml:5' | wc -l)"
check_equal "log: as CSV, one line an entry" 2 \
	"$(as agent "$grith" log --session one --refused --format csv | wc -l)"
check_equal "log: as OCSF" '"class_uid":1001' \
	"$(as agent "$grith" log --session one --refused --format ocsf | grep -o '"class_uid":1001')"
check_equal "log: the files themselves, for root" \
	"$("$grith" log --session one | wc -l)" \
	"$("$grith" log --log-dir "$work/log" --session "$(sed -n 's/.*"id":"\([a-z0-9]*\)".*/\1/p' "$work/json")" | wc -l)"

# A linked work tree is the project too.
as agent git init -q "$dir/repository"
cd "$dir/repository" || exit 1
as agent git -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m one
as agent git worktree add -q "$dir/linked" 2>/dev/null
# shellcheck disable=SC2016 # for the inner shell
as agent "$grith" exec --profile project --name tree -- sh -c ': >"$1"; : >"$2"; : >here' \
	sh "$dir/linked/new" "$dir/elsewhere"
as agent "$grith" report tree --json >"$work/json"
check_equal "two were written in the project" 2 "$(count files_in_project)"
check_logged "\"project\":\"$dir/repository\",\"worktrees\":\\[\"$dir/linked\"\\]"
