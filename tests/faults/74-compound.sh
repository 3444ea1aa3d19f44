# Row 74: two faults at once: a repair on a full disk, and one that is killed; what is intact is still saved after.
# See: tests/faults/06-killed.sh: imports, repairs and pushes that are killed lose nothing
. "$(dirname "$0")/../lib.sh"

# another: stores a result that was not there yet
another() {
	another_n=$((${another_n:-0} + 1))
	sed "s/\"iterations\": [0-9]*/\"iterations\": $another_n/" "$ROOT/tests/data/foreign/google-single.json" |
		pawl import --no-push --project p - >/dev/null 2>&1
}

mkdir "$T/disk"
if ! mount -t tmpfs -o size=1500k tmpfs "$T/disk" 2>/dev/null; then
	skip 'a repair on a full disk' 'mounting a tmpfs needs root'
	exit 0
fi
trap 'cd /; umount -l "$T/disk" 2>/dev/null; at_end' EXIT
new_repo "$T/disk/repo"
cd "$T/disk/repo" || exit 1
rm -rf .git/hooks
commit_all . one
i=0
while [ $i -lt 6 ]; do
	another
	i=$((i + 1))
done
/usr/bin/python3 - .git/pawl/results.db <<'END_OF_PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
was = db.execute("SELECT packed FROM result WHERE seq=2").fetchone()[0]
db.execute("UPDATE result SET packed=? WHERE seq=2", (was[:-1] + bytes([was[-1] ^ 1]),))
db.commit()
END_OF_PY
cp .git/pawl/results.db "$T/damaged"
runs 5 'one of six results is damaged' pawl fsck
like 'and told' "$T/out" '^6 results, 1 damaged'
dd if=/dev/zero of=filler bs=1k count=3000 2>/dev/null
runs 5 'a repair without room' pawl fsck --repair
like 'says why' "$T/err" 'No space left|full'
check 'and leaves the store as it was' cmp "$T/damaged" .git/pawl/results.db
rm filler
runs 0 'with room it is repaired' pawl fsck --repair
like 'with the loss of the damaged one alone' "$T/out" '^5 results saved, 1 lost'
runs 0 'the store is sound' pawl fsck
is 'and nothing is left of the first repair' "$(ls .git/pawl | grep -c repair)" 0
