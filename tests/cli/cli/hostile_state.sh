# The folder of results as somebody else may have left it: pipes and links in place of files, a store with
# triggers and views, a cache and receipts that were changed.
. "$(dirname "$0")/../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\tproject = p\n\tbuild = "cp t.sh t"\n\truns = 12..12\n[benchmark "t"]\n\tcommand = ./t\n' >.pawlconfig
printf '#!/bin/sh\nexit 0\n' >t.sh
chmod +x t.sh
printf '/t\n' >.gitignore
commit_all . one
printf '#!/bin/sh\n:\nexit 0\n' >t.sh
commit_all . two
wide='--quick --threshold 90% --layouts off'
collect() {
	pawl collect --runs 12..12 --min-time 1ms --threshold 90%
}
compare() {
	# shellcheck disable=SC2086
	pawl compare $wide "$@"
}
bisect() {
	pawl bisect HEAD~1 HEAD --benchmark t --quick --threshold 90%
}
(compare && collect && bisect && pawl history t) >/dev/null 2>&1
cp -a .git/pawl "$T/kept"
# The files but the store, and but those of the built trees themselves.
(cd .git/pawl && find . -path './trees/*/tree' -prune -o -type f ! -name 'results.db*' ! -name '*.lock' -print) >"$T/files"
check 'there are files of every kind' [ "$(wc -l <"$T/files")" -gt 12 ]
again() {
	chmod -R u+w .git/pawl
	rm -rf .git/pawl
	cp -a "$T/kept" .git/pawl
}

# ---- pipes: nobody ever writes to them, or reads from them ---------------------------------------------

again
while read -r file; do
	rm -f ".git/pawl/$file"
	mkfifo ".git/pawl/$file"
done <"$T/files"
runs 0 'with pipes in place of all files a report is made' pawl report
runs 0 '  and a history' pawl history t
runs 5 '  what a pipe holds of a bisection is not waited for' bisect
like '    but told' "$T/err" '\.bisect.: it is a pipe'
find .git/pawl/bisect -type p -exec rm {} +
runs 0 '  a comparison is made' compare --reuse
runs 0 '  and shown' pawl report --last
runs 0 '  a bisection is made' bisect
runs 0 '  HEAD is collected' collect
runs 0 '  the store is sound' pawl fsck
again
rm -f .git/pawl/results.db*
mkfifo .git/pawl/results.db
runs 5 'a pipe in place of the store is refused' pawl report
like '  by its name' "$T/err" "results.db': it is not a file"
for end in journal wal shm; do
	again
	rm -f ".git/pawl/results.db-$end"
	mkfifo ".git/pawl/results.db-$end"
	runs 5 "one in place of its $end is not waited for" timeout -s KILL 60 pawl report
	like '  but told' "$T/err" "results.db-$end': it is not a file"
done

# ---- links: nothing is written where they lead ---------------------------------------------------------

again
echo canary >"$T/canary"
chmod 644 "$T/canary"
while read -r file; do
	rm -f ".git/pawl/$file"
	ln -s "$T/canary" ".git/pawl/$file"
done <"$T/files"
runs 0 'with links in place of all files a report is made' pawl report
compare --reuse >/dev/null 2>&1
collect >/dev/null 2>&1
bisect >/dev/null 2>&1
runs 0 '  and a history' pawl history t
is '  nothing is written where they lead' "$(cat "$T/canary")" canary
is '  nor is its mode another one' "$(stat -c %a "$T/canary")" 644
again
mkdir "$T/folder"
find .git/pawl -mindepth 2 -maxdepth 2 -type d >"$T/folders"
check 'there are folders, too' [ -s "$T/folders" ]
while read -r folder; do
	rm -rf "$folder"
	ln -s "$T/folder" "$folder"
done <"$T/folders"
runs 0 'with links in place of them a comparison is made' compare
runs 0 '  and HEAD is collected' collect
is '  nothing is written where they lead' "$(find "$T/folder" -mindepth 1)" ''
again
mv .git/pawl/results.db "$T/results.db"
ln -s "$T/results.db" .git/pawl/results.db
runs 5 'a link in place of the store is refused' pawl report
like '  by its name' "$T/err" "results.db': it is a symbolic link"
runs 5 '  nothing is stored there' collect
like '  which is no matter of space' "$T/err" '^hint: put that right first'

# ---- a store with more in it than pawl put there -------------------------------------------------------

# sql STATEMENT: in the store, as somebody else would
sql() {
	/usr/bin/python3 -ISc 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
for one in sys.argv[2:]:
    db.execute(one)' .git/pawl/results.db "$@"
}
stored() {
	/usr/bin/python3 -ISc 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM result").fetchone())' .git/pawl/results.db
}
another() {
	pawl import --no-push "$ROOT/tests/data/foreign/google-single.json" >/dev/null
}
again
before=$(stored)
sql 'CREATE TRIGGER eat AFTER INSERT ON result BEGIN DELETE FROM result; END'
check 'a result is stored beside a trigger that would remove it' another
is '  and is there' "$(stored)" $((before + 1))
runs 5 '  fsck tells that it is not ours' pawl fsck
like '    by its name' "$T/out" "a trigger that is not pawl's: 'eat'"
runs 0 '  and a repair leaves it out' pawl fsck --repair
runs 0 '    with all results' pawl fsck
like '    that were there' "$T/out" "^$((before + 1)) results?, 0 damaged"
again
sql 'ALTER TABLE result RENAME TO hidden' 'CREATE VIEW result AS SELECT * FROM hidden'
runs 5 'a view in place of the results answers nothing' pawl report
like '  but what to do about it' "$T/err" '^hint: .*pawl fsck'
runs 5 '  and is no sound store' pawl fsck
like '    which is told' "$T/out" "a view that is not pawl's: 'result'"
again
sql "CREATE VIEW 'a$(printf '\033[2J\n')::error::b' AS SELECT 1"
pawl fsck >"$T/out"
unlike 'a name of somebody gives no command' "$T/out" "$(printf '\033')|^::"
again
sql 'DROP TABLE result'
runs 5 'nor is one without results' pawl fsck

# ---- a cache and receipts that were changed ------------------------------------------------------------

again
for receipt in .git/pawl/receipts/*.json; do
	sed -i 's/"verdict": *"[a-z]*"/"verdict":"regressed"/' "$receipt"
	head -c 100 "$receipt" >"$T/half"
	cp "$T/half" "$receipt"
done
runs 0 'a receipt that is cut counts as none' compare --reuse
unlike '  and nothing is reused' "$T/err" 'reus|found out before'
