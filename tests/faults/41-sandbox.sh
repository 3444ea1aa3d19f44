# Row 41: pawl has no sandbox of its own, and says so; it works inside one: no network, all read-only but the repository.
. "$(dirname "$0")/../lib.sh"

like 'the threat model says that there is none' "$ROOT/docs/explanation/threat-model.md" 'without a sandbox'
new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >build.sh <<END_OF_SH
touch /usr/pawl-test.$$ 2>/dev/null && echo written >outside
exec 9<>/dev/tcp/192.0.2.1/9
true
END_OF_SH
printf '[pawl]\n\tbuild = "sh build.sh; cp true.sh t"\n\truns = 12..12\n[benchmark "t"]\n\tcommand = ./t\n' >.pawlconfig
printf '#!/bin/sh\nexit 0\n' >true.sh
chmod +x true.sh
commit_all . one
printf '#!/bin/sh\n:\nexit 0\n' >true.sh
commit_all . two
cat >"$T/inside" <<'END_OF_SH'
mount --make-rprivate / && mount --bind "$1" "$1" && mount -o remount,bind,ro / && shift && exec "$@"
END_OF_SH
# The test's own folder stays writable as a mount of its own.
if ! unshare -mn sh -c "mount --make-rprivate / && mount --bind '$T' '$T' && mount -o remount,bind,ro /" 2>/dev/null; then
	skip 'a sandbox' 'no namespaces here'
	exit 0
fi
runs 0 'in a sandbox two commits are compared' \
	unshare -mn sh "$T/inside" "$T" env TMPDIR="$T" pawl compare --quick --threshold 90%
check 'nothing outside was written' [ ! -e "/usr/pawl-test.$$" ]
rm -f "/usr/pawl-test.$$"
