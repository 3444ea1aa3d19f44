# Row 3: no inodes, no quota, a read-only medium, no descriptors: as a full disk, and named for what it is.
# See: tests/faults/04-failing-calls.sh: no result is lost or stored in silence
. "$(dirname "$0")/../lib.sh"

mkdir "$T/disk"
if ! mount -t tmpfs -o size=4m,nr_inodes=90 tmpfs "$T/disk" 2>/dev/null; then
	skip 'a file system without inodes' 'mounting a tmpfs needs root'
	exit 0
fi
trap 'cd /; umount -l "$T/disk" 2>/dev/null; at_end' EXIT
new_repo "$T/disk/repo"
cd "$T/disk/repo" || exit 1
rm -rf .git/hooks .git/info .git/description
printf '[benchmark "x"]\n\tcommand = true\n' >.pawlconfig
commit_all . 'one'
echo two >file
commit_all . 'two'
runs 0 'there is room for the first result' pawl import --project p "$ROOT/tests/data/foreign/google-single.json"
i=0
while true >"$T/disk/file.$i"; do i=$((i + 1)); done 2>/dev/null
runs 5 'without inodes nothing is stored' pawl import --project p "$ROOT/tests/data/foreign/google-single.json"
like 'which is told as no space' "$T/err" 'No space left on device'
like 'with what to do' "$T/err" '^hint: .*df -i'
runs 5 'nothing is compared' pawl compare --build true
like 'which is told with what to do, too' "$T/err" '^hint: .*df -i'
runs 5 'doctor tells it' pawl doctor
like 'with what to do' "$T/out" 'no further file can be made'
rm -f "$T/disk"/file.*
runs 0 'the store is sound' pawl fsck
like 'with the first result' "$T/out" '^1 result, 0 damaged$'
runs 0 'with inodes again it is stored' pawl import --project p "$ROOT/tests/data/foreign/google-single.json"
mount -o remount,ro "$T/disk"
runs 0 'on a medium that became read-only a result is kept elsewhere' \
	env HOME="$T/home" pawl import --project p "$ROOT/tests/data/foreign/google-single.json"
like 'which is told' "$T/err" "cannot be written; results are kept in '$T/home/"
runs 5 'where that cannot be written either there is no store' \
	env XDG_STATE_HOME="$T/disk" pawl report --project p
like 'which is told, too' "$T/err" 'no folder for results can be written'
