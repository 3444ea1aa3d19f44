# pawl as one static file: built by `make static`, then used in a root that holds nothing else.
. "$(dirname "$0")/../../lib.sh"

what='one static file runs in an empty root'
if [ "${PAWL_TEST_SLOW:-}" != 1 ]; then
	skip "$what" 'fetches and builds two libraries: make check-slow'
	exit
fi
for tool in apt-get dpkg-source cmake readelf chroot; do
	command -v "$tool" >/dev/null || {
		skip "$what" "$tool is not installed"
		exit
	}
done
if [ "$(id -u)" -ne 0 ]; then
	skip "$what" 'chroot needs root'
	exit
fi
if ! make -C "$ROOT" static >"$T/log" 2>&1; then
	if grep -q 'cannot be had\|reading the lists of sources failed\|no repository' "$T/log"; then
		skip "$what" "$(grep '^ci/static' "$T/log" | tail -n 1)"
	else
		result 1 'make static' "$(tail -n 20 "$T/log")"
	fi
	exit
fi
static=$ROOT/build/static/pawl
readelf -l "$static" >"$T/elf"
unlike 'it asks for no loader' "$T/elf" 'interpreter'
readelf -d "$static" >"$T/needed" 2>&1
unlike 'and for no library' "$T/needed" NEEDED

# The root is the work tree; beside the file it holds a benchmark and nothing that a program needs.
root=$T/root
mkdir -p "$root/dev" "$root/tmp"
mknod "$root/dev/null" c 1 3
new_repo "$root"
printf '/pawl\n/bench\n/dev/\n/tmp/\n' >"$root/.gitignore"
commit_all "$root" one
commit_all "$root" two
cp "$static" "$root/pawl"
echo 'int main(void) { return 0; }' | ${CC:-cc} -static -o "$root/bench" -x c -
chroot=$(command -v chroot)
inside() {
	env -i HOME=/ "$chroot" "$root" /pawl "$@"
}
runs 0 'it tells what it is made of' inside --version --build-info
like 'with a libcurl that speaks HTTP and TLS alone' "$T/out" \
	'^libcurl +libcurl/[0-9.]+ OpenSSL/[0-9.]+$'
runs 0 'its help' inside compare --help
start_server --no-auth
runs 0 'it measures a commit and posts the result' \
	inside collect --runs 8..8 --project demo --server "$SERVER" -- /bench
like 'which arrives' "$T/err" 'posted 1 summary'
runs 0 'it reports what it stored' inside report --project demo
like 'with the benchmark' "$T/out" '^\. bench '
runs 0 'it exports it' inside export --project demo --format csv
like 'with the benchmark, too' "$T/out" 'bench'
runs 5 'to compare it needs what builds' inside compare --project demo --build true -- /bench
like 'and names what is missing' "$T/err" "^pawl: error: cannot run '"
runs 0 'it finds a server by name' \
	inside collect --runs 8..8 --project demo --server "http://localhost:${SERVER##*:}" -- /bench
like 'and posts there' "$T/err" 'posted 1 summary'
runs 0 'a name that nobody knows changes no verdict' \
	inside collect --runs 8..8 --project demo --server https://pawl.invalid -- /bench
like 'and is told' "$T/err" "not posted|pawl.invalid"
