# What pawld asks of PostgreSQL, counted by its log: rows of a batch are a statement, questions of a page are one.
. "$(dirname "$0")/../../../lib.sh"

PAWL_TEST_ENGINE=postgresql
. "$ROOT/tests/server.sh"

# executed PATTERN: so many of those statements since begin_counting
executed() {
	tail -c "+$(($(wc -c <"$T/log.before") + 1))" "$T/postgres.log" | grep -c "LOG:  execute [a-z0-9<>]*: $1"
}
begin_counting() {
	cp "$T/postgres.log" "$T/log.before"
}
batch() {
	ask /api/v1/summaries:batch -H 'Content-Type: application/x-ndjson' --data-binary "@$1"
	grep -c '"result":"created"' "$T/body"
}

start_server --no-auth || exit 1
"$bin/psql" -q "$STORE" -c "ALTER SYSTEM SET log_statement='all'" -c 'SELECT pg_reload_conf()' >/dev/null
wait_for sh -c '[ "$(psql -At "$1" -c "SHOW log_statement")" = all ]' sh "$STORE"

# Of 21 benchmarks each.
documents() {
	py "for n in range($1, $2):
    d = summary(n, commit='%040x' % n)
    d['commit']['parents'] = []
    for k in range(20):
        d['benchmarks'].append(dict(d['benchmarks'][0], name='b%d' % k))
    print(json.dumps(d))"
}
documents 1 2 >"$T/first"
is 'the first one makes the project' "$(batch "$T/first")" 1
documents 100 160 >"$T/many"
begin_counting
is 'of 60 in a request' "$(batch "$T/many")" '60'
for table in run document sheet vcs_commit; do
	n=$(executed "INSERT INTO $table ")
	check "are stored in $table" [ "$n" -gt 0 ]
	check "by few statements ($n)" [ "$n" -le 30 ]
done
# The watcher asks for each in its own time, beside it.
n=$(executed 'SELECT.*FROM run WHERE project_id=.1 AND \(apart=.2 AND id\|commit_id\)=')
check "what was there before is not asked for each ($n)" [ "$n" -lt 60 ]
is 'all of them are there' "$(sql 'SELECT count(*), count(DISTINCT run_id), max(n_runs) FROM run JOIN project USING (project_id)')" '61 61 61'

begin_counting
ask /p/zlib
is 'a page' "$status" 200
like 'has the last of them' "$T/body" '>b19<'
# A question that the page alone has, of each of them.
is 'of which none is asked for alone' "$(executed 'SELECT o.status')" 0
n=$(executed 'SELECT k.number.*SELECT o.status')
check "but all together ($n)" [ "$n" -gt 0 ]
check 'at once' [ "$n" -le 3 ]
runs 0 'fsck has nothing against it' "$BUILD/pawld" fsck --store "$STORE"
