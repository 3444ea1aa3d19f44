# pawld on PostgreSQL: it answers as it does on SQLite, several of them on one database keep together,
# and what was acknowledged is there whatever ends, pawld or the database.
. "$(dirname "$0")/../../../lib.sh"

PAWL_TEST_ENGINE=postgresql
. "$ROOT/tests/server.sh"
pawld=$BUILD/pawld

# ---- what is refused -------------------------------------------------------------------

runs 2 'a password in the address' "$pawld" token list --store 'postgresql://pawl:hunter2@/pawl?host=/nowhere'
like 'the cure is told' "$T/err" '^hint: leave it out and use PGPASSWORD, PGPASSFILE or PGSERVICE$'
unlike 'the password is not' "$T/err" hunter2
runs 2 'what is no address' "$pawld" token list --store 'postgresql://[/pawl'
runs 5 'a database that is not there' "$pawld" token list --store "postgresql://pawl@/none?host=$PG"
like 'which is said' "$T/err" 'database "none" does not exist'
runs 5 'one of something else' "$pawld" token list --store "postgresql://pawl@/postgres?host=$PG&options=-csearch_path%3Dpg_catalog"
like 'which is no ledger' "$T/err" 'a database, but not a ledger of pawld'
runs 5 'an empty one has no tokens to list' "$pawld" token list --store "$STORE"
# As an extension that watches the database has them.
sql 'CREATE VIEW watched AS SELECT 1 AS calls' >/dev/null
runs 2 'a backup to a file' "$pawld" backup --store "$STORE" "$T/copy"
like 'names the tool that makes one' "$T/err" 'pg_dump'

# ---- the same answers ------------------------------------------------------------------

# 300 results of two commits are folded once.
py 'import json
for n in range(300):
    d = summary(1000 + n, at="2026-11-20T10:%02d:00Z" % (n % 60), commit="%040x" % (n + 1))
    d["commit"]["branch"] = ("main", "B", "a", "\u00e9")[n % 4]
    d["benchmarks"][0]["name"] = ("zz", "Zz", "\u00e4", "deflate/6")[n % 4]
    print(json.dumps(d))' >"$T/many"
# What refers to one another, in one batch: parents before and behind their children, the same commit and the same id
# twice, baselines that come later, a machine that says something else.
py 'import random
chance = random.Random(3)
sha = lambda k: "%040x" % (0xabc00000 + k)
for n in range(60):
    k = chance.randrange(20)
    d = summary(3000 + chance.randrange(40), at="2026-11-19T10:00:%02dZ" % (k * 7 % 60), commit=sha(k))
    d["commit"]["parents"] = [sha(k - 1)] if k % 3 else []
    d["baseline"]["commit"] = (None, sha(k - 1), sha(k + 1))[k % 3]
    d["machine"]["cores"] = 8 + n // 20
    d["benchmarks"][0]["name"] = "tangled"
    print(json.dumps(d))' >"$T/tangled"
# The same where nothing is twice that may not be: dates against the order of parents, a baseline of before that gets
# results of its own, twice.
py 'import random
chance = random.Random(4)
sha = lambda k: "%040x" % (0xabd00000 + k)
order = list(range(20))
chance.shuffle(order)
for n, k in enumerate(order + [40, 40]):
    d = summary(3100 + n, at="2026-11-19T11:00:%02dZ" % (59 - k), commit=sha(k))
    d["commit"]["parents"] = [sha(k - 1)]
    d["machine"]["cores"] = 8 + n // 6 % 2
    d["benchmarks"][0]["name"] = "chained"
    print(json.dumps(d))' >"$T/chained"
py 'd = summary(3200)
d["baseline"]["commit"] = "%040x" % (0xabd00000 + 40)
print(json.dumps(d))' >"$T/stub"
head -n 150 "$T/many" >"$T/first"
tail -n 150 "$T/many" >"$T/second"
doc one 'summary(1)'
doc two 'judged(2)'
doc dirty 'dict(summary(3), commit=dict(summary(3)["commit"], dirty=True))'

