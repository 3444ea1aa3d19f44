# Row 32: a fork bomb is ended; a benchmark that the system killed for its memory is told as such.
# See: tests/unit/collector/child/test_collector_child_left.c: a_thousand_leftovers_are_all_killed
. "$(dirname "$0")/../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf 'b = bytearray(200000000)\n' >eats.py
printf '[pawl]\n\truns = 2..2\n[benchmark "eats"]\n\tcommand = /usr/bin/python3 -IS eats.py\n' >.pawlconfig
commit_all . one
case $BUILD in
*asan* | *tsan*)
	skip 'a group of little memory' 'pawl itself with a sanitizer does not fit into it'
	exit 0
	;;
esac
group=
for folder in /sys/fs/cgroup /sys/fs/cgroup/memory; do
	mkdir "$folder/pawl-test.$$" 2>/dev/null || continue
	for limit in memory.max memory.limit_in_bytes; do
		[ -w "$folder/pawl-test.$$/$limit" ] && echo 60000000 >"$folder/pawl-test.$$/$limit" &&
			group=$folder/pawl-test.$$
	done
	[ -n "$group" ] && break
	rmdir "$folder/pawl-test.$$"
done
if [ -z "$group" ]; then
	skip 'a group of little memory' 'no control group can be made here'
	exit 0
fi
# The system may need a moment to let go of it.
removed() {
	rmdir "$group" 2>/dev/null
}
trap 'code=$?; wait_for removed; (exit $code); at_end' EXIT
runs 4 'a benchmark that eats more memory than there is' \
	sh -c "echo \$\$ >'$group/cgroup.procs' && exec pawl collect --no-push"
like 'was killed' "$T/out" 'killed by SIGKILL'
like 'by the system, which had no more memory for it' "$T/out" 'SIGKILL: the system ran out of memory'
runs 0 'the store is sound' pawl fsck
