# A full disk: the result is printed, the status says it was not stored, the store stays sound.
. "$(dirname "$0")/../../lib.sh"

mkdir "$T/disk"
if ! mount -t tmpfs -o size=700k tmpfs "$T/disk" 2>/dev/null; then
	skip 'a full disk' 'mounting a tmpfs needs root'
	exit 0
fi
# What guarded pawl may need a moment longer to end, and its folder is there.
unmount() {
	cd /
	for _ in $(seq 100); do
		umount "$T/disk" 2>/dev/null && return
		sleep 0.1
	done
	umount "$T/disk"
}
new_repo "$T/disk/repo"
cd "$T/disk/repo" || exit 1
printf '[pawl]\n\truns = 2..2\n\tcacheSize = 100k\n[benchmark "x"]\n\tcommand = true\n' >.pawlconfig
commit_all . 'one'
runs 0 'there is room for the first result' pawl collect
mkdir -p .git/hooks
printf '#!/bin/sh\nexit 0\n' >.git/hooks/pre-push
chmod +x .git/hooks/pre-push
dd if=/dev/zero of=filler bs=1k count=2000 2>/dev/null
runs 5 'no room for the second' pawl collect
like 'its result is shown all the same' "$T/out" 'x .*'
like 'the error names the cause' "$T/err" 'No space left|full'
runs 5 'no room for a hook' pawl hook install
check 'the one that was there stays' [ -x .git/hooks/pre-push ]
check 'where it was' [ ! -e .git/hooks/chained/pre-push ]
rm filler
runs 0 'the store is sound' pawl fsck
like 'with the first result in it' "$T/out" '^1 result, 0 damaged$'
runs 0 'with room again it works' pawl collect
unmount
