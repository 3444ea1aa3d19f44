# Projects on two databases by postgres_fdw, with the statements of docs/howto/server.md.
. "$(dirname "$0")/../../../lib.sh"

slow_only 'projects on two databases' || exit 0
PAWL_TEST_ENGINE=postgresql
. "$ROOT/tests/server.sh"

first=$STORE
new_database
second=$STORE
STORE=$first
[ "$(sql "SELECT count(*) FROM pg_available_extensions WHERE name='postgres_fdw'")" = 1 ] || {
	skip 'projects on two databases' 'postgres_fdw is not installed'
	exit 0
}
for store in "$first" "$second"; do
	"$BUILD/pawld" token add --store "$store" --scope admin >/dev/null
done
# The same but for where the second is.
sed -n '/^```sql/,/^```/p' "$ROOT/docs/howto/server.md" | grep -v '^```' |
	sed "s|host 'db2.example.org', dbname 'pawl'|host '$PG', dbname 'pawl$databases'|" >"$T/parts.sql"
runs 0 'the statements of the page' "$bin/psql" -q -v ON_ERROR_STOP=1 -f "$T/parts.sql" "$first"
start_server --no-auth || exit 1
is 'results of six projects are stored' "$(py 'c = connect(sys.argv[1])
print({post(c, (judged if n % 5 == 0 else summary)(n) | {"project": "p%d" % (n % 6)}) for n in range(120)})')" '{201}'
is 'a part of them in the second' "$(STORE=$second sql 'SELECT count(*) BETWEEN 1 AND 119 FROM run')" t
is 'and all in the first, as it seems' "$(sql 'SELECT count(*) FROM run')" 120
for n in 0 1 2 3 4 5; do
	ask "/api/v1/projects/p$n/history?benchmark=deflate/6"
	json "$T/body" 'len(d["points"]["id"])'
done >"$T/counts"
is 'each history has its points' "$(xargs <"$T/counts")" '20 20 20 20 20 20'
runs 0 'all is sound' "$BUILD/pawld" fsck --store "$first"
like 'in both' "$T/out" '^120 summaries, 240 points: 0 documents and 0 points damaged$'
runs 5 'it cannot be copied' "$BUILD/pawld" migrate "$first" "sqlite:$T/copy.db"
stop_server