# answers DIR: what it says to all kinds of questions, a file each
answers() {
	mkdir "$1"
	for path in projects projects/zlib projects/zlib/benchmarks "projects/zlib/compare?base=$A&head=$B" \
		'projects/zlib/history?benchmark=deflate/6' 'projects/zlib/history?benchmark=deflate/6&metric=wall' \
		'projects/zlib/history?benchmark=deflate/6&limit=7' 'projects/zlib/history?benchmark=zz&branch=main' \
		'projects/zlib/history?benchmark=%C3%A4&since=2026-11-20T10:10:00Z' \
		projects/zlib/summaries/01JD0000000000000000000002 \
		'projects/zlib/history?benchmark=tangled' 'projects/zlib/history?benchmark=chained' 'projects/zlib/commits?limit=100' projects/zlib/machines; do
		ask "/api/v1/$path"
		echo "$path $status" >>"$1/statuses"
		mv "$T/body" "$1/$(printf %s "$path" | tr / _)"
	done
	ask /p/zlib
	echo "page $status" >>"$1/statuses"
	mv "$T/body" "$1/page"
}

fill_store() {
	for file in one two dirty stub; do
		send "$file"
		[ "$status" = 201 ] || echo "$file $status"
	done
	for half in first second; do
		ask /api/v1/summaries:batch -H 'Content-Type: application/x-ndjson' --data-binary "@$T/$half"
		cat "$T/body"
	done | grep -c '"result":"created"'
	ask /api/v1/summaries:batch -H 'Content-Type: application/x-ndjson' --data-binary "@$T/tangled"
	cp "$T/body" "$T/tangled.${STORE%%:*}"
	ask /api/v1/summaries:batch -H 'Content-Type: application/x-ndjson' --data-binary "@$T/chained"
}

start_server --no-auth || exit 1
a=$SERVER a_pid=$SERVER_PID
is 'results are stored' "$(fill_store)" 300
send one
is 'the same again is 200' "$status" 200
doc other 'dict(summary(1), pawl="0.2.0")'
send other
is 'the same id with other content is 409' "$status" 409
wait_for sh -c '[ "$(psql -At "$1" -c "SELECT count(*)>0 FROM chunk")" = t ]' sh "$STORE"
is 'statements are planned for tables that have grown' \
	"$(sql "SELECT count(*) FROM pg_class WHERE oid IN ('run'::regclass, 'vcs_commit'::regclass) AND reltuples>100")" 2
answers "$T/postgres"
runs 0 'fsck has nothing against it' "$pawld" fsck --store "$STORE"
like 'and has seen all' "$T/out" '^353 summaries, 706 points: 0 documents and 0 points damaged$'
ask /readyz
is 'it is ready' "$status" 200
(
	STORE=sqlite:$T/server.db
	start_server --no-auth || exit 1
	fill_store >/dev/null
	answers "$T/sqlite"
	stop_server
)
check 'SQLite says the same of what refers to one another' cmp "$T/tangled.sqlite" "$T/tangled.postgresql"
is 'some are created, some of these ids are others' "$(grep -o -e created -e conflict "$T/tangled.sqlite" | sort | uniq -c | xargs)" '33 conflict 27 created'
check 'SQLite gives the same answers, byte for byte' diff -r "$T/sqlite" "$T/postgres"

# One that cannot be stored does not keep the others of its batch out.
"$bin/psql" -q "$STORE" -c "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'" \
	-c "CREATE TRIGGER refuse BEFORE INSERT ON run FOR EACH ROW WHEN (NEW.id='01JD0000000000000000004003') EXECUTE FUNCTION refuse()"
py 'for n in range(4000, 4008):
    d = summary(n, project="other")
    d["benchmarks"][0]["name"] = "eight"
    print(json.dumps(d))' >"$T/eight"
ask /api/v1/summaries:batch -H 'Content-Type: application/x-ndjson' --data-binary "@$T/eight"
is 'one that cannot be stored' "$(grep -c '"result":"created"' "$T/body") $(sed -n 4p "$T/body" | grep -c '"error"')" '7 1'
is 'is not, the others are' "$(sql "SELECT count(*) FROM run AS r JOIN project AS p ON p.project_id=r.project_id WHERE p.name='other' AND p.n_runs=7")" 7
"$bin/psql" -q "$STORE" -c 'DROP TRIGGER refuse ON run'

# ---- two of them -----------------------------------------------------------------------

start_server --no-auth || exit 1
b=$SERVER b_pid=$SERVER_PID
is 'one id at both at once is stored once' "$(py "from collections import Counter
both = []
def run(url): both.extend(many(url, 4, 2, True))
t = [threading.Thread(target=run, args=(url,)) for url in ('$a', '$b')]
for one in t: one.start()
for one in t: one.join()
print(sorted(Counter(both).items()))")" '[(200, 15), (201, 1)]'
doc unit '(lambda d: [m.update(unit="1") for m in d["benchmarks"][0]["metrics"]] and d)(summary(10))'
doc gate '(lambda d: d["benchmarks"][0].update(gate="wall") or d)(summary(11))'
doc back 'summary(12)'
SERVER=$a
send unit
SERVER=$b
send gate
SERVER=$a
send back
is 'what one remembers of series the other may change' \
	"$(sql "SELECT count(*) FROM series WHERE benchmark='deflate/6' AND gate=1 AND metric='cpu'")" 2
