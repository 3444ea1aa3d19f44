# Row 7: the power goes while results are stored: what was acknowledged is there, and the store is sound.
# The block device as it is at one moment, without what is in memory, is what a cut leaves.
. "$(dirname "$0")/../lib.sh"

mkdir "$T/disk" "$T/cut"
truncate -s 24M "$T/image"
if ! mkfs.ext4 -q -F "$T/image" 2>/dev/null || ! mount -o loop "$T/image" "$T/disk" 2>/dev/null; then
	skip 'cutting the power' 'no file system of a file can be mounted here'
	exit 0
fi
writer=
trap 'cd /; [ -z "$writer" ] || kill -s KILL -- "-$writer" 2>/dev/null; umount -l "$T/cut" 2>/dev/null; umount -l "$T/disk" 2>/dev/null; at_end' EXIT
new_repo "$T/disk/repo"
cd "$T/disk/repo" || exit 1
rm -rf .git/hooks
commit_all . one
sync
cuts=4
[ -z "${PAWL_TEST_SLOW:-}" ] || cuts=50
# Every acknowledgement goes to another file system, after the fact.
cat >"$T/writer.sh" <<'END_OF_SH'
n=0
while :; do
	n=$((n + 1))
	sed "s/\"iterations\": [0-9]*/\"iterations\": $n/" "$1" |
		pawl import --no-push --project p - >/dev/null 2>&1 && echo "$n" >>"$2"
	[ $((n % 10)) != 0 ] || pawl fsck --repair >/dev/null 2>&1
done
END_OF_SH
: >"$T/acknowledged"
setsid sh "$T/writer.sh" "$ROOT/tests/data/foreign/google-single.json" "$T/acknowledged" &
writer=$!
to_stop="$to_stop $writer"
lost=0 unsound=0 cut=0 acknowledged=0
while [ $cut -lt $cuts ]; do
	cut=$((cut + 1))
	sleep "0.$((1 + $(od -An -N1 -tu1 /dev/urandom) % 7))$(($(od -An -N1 -tu1 /dev/urandom) % 10))"
	kill -s STOP -- "-$writer"
	acknowledged=$(wc -l <"$T/acknowledged")
	cp "$T/image" "$T/snapshot"
	kill -s CONT -- "-$writer"
	mount -o loop "$T/snapshot" "$T/cut" || { unsound=$((unsound + 1)); continue; }
	(cd "$T/cut/repo" && pawl fsck) >"$T/fsck" 2>&1 || unsound=$((unsound + 1))
	found=$(sed -n 's/^\([0-9]*\) results, 0 damaged$/\1/p' "$T/fsck")
	[ "$acknowledged" -eq 0 ] || [ "${found:-0}" -ge "$acknowledged" ] || lost=$((lost + 1))
	umount "$T/cut"
done
kill -s KILL -- "-$writer"
wait "$writer" 2>/dev/null
forget "$writer"
writer=
check "results were acknowledged before the last cut ($acknowledged)" [ "$acknowledged" -gt 0 ]
is "of $cuts cuts none lost what was acknowledged" "$lost" 0
is 'and each left a sound store' "$unsound" 0
