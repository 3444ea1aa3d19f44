# Row 57: a store on a network file system keeps no shared memory beside it, and says so.
. "$(dirname "$0")/../lib.sh"

case $BUILD in
*asan* | *tsan*)
	skip 'a network file system' 'a sanitizer wants to be loaded before the library that plays it'
	exit 0
	;;
esac
cat >"$T/nfs.c" <<'END_OF_C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/vfs.h>

int statfs(const char *path, struct statfs *out)
{
	int (*next)(const char *, struct statfs *) = (int (*)(const char *, struct statfs *))dlsym(RTLD_NEXT, "statfs");
	int result = next(path, out);

	if (!result)
		out->f_type = 0x6969; /* NFS */
	return result;
}
END_OF_C
${CC:-cc} -shared -fPIC -o "$T/nfs.so" "$T/nfs.c" -ldl 2>"$T/err" || { cat "$T/err"; exit 1; }
# another: stores a result that was not there yet
another() {
	another_n=$((${another_n:-0} + 1))
	sed "s/\"iterations\": [0-9]*/\"iterations\": $another_n/" "$ROOT/tests/data/foreign/google-single.json" |
		pawl import --no-push --project p - >/dev/null 2>&1
}
new_repo "$T/repo"
cd "$T/repo" || exit 1
commit_all . one
journal() {
	/usr/bin/python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("PRAGMA journal_mode").fetchone()[0])' .git/pawl/results.db
}
export LD_PRELOAD="$T/nfs.so"
check 'a result is stored' another
is 'without a log that maps memory' "$(journal)" delete
pawl doctor >"$T/out" 2>&1
like 'doctor tells it' "$T/out" '^-- store .*network file system'
pids=
for n in 1 2 3 4 5 6; do
	(another_n=$((10 * n)) && another) &
	pids="$pids $!"
done
for pid in $pids; do wait "$pid"; done
runs 0 'six at once lose nothing' pawl fsck
like 'and are all there' "$T/out" '^7 results, 0 damaged$'
unset LD_PRELOAD
another_n=100
check 'on a local one it is as ever' another
is 'with a log' "$(journal)" wal
