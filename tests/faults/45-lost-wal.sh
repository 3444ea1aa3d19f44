# Row 45: -shm or -wal gone, cut or foreign: the store stays sound, and holds all that its files hold.
. "$(dirname "$0")/../lib.sh"

# another: stores a result that was not there yet
another() {
	another_n=$((${another_n:-0} + 1))
	sed "s/\"iterations\": [0-9]*/\"iterations\": $another_n/" "$ROOT/tests/data/foreign/google-single.json" |
		pawl import --no-push --project p - >/dev/null 2>&1
}
new_repo "$T/repo"
cd "$T/repo" || exit 1
commit_all . one
another
# A reader that is still there keeps the log from being folded in.
cat >"$T/hold.py" <<'END_OF_PY'
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1])
db.execute("BEGIN")
db.execute("SELECT count(*) FROM result").fetchone()
print("held", flush=True)
time.sleep(3600)
END_OF_PY
/usr/bin/python3 "$T/hold.py" .git/pawl/results.db >"$T/held" &
to_stop="$to_stop $!"
wait_for grep -q held "$T/held"
another
another
check 'two results are in the log alone' [ "$(stat -c %s .git/pawl/results.db-wal)" -gt 10000 ]
mkdir "$T/kept"
cp .git/pawl/results.db* "$T/kept"
kill "${to_stop##* }"
wait "${to_stop##* }" 2>/dev/null
to_stop=

# again: the store as it was with the log
again() {
	rm -f .git/pawl/results.db*
	cp "$T/kept"/* .git/pawl
}
# holds NAME N...: sound, with that many results
holds() {
	runs 0 "$1" pawl fsck
	like "  it has $2" "$T/out" "^$2 results?, 0 damaged\$"
	runs 0 '  the newest is shown' pawl report --project p
	check '  and another one is stored' another
}
again
rm .git/pawl/results.db-shm
holds 'without the index of the log' 3
again
rm .git/pawl/results.db-wal .git/pawl/results.db-shm
holds 'without the log' 1
again
size=$(stat -c %s .git/pawl/results.db-wal)
truncate -s $((size / 2)) .git/pawl/results.db-wal
rm .git/pawl/results.db-shm
runs 0 'with half of the log' pawl fsck
like '  it has those of the half' "$T/out" '^[123] results?, 0 damaged$'
again
rm .git/pawl/results.db-shm
head -c "$size" /dev/urandom >.git/pawl/results.db-wal
holds 'with a log of something else' 1
again
rm .git/pawl/results.db-wal .git/pawl/results.db-shm
head -c 8192 /dev/urandom >.git/pawl/results.db-journal
holds 'with a journal of something else' 1
