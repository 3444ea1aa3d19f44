# A store is copied to a file while posts come, and made again from it.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

start_server --no-auth || exit 1
# Posts go on until the copy is there; each status on a line.
py 'import os; c = connect(sys.argv[1])
for n in range(1, 100000):
    if os.path.exists(r"'"$T/stop"'"): break
    c.request("POST", "/api/v1/summaries", json.dumps(summary(n, "%040x" % (0xabc000 + n))), {"Content-Type": "application/json"})
    reply = c.getresponse(); reply.read(); print(reply.status, flush=True)' >"$T/statuses" &
poster=$!
wait_for sh -c '[ "$(wc -l <"$1")" -ge 50 ]' sh "$T/statuses"
before=$(wc -l <"$T/statuses")
runs 0 'a backup while posts come' "$BUILD/pawld" backup --store "sqlite:$T/server.db" "$T/copy.db"
like 'says where it is' "$T/out" "^copied to $T/copy.db$"
during=$(wc -l <"$T/statuses")
wait_for sh -c '[ "$(wc -l <"$1")" -gt "$2" ]' sh "$T/statuses" "$during"
: >"$T/stop"
wait "$poster"
is 'each post was answered with 201' "$(sort -u "$T/statuses")" 201
is 'the copy is for its owner' "$(stat -c %a "$T/copy.db")" 600
is 'and alone' "$(cd "$T" && echo copy.db*)" copy.db
runs 0 'it is sound' "$BUILD/pawld" fsck --store "sqlite:$T/copy.db"
stored=$(sed -n 's/^\([0-9]*\) summaries.*/\1/p' "$T/out")
check "with what was there when it began ($before, $stored)" [ "$stored" -ge "$before" ]
stop_server

strace -f -e trace=setpriority -o "$T/trace" "$BUILD/pawld" backup --store "sqlite:$T/server.db" "$T/gentle.db" \
	>/dev/null 2>&1
if [ "$(nice)" -ge 10 ]; then
	skip 'it goes behind who posts' 'the tests do, too'
elif grep -q 'exited with 0' "$T/trace" 2>/dev/null; then
	like 'it goes behind who posts' "$T/trace" 'setpriority\(PRIO_PROCESS, 0, 10\) += 0'
	nice -n 12 strace -f -e trace=setpriority -o "$T/trace" "$BUILD/pawld" backup --store "sqlite:$T/server.db" "$T/gentler.db" \
		>/dev/null 2>&1
	like 'nor does one that is further behind come forward' "$T/trace" 'exited with 0'
	unlike 'for anybody' "$T/trace" 'setpriority'
else
	skip 'it goes behind who posts' 'strace is not installed or may not look'
fi
runs 5 'a copy takes no place of another' "$BUILD/pawld" backup --store "sqlite:$T/server.db" "$T/copy.db"
like 'and says so' "$T/err" "is there already"
runs 5 'nor is a store overwritten' "$BUILD/pawld" restore --store "sqlite:$T/server.db" "$T/copy.db"
mkdir "$T/new"
runs 0 'a store is made of it' "$BUILD/pawld" restore --store "sqlite:$T/new/server.db" "$T/copy.db"
mv "$T/server.db" "$T/old.db"
mv "$T/new/server.db" "$T/server.db"
start_server --no-auth || exit 1
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&limit=20000'
is 'a server answers from it' "$status $(json "$T/body" 'len(d["points"]["value"])')" "200 $stored"
doc more 'summary(200000)'
send more
is 'and takes more' "$status" 201
stop_server

# A server that is killed leaves the newest summaries in the WAL, which is of no other store.
start_server --no-auth || exit 1
doc last 'summary(200001)'
send last
is 'one more' "$status" 201
kill -9 "$SERVER_PID"
wait "$SERVER_PID" 2>/dev/null
forget "$SERVER_PID"
check 'it is in the WAL' [ -s "$T/server.db-wal" ]
rm "$T/server.db"
runs 5 'no store is made beside a WAL of another' "$BUILD/pawld" restore --store "sqlite:$T/server.db" "$T/copy.db"
like 'which is named' "$T/err" "'$T/server.db-wal' is there already"
like 'with the cure' "$T/err" '^hint: .*move'
check 'and nothing is there' [ ! -e "$T/server.db" ]
rm -f "$T/server.db-wal" "$T/server.db-shm"
for kind in shm journal; do
	: >"$T/server.db-$kind"
	runs 5 "nor beside a $kind" "$BUILD/pawld" restore --store "sqlite:$T/server.db" "$T/copy.db"
	rm "$T/server.db-$kind"
done
runs 0 'without them it is' "$BUILD/pawld" restore --store "sqlite:$T/server.db" "$T/copy.db"
runs 0 'and is sound' "$BUILD/pawld" fsck --store "sqlite:$T/server.db"

echo text >"$T/text"
runs 5 'what is no store is none' "$BUILD/pawld" restore --store "sqlite:$T/none.db" "$T/text"
check 'and leaves nothing' [ ! -e "$T/none.db" ]
runs 5 'nor a file that is not there' "$BUILD/pawld" backup --store "sqlite:$T/none.db" "$T/other.db"
runs 5 'a folder that is not there' "$BUILD/pawld" backup --store "sqlite:$T/old.db" "$T/nowhere/copy.db"
(cd "$T" && "$BUILD/pawld" backup --store sqlite:old.db -- -copy.db) >"$T/out" 2>&1
is 'a file may look like an option after --' "$? $(cat "$T/out")" '0 copied to -copy.db'
runs 2 'only a file does' "$BUILD/pawld" backup -- --store "sqlite:$T/old.db"
runs 2 'no file' "$BUILD/pawld" backup --store "sqlite:$T/old.db"
runs 2 'no store' "$BUILD/pawld" backup "$T/other.db"

exit 0
