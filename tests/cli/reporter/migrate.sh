# A store of the first schema, one JSON document a row: read as it is, packed by the first command that
# writes, and the same result before and after.
. "$(dirname "$0")/../../lib.sh"

python='/usr/bin/python3 -IS'
store=.git/pawl/results.db

version() {
	$python -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version").fetchone()[0])' "$store"
}

new_stored_repo "$T/repo"
mkdir -p .git/pawl
$python "$ROOT/tests/helpers/summaries.py" "$head" "$base" each >"$T/documents"
# What `pawl` of that time did: the document, and a SHA-256 over all that the row says.
old_store() {
	rm -f "$store" "$store-wal" "$store-shm"
	$python - "$store" "$1" <<'END'
import hashlib, json, sqlite3, sys
from datetime import datetime
db = sqlite3.connect(sys.argv[1])
db.executescript("""
PRAGMA journal_mode=WAL;
CREATE TABLE summary (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, project TEXT NOT NULL,
 commit_id TEXT NOT NULL, machine TEXT NOT NULL, finished_us INTEGER NOT NULL, dirty INTEGER NOT NULL,
 usable INTEGER NOT NULL, posted INTEGER NOT NULL DEFAULT 0, binaries TEXT NOT NULL,
 sha256 TEXT NOT NULL, json BLOB NOT NULL);
CREATE INDEX summary_by_commit ON summary (project, commit_id, finished_us);
CREATE INDEX summary_by_time ON summary (project, finished_us);
CREATE TABLE queue (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE REFERENCES
 summary (id), size INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, next_try_us INTEGER NOT NULL
 DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0, last_error TEXT);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
PRAGMA application_id=1885435756; PRAGMA user_version=1;
""")
for line in open(sys.argv[2], "rb").read().splitlines():
    d = json.loads(line)
    head = [d["id"], d["project"], d["commit"]["id"] or "", d["machine"]["id"], "7 0 1", ""]
    sha = hashlib.sha256("".join(text + "\0" for text in head).encode() + line).hexdigest()
    db.execute("INSERT INTO summary (id, project, commit_id, machine, finished_us, dirty, usable,"
               " binaries, sha256, json) VALUES (?,?,?,?,7,0,1,'',?,?)", head[:4] + [sha, line])
db.commit()
END
}
# packed: how many of how many results are
packed() {
	$python -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("SELECT sum(packed IS NOT NULL), count(*) FROM result").fetchone())' \
		"$store"
}

# A document that pawl would write otherwise stays as it is; one that it wrote is packed.
old_store "$T/documents"
pawl push --project proj >/dev/null 2>&1
is 'what is not to be had again to the byte is not packed' "$(packed)" '0 1'
pawl export --project proj --format json -o "$T/written"
old_store "$T/written"

runs 4 'a report reads it' pawl report --project proj
cp "$T/out" "$T/before"
is 'without a word' "$(cat "$T/err")" ''
pawl report --project proj --json >"$T/before.json"
runs 0 'fsck finds nothing wrong' pawl fsck
is 'and it is as it was' "$(version)" 1

pawl push --project proj >/dev/null 2>&1 # opens it to write; there is no server
is 'a command that writes migrates it' "$(version)" 2
is 'and packs it' "$(packed)" '1 1'
runs 4 'a report reads it as before' pawl report --project proj
check 'and says the same' cmp "$T/before" "$T/out"
pawl report --project proj --json >"$T/after.json"
check 'to the last byte of the document' cmp "$T/before.json" "$T/after.json"
runs 0 'fsck finds nothing wrong' pawl fsck
