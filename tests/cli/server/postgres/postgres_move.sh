# pawld migrate: a file to a database and back.  Nothing is lost on the way, and both say the same.
. "$(dirname "$0")/../../../lib.sh"

PAWL_TEST_ENGINE=postgresql
. "$ROOT/tests/server.sh"
pawld=$BUILD/pawld
first=sqlite:$T/first.db
database=$STORE

doc one '(lambda d: d["commit"].update(parents=["c" * 40, "d" * 40]) or d)(summary(1))'
doc two 'judged(2)'
py 'd = summary(3)
d["benchmarks"].append({"name": "broken", "status": "failed", "metrics": []})
d["commit"]["subject"] = None
print(json.dumps(d))' >"$T/three"
py 'for n in range(200):
    d = summary(1000 + n, at="2026-11-20T10:%02d:%02dZ" % (n // 60, n % 60), commit="%040x" % (n + 1))
    d["benchmarks"][0]["metrics"][1]["unit"] = ("ns", "\u00b5s")[n % 2]
    print(json.dumps(d))' >"$T/many"

sql 'CREATE VIEW watched AS SELECT 1 AS calls' >/dev/null
STORE=$first
"$pawld" token add --store "$first" --project zlib --scope write --label ci >"$T/token"
echo a-secret-of-the-team >"$T/secret"
chmod 600 "$T/secret"
"$pawld" alert add --store "$first" --project zlib --webhook http://127.0.0.1:9/x --secret-file "$T/secret" \
	--allow-private >/dev/null
start_server --no-auth || exit 1
for name in one two three; do send "$name"; done
for half in 1 2; do
	ask /api/v1/summaries:batch -H 'Content-Type: application/x-ndjson' --data-binary "@$T/many"
	sed -i 's/01JD/01JE/' "$T/many"
done
ask '/api/v1/projects/zlib/summaries/01JD0000000000000000000001?why=busy' -X DELETE
is 'one of them is retracted' "$status" 200
stop_server
"$pawld" retain --store "$first" --project zlib --days 0 --keep 1 >"$T/out"
like 'old documents were dropped' "$T/out" '^201 documents dropped'

runs 0 'a file goes to a database' "$pawld" migrate "$first" "$database"
like 'and is said to be the same' "$T/out" \
	'^copied [0-9]+ rows: 202 summaries, whose digests fit, 806 points, and [3-9] histories, which are the same$'
like 'as are summaries without documents' "$T/out" '^201 summaries have no document any longer, there as here$'
is 'what is to be sent is there' \
	"$(STORE=$database sql "SELECT count(*) FROM message AS m JOIN target AS t ON t.target_id=m.target_id JOIN message_alert AS x ON x.message_id=m.message_id JOIN alert AS a ON a.alert_id=x.alert_id WHERE m.state=1 AND a.kind=1")" 1
runs 0 'it is sound' "$pawld" fsck --store "$database"
runs 0 'a database goes to a file' "$pawld" migrate "$database" "sqlite:$T/second.db"
runs 0 'which is sound' "$pawld" fsck --store "sqlite:$T/second.db"

# dump FILE: all rows of all tables, but for where SQLite puts them
dump() {
	/usr/bin/python3 -ISc 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for (table,) in sorted(db.execute("SELECT name FROM sqlite_schema WHERE type = ?", ("table",))):
    print(table)
    for row in sorted(map(repr, db.execute("SELECT * FROM " + table))): print(row)' "$1"
}
dump "$T/first.db" >"$T/first"
dump "$T/second.db" >"$T/second"
check 'there and back, each row is what it was' cmp "$T/first" "$T/second"
check 'and there are rows' [ "$(wc -l <"$T/first")" -gt 1000 ]
is 'in all tables but that of trials' "$(/usr/bin/python3 -ISc 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(*(t for (t,) in db.execute("SELECT name FROM sqlite_schema WHERE type = ?", ("table",))
        if not db.execute("SELECT count(*) FROM " + t).fetchone()[0]))' "$T/second.db")" probe

STORE=$database
start_server || exit 1
doc four 'summary(4)'
send four -H "Authorization: Bearer $(cat "$T/token")"
is 'the copy takes posts, by a token that came with it' "$status" 201
stop_server

runs 2 'what is not empty is left alone' "$pawld" migrate "$first" "$database"
like 'and said so' "$T/err" "^pawld: error: 'postgresql:.*' is not empty"
runs 2 'as is a store itself' "$pawld" migrate "$first" "$first"
runs 2 'one store' "$pawld" migrate "$first"
runs 5 'one that is not there' "$pawld" migrate "sqlite:$T/none.db" "sqlite:$T/third.db"
check 'from it nothing is made' [ ! -e "$T/third.db" ]

# That a history which differs is told: tests/unit/lib/store/move.
new_database
"$pawld" migrate "$first" "$STORE" >/dev/null
sql "UPDATE document SET json=json||'\\x00'" >/dev/null
runs 5 'a damaged document' "$pawld" migrate "$STORE" "sqlite:$T/fourth.db"
like 'is named' "$T/err" "summary '01J[A-Z0-9]*' is damaged"
