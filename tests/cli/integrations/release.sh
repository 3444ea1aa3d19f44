# ci/release: what is handed out, and ci/shell/pawl-install, which takes it by its sum.
. "$(dirname "$0")/../../lib.sh"

if ! git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null 2>&1; then
	skip 'a release is made' 'this is no git repository'
	exit
fi
# parts_but_packages FILE: the list of parts, without the .debs among the files
parts_but_packages() {
	json "$1" '[d["metadata"]["component"].update(externalReferences=[r for r in
		d["metadata"]["component"]["externalReferences"] if not r["url"].endswith(".deb")]), sorted(d.items())]'
}

mode=${BUILD##*/}
export PAWL_RELEASE_DEBS=${PAWL_TEST_SLOW:+yes}
PAWL_RELEASE_DEBS=${PAWL_RELEASE_DEBS:-no}
runs 0 'a release is made' "$ROOT/ci/release" "$T/one" "$mode"
version=$(sed -n 's/^VERSION *= *//p' "$ROOT/Makefile")
arch=$(uname -m)
cd "$T/one" || exit 1
sbom=pawl-$version.cdx.json
check 'its sums hold' sha256sum -c SHA256SUMS
is 'and are of all there is' "$(sed 's/.*  //' SHA256SUMS | sort)" "$(ls | grep -v SHA256SUMS | sort)"
if [ "$PAWL_RELEASE_DEBS" = no ]; then
	skip 'packages are among it' 'takes minutes: make check-slow'
elif grep -q '^no .debs: ' "$T/out"; then
	skip 'packages are among it' "$(sed -n 's/^no .debs: //p' "$T/out")"
else
	for package in pawl pawld libpawl0 libpawl-dev; do
		check "the package $package is among it" [ -s "$(ls "${package}_$version"*.deb)" ]
	done
fi
runs 1 'a folder that holds something is left alone' "$ROOT/ci/release" "$T/one" "$mode"
like 'and it says so' "$T/err" 'is not empty'

if slow_only 'the same commit gives the same bytes'; then
	runs 0 'a second release is made' env PAWL_RELEASE_DEBS=no "$ROOT/ci/release" "$T/two" "$mode"
	is 'of the same bytes' "$(grep 'tar[.]gz$' SHA256SUMS)" "$(grep 'tar[.]gz$' "$T/two/SHA256SUMS")"
	# The list has the sum of each file, and the second release has no packages.
	is 'and the same parts' "$(parts_but_packages "$sbom")" "$(parts_but_packages "$T/two/$sbom")"
fi

# ---- what it is made of --------------------------------------------------------------------------

is 'the list of parts is CycloneDX' "$(json "$sbom" '(d["bomFormat"], d["specVersion"])')" \
	"('CycloneDX', '1.5')"
is 'and names what the Makefile links' \
	"$(json "$sbom" '" ".join(sorted(c["name"] for c in d["components"]))')" \
	"$(sed -n 's/^\(CORE\|LATE\|SERVER\)_PACKAGES *= //p' "$ROOT/Makefile" | tr ' ' '\n' | sort | paste -sd ' ')"
is 'and has the sum of each other file' \
	"$(json "$sbom" '"\n".join(r["hashes"][0]["content"] + "  " + r["url"] for r in d["metadata"]["component"]["externalReferences"])' |
		sort)" "$(grep -v ' pawl-.*[.]cdx[.]json$' SHA256SUMS | sort)"
is 'each with a version' "$(json "$sbom" '[c["name"] for c in d["components"] if not c["version"]]')" '[]'
is 'of this commit' "$(json "$sbom" 'd["metadata"]["component"]["properties"][0]["value"]')" \
	"$(git -C "$ROOT" rev-parse HEAD)"

# ---- a job takes it by its sum -----------------------------------------------------------------------

file=pawl-$version-linux-$arch.tar.gz
sum=$(sed -n "s/  $file\$//p" SHA256SUMS)
mkdir -p "$T/empty/bin"
# a PATH without a pawl: this test's own stands in front of it
for tool in sh dirname tr nproc curl sha256sum tar mkdir rm cat printf mktemp cp gzip grep sed cut make cc chmod id; do
	path=$(PATH=/usr/local/bin:/usr/bin:/bin command -v $tool) && ln -sf "$path" "$T/empty/bin/$tool"
done
# install STATUS NAME SUM [URL]
install() {
	rm -rf "$T/prefix"
	runs "$1" "$2" env PATH="$T/empty/bin" PAWL_CI_PREFIX="$T/prefix" GITHUB_PATH="$T/path" \
		PAWL_CI_SHA256="$3" PAWL_CI_URL="${4:-file://$T/one/$file}" sh "$ROOT/ci/shell/pawl-install"
}
: >"$T/path"
install 0 'a job installs it in a moment' "$sum"
like 'and says which it is' "$T/out" "^pawl $version\$"
is 'the next steps find it' "$(cat "$T/path")" "$T/prefix/bin"
is 'it knows where its files are' "$("$T/prefix/bin/pawl" --exec-path)" "$T/prefix/share/pawl"
check 'among them the step of a job' [ -x "$T/prefix/share/pawl/ci/shell/pawl-step" ]
install 1 'another sum is refused' "$(printf '0%.0s' $(seq 64))"
like 'and it says so' "$T/err" 'is not the file that was meant'
check 'nothing is installed' [ ! -e "$T/prefix/bin" ]
install 2 'no sum is refused' ''
like 'with what to set' "$T/err" 'PAWL_CI_SHA256'
install 1 'an address that answers nothing' "$sum" "file://$T/no-such.tar.gz"
install 2 'plain http' "$sum" 'http://example.org/pawl.tar.gz'
# Packages are installed in packages.sh, where there is a root for them: here they are looked at.
echo package >"$T/one.deb"
install 1 'a package of another sum is refused' "$sum" "file://$T/one.deb"
like 'as it is of a tarball' "$T/err" 'is not the file that was meant'
install 2 'each file has a sum of its own' "$sum" "file://$T/one/$file file://$T/one.deb"
like 'and the one without is refused' "$T/err" 'PAWL_CI_SHA256'
check 'before anything is installed' [ ! -e "$T/prefix/bin" ]
