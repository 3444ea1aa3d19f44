# Row 7: the power goes while results are collected, posted and repaired: what was acknowledged is there, and store and
# ledger are sound.  The block device as it is at one moment, without what is in memory, is what a cut leaves.  KEEP names
# a folder for those that are not as they should be; CUTS how many there are.
. "$(dirname "$0")/loop_lib"

mkdir "$T/disk" "$T/cut"
# A repair keeps the damaged file beside what it made of it.
truncate -s "${PAWL_TEST_SLOW:+1}32M" "$T/image"
if ! mkfs.ext4 -q -F "$T/image" 2>/dev/null || ! mount -o loop "$T/image" "$T/disk" 2>/dev/null; then
	skip 'cutting the power' 'no file system of a file can be mounted here'
	exit 0
fi
writer='' server=''
stop_all() {
	[ -z "$writer" ] || kill -s KILL -- "-$writer" 2>/dev/null
	[ -z "$server" ] || kill -s KILL "$server" 2>/dev/null
	wait 2>/dev/null
	to_stop='' writer='' server=''
}
trap 'cd /; stop_all; umount -l "$T/cut" 2>/dev/null; umount -l "$T/disk" 2>/dev/null; at_end' EXIT
new_repo "$T/disk/repo"
cd "$T/disk/repo" || exit 1
rm -rf .git/hooks
commit_all . one
start_server --no-auth --store "sqlite:$T/disk/ledger.db"
server=$SERVER_PID
git config pawl.server "$SERVER"
sync
cuts=4
[ -z "${PAWL_TEST_SLOW:-}" ] || cuts=${CUTS:-50}
# A result that nobody counts on, damaged: what a repair has to do.
cat >"$T/damage.py" <<'END_OF_PY'
import sqlite3
db = sqlite3.connect(".git/pawl/results.db")
seq, was = db.execute("SELECT seq, packed FROM result ORDER BY seq DESC LIMIT 1").fetchone()
db.execute("UPDATE result SET packed=? WHERE seq=?", (was[:-1] + bytes([was[-1] ^ 1]), seq))
db.commit()
END_OF_PY
# Every acknowledgement goes to another file system, after the fact.
cat >"$T/writer.sh" <<'END_OF_SH'
n=0
while :; do
	pawl collect --no-push --runs 2..2 --min-time 1ms -- true >/dev/null 2>"$1/said" && ! grep -q 'not stored' "$1/said" &&
		n=$((n + 1)) && echo "$n" >>"$1/stored"
	pawl push --all --require-push >/dev/null 2>&1 && echo "$n" >>"$1/posted"
	[ $((n % 5)) != 0 ] || {
		pawl import --no-push --project p "$FOREIGN/google-single.json" >/dev/null 2>&1 &&
			/usr/bin/python3 -IS "$1/damage.py" && pawl fsck --repair >/dev/null 2>&1
	}
done
END_OF_SH
: >"$T/stored" && : >"$T/posted"
# shellcheck disable=SC2086  # words, or none
setsid sh "$T/writer.sh" "$T" &
writer=$!

# said: what the last fsck said at its end, or what a sanitizer found and where
said() {
	grep -m 9 -E 'ERROR: .*Sanitizer|runtime error:|^ +#[0-7] ' "$T/fsck" || tail -n 1 "$T/fsck"
}

# look: at the disk as the cut left it; it says what is not right
look() {
	cd "$T/cut/repo" || return
	pawl fsck >"$T/fsck" 2>&1
	damaged=$(sed -n 's/^[0-9]* results\{0,1\}, \([0-9]*\) damaged.*/\1/p' "$T/fsck")
	case $damaged in
	0) ;;
	1) pawl fsck --repair >/dev/null 2>&1 || echo "cut $cut: it cannot be repaired" ;;
	*) [ "$stored" -eq 0 ] || echo "cut $cut: $(said)" ;;
	esac
	[ "$stored" -eq 0 ] || pawl fsck >"$T/fsck" 2>&1 || echo "cut $cut: after its repair: $(said)"
	found=$(sed -n 's/^\([0-9]*\) results\{0,1\}, 0 damaged.*/\1/p' "$T/fsck")
	[ "${found:-0}" -ge "$stored" ] || echo "cut $cut: LOST: $stored stored, ${found:-0} found"
	pawld fsck --store "sqlite:$T/cut/ledger.db" >"$T/fsck" 2>&1 || [ "$posted" -eq 0 ] ||
		echo "cut $cut: the ledger: $(said)"
	found=$(sed -n 's/^\([0-9]*\) summaries.*/\1/p' "$T/fsck")
	[ "${found:-0}" -ge "$posted" ] || echo "cut $cut: LOST: $posted posted, ${found:-0} found"
	cd /
}

# snapshot: the disk of one moment.  The kernel writes on while everybody stands still: what was copied then is of two
# moments, the journal of the later one and what it is for of the earlier one.
snapshot() {
	tries=0
	while [ $tries -lt 200 ]; do
		cp "$T/image" "$T/snapshot"
		cmp -s "$T/image" "$T/snapshot" && return 0
		tries=$((tries + 1))
		sleep 0.05
	done
	return 1
}

cut=0
: >"$T/looks"
while [ $cut -lt $cuts ]; do
	cut=$((cut + 1))
	# However slow the machine is, the last one comes after something was acknowledged.
	[ $cut -lt $cuts ] || wait_for grep -q '^[1-9]' "$T/posted"
	sleep "0.$((1 + $(od -An -N1 -tu1 /dev/urandom) % 7))$(($(od -An -N1 -tu1 /dev/urandom) % 10))"
	kill -s STOP -- "-$writer"
	kill -s STOP "$server"
	stored=$(tail -n 1 "$T/stored") posted=$(tail -n 1 "$T/posted")
	stored=${stored:-0} posted=${posted:-0}
	snapshot || echo "cut $cut: the disk never stood still" >>"$T/looks"
	kill -s CONT "$server"
	kill -s CONT -- "-$writer"
	mount -o loop "$T/snapshot" "$T/cut" || { echo "cut $cut: it cannot be mounted" >>"$T/looks"; continue; }
	look >"$T/seen"
	umount "$T/cut"
	[ ! -s "$T/seen" ] || [ -z "${KEEP:-}" ] || cp --sparse=always "$T/snapshot" "$KEEP/cut.$$.$cut"
	cat "$T/seen" >>"$T/looks"
done
cd "$T"
stop_all
check "results were stored and posted before the last cut ($stored, $posted)" [ "$posted" -gt 0 ]
is "of $cuts cuts none lost what was acknowledged, and each left a sound store and a sound ledger" "$(cat "$T/looks")" ''
