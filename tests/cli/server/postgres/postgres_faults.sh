# What a database server can do to pawld: a full disk, a lock that somebody holds, one that hangs.
. "$(dirname "$0")/../../../lib.sh"

slow_only 'faults of a database server' || exit 0
PAWL_TEST_ENGINE=postgresql
. "$ROOT/tests/server.sh"

history='/api/v1/projects/zlib/history?benchmark=deflate/6'
doc one 'summary(1)'
doc later 'summary(2)'
sent() {
	send later ${token:+-H "Authorization: Bearer $token"}
	[ "$status" = 201 ] || [ "$status" = 200 ]
}

# ---- a lock ----------------------------------------------------------------------------

# It gives up a question after a second, as usual; the tests' minute would see the end of the lock.
start_server --no-auth --budget 1s || exit 1
send one
is 'a result is stored' "$status" 201
"$bin/psql" -q "$STORE" -c 'BEGIN; LOCK TABLE run; SELECT pg_sleep(60)' >/dev/null 2>&1 &
holder=$!
to_stop="$to_stop $holder"
wait_for sh -c '[ "$("$1" -At "$2" -c "SELECT count(*) FROM pg_locks WHERE mode='\''AccessExclusiveLock'\'' AND granted AND relation='\''run'\''::regclass")" = 1 ]' \
	sh "$bin/psql" "$STORE"
ask "$history"
is 'a question that has to wait is 503' "$status" 503
ask /healthz
like 'pawld goes on' "$T/body" status
send later
is 'a post that has to wait for long is 503, too' "$status" 503
kill "$holder"
forget "$holder"
"$bin/psql" -q "$STORE" -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)' AND pid<>pg_backend_pid()" >/dev/null
wait_for sent
result $? 'then posts are taken'
ask "$history"
is 'and questions answered' "$status" 200
stop_server

# ---- one that hangs --------------------------------------------------------------------

token=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write,read)
start_server --budget 1s || exit 1
ask "$history" -H "Authorization: Bearer $token"
is 'a token reads' "$status" 200
"$bin/psql" -At "$STORE" -c 'SELECT pid FROM pg_stat_activity' | while read -r pid; do kill -STOP "$pid"; done
kill -STOP "$POSTGRES_PID"
ask "$history" -H "Authorization: Bearer $token"
is 'a database that gives no answer: 503' "$status" 503
kill -CONT "$POSTGRES_PID"
pgrep -P "$POSTGRES_PID" | while read -r pid; do kill -CONT "$pid"; done
wait_for sent
result $? 'it is found again when it goes on'
stop_server
stop_postgres

# ---- a full disk -----------------------------------------------------------------------

mkdir "$T/disk"
if ! mount -t tmpfs -o size=110m,mode=777 tmpfs "$T/disk" 2>/dev/null; then
	skip 'a full disk' 'mounting a tmpfs needs root'
	exit 0
fi
rm -rf "$PG" && mkdir "$PG" && chown "${postgres_user:-$(id -u)}" "$PG"
token=
begin_disk() {
	PGDATA_DIR=$T/disk/data
	(cd / && $as_user "$bin/initdb" -D "$PGDATA_DIR" -A trust -E UTF8 --locale=C -U pawl --no-sync \
		>"$T/initdb.log" 2>&1) && run_postgres && new_database
}
begin_disk
start_server --no-auth || exit 1
send one
is 'there is room for one' "$status" 201
head -c 200m /dev/zero >"$T/disk/filler" 2>/dev/null
py 'c = connect(sys.argv[1])
for n in range(1000, 9000):
    d = summary(n, commit="%040x" % n)
    d["benchmarks"] = [dict(d["benchmarks"][0], name="b%d.%d" % (n, k)) for k in range(20)]
    status = post(c, d)
    if status != 201: break
    print(d["id"])
print(status, file=sys.stderr)' >"$T/acked" 2>"$T/last"
is 'a full disk refuses posts' "$(cat "$T/last")" 503
like 'says why' "$T/pawld.err" 'No space left on device; summaries are refused until it works again'
ask "$history"
is 'reading goes on' "$status" 200
rm "$T/disk/filler"
wait_for sent
result $? 'with room they are taken again'
sort "$T/acked" >"$T/sorted"
is 'all that was acknowledged is stored' "$(sql 'SELECT id FROM run' | sort | comm -23 "$T/sorted" -)" ''
runs 0 'and sound' "$BUILD/pawld" fsck --store "$STORE"
stop_server
stop_postgres
umount "$T/disk"
