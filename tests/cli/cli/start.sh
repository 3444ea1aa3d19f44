# What pawl opens before it answers: a library that a command does not need is not opened for it, and
# one that is missing is named by the command that needs it.
. "$(dirname "$0")/../../lib.sh"

# The libraries that the loader opens for the command and its children; $T/opened has their names.
opens() {
	rm -rf "$T/loader"
	mkdir "$T/loader"
	LD_DEBUG=files LD_DEBUG_OUTPUT="$T/loader/of" "$@"
	opens_status=$?
	cat "$T/loader"/* 2>/dev/null |
		sed -n 's/.*file=\([^ ]*\).*generating link map.*/\1/p; s/.*calling init: //p' |
		sed 's,.*/,,' | sort -u >"$T/opened"
	return "$opens_status"
}

new_stored_repo "$T/r"
git config pawl.project proj
fill many 3
opens pawl --version >/dev/null
if ! grep -q '^libsqlite3' "$T/opened" && ! grep -q '^libc\.' "$T/opened"; then
	skip 'libraries are opened late' 'this loader does not say what it opens'
	exit
fi
late='^lib(curl|gnutls|ldap|nghttp2)'
unlike 'pawl --version opens no library of the network' "$T/opened" "$late"
unlike 'nor one that reads repositories, nor OpenSSL' "$T/opened" '^lib(git2|ssh2|mbedtls|crypto)'
runs 1 'pawl report shows a regression' opens pawl report
like 'and opens the one of the store' "$T/opened" '^libsqlite3'
unlike 'but none of the network' "$T/opened" "$late"
unlike 'nor libgit2: a plain repository is read without' "$T/opened" '^libgit2'
opens pawl history suite/case/1 >/dev/null 2>&1
unlike 'nor does pawl history' "$T/opened" '^lib(git2|curl|crypto)'
opens pawl doctor >/dev/null 2>&1
like 'pawl doctor opens it' "$T/opened" '^libgit2'

# libgit2 would read all certificates of the machine when it starts; pawl needs none here.
strace -f -e trace=openat -o "$T/trace" pawl doctor >/dev/null 2>&1
if [ -s "$T/trace" ]; then
	unlike 'it reads no certificate' "$T/trace" '\.pem"|\.crt"|/certs?[/"]'
else
	skip 'it reads no certificate' 'strace is not installed or may not look'
fi

# ---- a library that is not what it should be ----------------------------------------------------

# A file of the right name that has nothing in it: a missing one would be found in its usual folder.
mkdir "$T/lib"
for name in libcurl.so.4 libcurl-gnutls.so.4; do
	${CC:-cc} -shared -o "$T/lib/$name" -x c /dev/null
done
broken() {
	LD_LIBRARY_PATH=$T/lib "$@"
}
runs 1 'without libcurl pawl reports it too' broken pawl report
runs 0 'and tells what it is made of' broken pawl --version --build-info
like 'with what it lacks' "$T/out" '^libcurl +not found$'
runs 5 'to push it needs libcurl' broken pawl push --server http://127.0.0.1:9
like 'and names it' "$T/err" '^pawl: error: cannot open libcurl: .*undefined symbol: curl_'
like 'with the cure' "$T/err" '^hint: install libcurl'

# ---- processes beside those that are measured ---------------------------------------------------

# What pawl looks up in PATH is counted; a compiler in a script would have to be asked each time.
mkdir "$T/count"
for name in env git sh stat; do
	printf '#!/bin/sh\necho %s >>"%s"\nexec "%s" "$@"\n' "$name" "$T/started" "$(command -v "$name")" \
		>"$T/count/$name"
	chmod +x "$T/count/$name"
done
counted() {
	: >"$T/started"
	PATH=$T/count:$PATH "$@"
}
new_repo "$T/two"
cd "$T/two" || exit 1
printf '/b\n' >.gitignore
printf 'b: b.c\n\t%s -o $@ b.c\n' "${CC:-cc}" >Makefile
echo 'int main(void) { return 0; }' >b.c
commit_all . one
echo 'int main(void) { return 1 - 1; }' >b.c
commit_all . two
compare() {
	counted pawl compare --measure-identical --pairs 6 -- ./b
}
runs 0 'two commits are compared' compare
like 'for which the compilers are asked' "$T/started" '^sh$'
runs 0 'and once more, built already' compare
unlike 'they are not asked again' "$T/started" '^(sh|env|stat)$'
is 'git is asked for each tree once, and for what differs' "$(grep -c '^git$' "$T/started")" 3
runs 0 'the hooks are looked at' counted pawl hook status
is 'with one git' "$(grep -c '^git$' "$T/started")" 1
runs 0 'and so is everything' counted pawl doctor
is 'with three more: its version, the filters, the files that differ' "$(grep -c '^git$' "$T/started")" 4

# ---- a push that a receipt decides --------------------------------------------------------------

printf '[pawl]\n\tbuild = make\n[benchmark "b"]\n\tcommand = ./b\n' >.pawlconfig
commit_all . three
echo 'int main(void) { return 2 - 2; }' >b.c
commit_all . four
git remote add origin "$T/nowhere"
echo "refs/heads/main $(git rev-parse HEAD) refs/heads/main $(git rev-parse HEAD~1)" >"$T/refs"
hook() {
	"$@" pawl hook run pre-push origin nowhere <"$T/refs"
}
runs 0 'a push is compared' hook env
like 'for the first time' "$T/err" '^pawl: comparing main '
runs 0 'once more it is decided by what is known' hook opens
like 'which is said' "$T/err" '^pawl: compared already on this machine'
unlike 'and reads no commit' "$T/opened" '^libgit2'
runs 0 'with another PATH it is compared anew' hook counted
like 'once' "$T/err" '^pawl: comparing main '
runs 0 'and then git finds the commits' hook counted
is 'and what they have of two files' "$(grep -c '^git$' "$T/started")" 4
absent=$(git rev-parse HEAD | tr 0-9a-f 1-9a-f0)
runs 5 'a commit that is not here' pawl compare --committed "HEAD..$absent"
like 'is named' "$T/err" "^pawl: error: unknown revision '$absent'"