ask /api/v1/projects/zlib/summaries/01JD0000000000000000000010 -X DELETE -H 'Content-Type: application/json' -d '{"why": "unit"}'
is 'a result is retracted at one' "$status" 200
SERVER=$b
ask '/api/v1/projects/zlib/history?benchmark=deflate/6'
is 'and hidden at the other' "$(json "$T/body" '"01JD0000000000000000000010" in d["points"]["id"]')" False

# The longest name that is taken, of letters that no compression makes short.
py 'import random
chance = random.Random(5)
for n in range(2):
    d = summary(3300 + n, project="long")
    d["commit"]["branch"] = "".join(chance.choice("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        for i in range(2000 + n))
    put(sys.argv[2] + str(n), d)' "$T/branch"
send branch0
is 'a branch of 2000 bytes' "$status" 201
ask "/api/v1/projects/long/history?benchmark=deflate/6&branch=$(json "$T/branch0" 'd["commit"]["branch"]')"
is 'has a history' "$status $(json "$T/body" 'd["points"]["value"]')" '200 [4300]'
send branch1
is 'a longer one is refused' "$status $(json "$T/body" 'd["error"]["where"]')" '422 commit.branch'

# ---- a database that goes away ---------------------------------------------------------

"$bin/psql" -q "$STORE" -c 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid<>pg_backend_pid()' >/dev/null
ask '/api/v1/projects/zlib/history?benchmark=deflate/6'
is 'connections that were cut are made again' "$status" 200
stop_postgres
ask '/api/v1/projects/zlib/history?benchmark=deflate/6'
is 'a question to one that is away is 503' "$status" 503
doc later 'summary(20)'
send later
is 'a post, too' "$status" 503
ask /readyz
is 'it is not ready' "$status" 503
run_postgres
sent() {
	send later
	[ "$status" = 201 ] || [ "$status" = 200 ]
}
wait_for sent
result $? 'once it is back, posts are taken'
ask '/api/v1/projects/zlib/history?benchmark=deflate/6'
is 'and questions answered' "$status" 200

# ---- kill -9 ---------------------------------------------------------------------------

# post_on FIRST URL...: posts until it is killed or has stored enough; the ids that were acknowledged
post_on() {
	py "from itertools import cycle, count
urls = cycle(sys.argv[2:])
connection = None
url = next(urls)
n = $1
while n < $1 + 80:
    try:
        connection = connection or connect(url)
        if post(connection, summary(n)) in (200, 201):
            print(summary(n)['id'], flush=True)
            n += 1
        else: time.sleep(.02)
    except (OSError, http.client.HTTPException):
        connection = None
        url = next(urls)
        time.sleep(.02)"
}
py() {
	PYTHONPATH=$ROOT/tests/helpers /usr/bin/python3 -c "
import sys; sys.dont_write_bytecode = True
from posts import *
$1" "$SERVER" "$a" "$b"
}

# rounds N: the database killed with all that it does, then a pawld
rounds() {
	for round in $(seq "$1"); do
		first=$((100000 * round))
		post_on $first >"$T/acked.$round" &
		poster=$!
		wait_for sh -c '[ "$(wc -l <"$1")" -ge 20 ]' sh "$T/acked.$round"
		stop_postgres KILL
		run_postgres
		wait_for sh -c '[ "$(wc -l <"$1")" -ge 50 ]' sh "$T/acked.$round"
		kill -9 "$b_pid"
		wait "$b_pid" 2>/dev/null
		forget "$b_pid"
		wait "$poster"
		start_server --no-auth || exit 1
		b=$SERVER b_pid=$SERVER_PID
	done
}
if [ -n "${PAWL_TEST_SLOW:-}" ]; then rounds 20; else rounds 1; fi
cat "$T"/acked.* | sort >"$T/acked"
sql 'SELECT id FROM run' | sort >"$T/there"
is 'all that was acknowledged is stored' "$(comm -23 "$T/acked" "$T/there")" ''
is 'nothing twice' "$(uniq -d "$T/there")" ''
runs 0 'and fsck finds it sound' "$pawld" fsck --store "$STORE"
SERVER_PID=$a_pid
stop_server
is 'SIGTERM ends it' "$SERVER_STATUS" 0
