# What is handed out: the tarball, the unit of the server, and (in the long run) the Debian packages,
# built, held against the policy, and used in a root of their own.
. "$(dirname "$0")/../../lib.sh"

# ---- the tarball ------------------------------------------------------------------------------

if git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null 2>&1; then
	# Of the files, which git has, make needs one.
	for clone in one two; do
		git clone -q -n "$ROOT" "$T/$clone" 2>/dev/null && git -C "$T/$clone" checkout -q HEAD -- Makefile
	done
	check 'a tarball is made' make -s -C "$T/one" dist
	sleep 1
	make -s -C "$T/two" dist >/dev/null
	check 'the same commit gives the same bytes' cmp "$T/one"/pawl-*.tar.gz "$T/two"/pawl-*.tar.gz
	is 'all in one folder' "$(tar -tzf "$T/one"/pawl-*.tar.gz | cut -d / -f 1 | sort -u)" \
		"$(basename "$T/one"/pawl-*.tar.gz .tar.gz)"
else
	skip 'a tarball is made' 'this is no git repository'
fi

# ---- the unit of the server ---------------------------------------------------------------------

if systemd-analyze security --help 2>/dev/null | grep -q offline; then
	systemd-analyze security --offline=yes --no-pager "$ROOT/server/pawld.service" >"$T/security" 2>&1
	like 'the unit leaves pawld little of the machine' "$T/security" 'exposure level.*: [01]\.[0-9] OK'
else
	skip 'the unit leaves pawld little of the machine' 'systemd-analyze cannot look at a file'
fi
for option in $(sed -n 's/^ExecStart=//p' "$ROOT/server/pawld.service" | grep -o -e '--[a-z-]*'); do
	like "its option $option is one of pawld's" "$ROOT/docs/man/pawld.8" "^\\.It Fl Fl ${option#--} "
done

# ---- Debian ---------------------------------------------------------------------------------------

if [ "${PAWL_TEST_SLOW:-}" != 1 ]; then
	skip 'the Debian packages build, are lint-clean and run' 'takes minutes: make check-slow'
	exit
fi
for tool in dpkg-buildpackage lintian debootstrap dh; do
	command -v "$tool" >/dev/null || {
		skip 'the Debian packages build, are lint-clean and run' "$tool is not installed"
		exit
	}
done
git clone -q "$ROOT" "$T/deb/pawl" 2>/dev/null
cd "$T/deb/pawl" || exit 1
check 'the packages build' dpkg-buildpackage -us -uc -b
cd .. || exit 1
for package in pawl pawld libpawl0 libpawl-dev; do
	check "$package is there" [ -s "$(ls "${package}"_[0-9]*.deb)" ]
done
lintian --allow-root --fail-on warning pawl_*.changes >"$T/lintian" 2>&1
result $? 'lintian finds nothing' "$(cat "$T/lintian")"
if [ "$(id -u)" -ne 0 ]; then
	skip 'they run in a clean root' 'debootstrap needs root'
	exit
fi
mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] *\)*\([^ ]*\) .*/\2/p' \
	/etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
. /etc/os-release
check 'a clean root is made' debootstrap --variant=minbase "$VERSION_CODENAME" "$T/root" "$mirror"
mkdir -p "$T/root/debs" && cp ./*.deb "$T/root/debs/" && rm -f "$T"/root/debs/*dbgsym*
cp "$ROOT/examples/empty.c" "$T/root/root/"
inside() {
	chroot "$T/root" env LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"
}
check 'a compiler installs there' inside sh -c 'apt-get -q update && apt-get -q install -y --no-install-recommends gcc libc6-dev curl ca-certificates'
cp "$ROOT/ci/shell/pawl-install" "$T/root/debs/"
urls=$(cd "$T/root" && for each in debs/pawl_*.deb debs/libpawl*.deb; do printf 'file:///%s ' "$each"; done)
sums=$(cd "$T/root" && sha256sum debs/pawl_*.deb debs/libpawl*.deb | cut -d ' ' -f 1 | paste -sd ' ')
check 'a job installs them by their sums' inside env "PAWL_CI_URL=$urls" "PAWL_CI_SHA256=$sums" sh /debs/pawl-install
check 'the server, too, with what it depends on' inside sh -c 'apt-get -q install -y --no-install-recommends /debs/pawld_*.deb'
check 'libcurl is among that: alerts need it' inside sh -c 'dpkg-query -W libcurl4'
check 'pawl runs' inside pawl --version --build-info
check 'also as a command of git' inside git pawl --version
check 'pawld runs' inside pawld --version
inside sh -c 'cd /root && sed "s,include/pawl.h,pawl.h," empty.c >e.c && cc -o e e.c -lpawl && ./e --min-time 1ms' >"$T/out" 2>&1
like 'a benchmark links libpawl and runs' "$T/out" '^benchmark '
check 'the user of pawld is there' inside getent passwd pawld
check 'and they go away again' inside sh -c 'apt-get -q remove -y pawl pawld libpawl-dev libpawl0'
