# Kinds of repositories: shallow, bare, sha256, read-only, odd paths.
. "$(dirname "$0")/../../lib.sh"

config() {
	printf '[pawl]\n\truns = 2..2\n\tproject = demo\n[benchmark "x"]\n\tcommand = true\n' >"$1/.pawlconfig"
}

new_repo "$T/full"
config "$T/full"
commit_all "$T/full" 'one'
commit_all "$T/full" 'two'
git clone -q --depth 1 "file://$T/full" "$T/shallow"
cd "$T/shallow" || exit 1
runs 0 'a shallow clone is collected' pawl collect
like 'and told how to get its history' "$T/out" 'git fetch --deepen'

odd="$T/a b'c
d"
new_repo "$odd"
config "$odd"
commit_all "$odd" 'one'
cd "$odd" || exit 1
runs 0 'a path with blank, quote and line break' pawl collect

if git init -q --object-format=sha256 "$T/sha256" 2>/dev/null; then
	config "$T/sha256"
	commit_all "$T/sha256" 'one'
	cd "$T/sha256" || exit 1
	runs 0 'a sha256 repository' pawl collect --json
	is 'is tagged with 64 digits' "$(json "$T/out" 'len(d["commit"]["id"])')" 64
	commit_all . 'two'
	runs 0 'and finds its baseline' pawl collect --json
	is 'the parent' "$(json "$T/out" 'd["baseline"]["commit"]')" "$(git rev-parse HEAD~1)"
else
	skip 'a sha256 repository' 'this git makes none'
fi

git clone -q --bare "$T/full" "$T/bare.git"
cd "$T/bare.git" || exit 1
runs 0 'a bare repository measures a command' pawl collect --runs 2..2 --project demo -- true
like 'and stores it' "$T/out" 'no-baseline|two'

cd "$T/full" || exit 1
git checkout -q -b topic
commit_all . 'topic'
git checkout -q main
git merge -q --no-ff -m merge topic
runs 0 'the first parent of a merge' pawl collect
commit_all . 'after the merge'
runs 0 'is the baseline' pawl collect --json
is 'of the next commit' "$(json "$T/out" 'd["baseline"]["commit"]')" "$(git rev-parse HEAD~1)"

# husky 9 runs from .husky/_ what people write into .husky
git config core.hooksPath .husky/_
mkdir -p .husky/_ && printf '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n' >.husky/_/pre-push
runs 5 'husky keeps its hooks' pawl hook install
like 'the file to put the line into is named' "$T/err" 'into .husky/pre-push: if command -v pawl'
runs 0 'status says the same' pawl hook status
like 'and promises nothing else' "$T/out" "^pre-push +not installed; .* 'pawl hook install' prints the line"
like 'of the file that people write' "$T/out" '/\.husky/pre-push$'
pawl hook install 2>&1 >"$T/out" | sed -n 's/.*into .husky.pre-push: //p' >.husky/pre-push
runs 0 'with the line in it' pawl hook status
like 'it is run' "$T/out" '^pre-push +run by a hook'
runs 0 'and installing is done' pawl hook install
like 'already' "$T/out" "husky/pre-push' runs it already"
sed -i 's/^/# /' .husky/pre-push
runs 0 'as a comment' pawl hook status
like 'it is not run' "$T/out" '^pre-push +not installed'
runs 5 'and installing is not done' pawl hook install
git config --unset core.hooksPath
mkdir -p .git/hooks
printf '#!/bin/sh\npawl hook run pre-push "$@"\n' >.git/hooks/pre-push
runs 0 'a hook that is not executable' pawl hook status
like 'is run by nobody' "$T/out" '^pre-push +not installed'
chmod +x .git/hooks/pre-push
runs 0 'an executable one' pawl hook status
like 'is' "$T/out" '^pre-push +run by a hook'
rm .git/hooks/pre-push

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$T"
	cp "$BUILD/pawl" "$T/pawl" # the build may lie where that user cannot look
	runs 5 "another user's repository" setpriv --reuid 65534 --clear-groups \
		env HOME=/nonexistent "$T/pawl" collect
	like 'gets the command that allows it' "$T/err" 'safe\.directory'
else
	skip "another user's repository" 'needs root'
fi

# ---- what was missing may come ------------------------------------------------------------------

new_repo "$T/part"
printf '#define N 1\n' >"$T/part/n.h" && commit_all "$T/part" one
printf '#define N 8\n' >"$T/part/n.h" && commit_all "$T/part" eight
new_repo "$T/parts"
cd "$T/parts" || exit 1
cat >b.c <<'END_OF_C'
#if __has_include("sub/n.h")
#include "sub/n.h"
#else
#define N 1
#endif
int main(void)
{
	volatile unsigned sum = 0;

	for (unsigned i = 0; i < 1000000u * N; i++)
		sum += i;
	return 0;
}
END_OF_C
printf 'b: b.c\n\t$(CC) -o $@ b.c\n' >Makefile
printf '[pawl]\n\tbuild = make\n[benchmark "b"]\n\tcommand = ./b\n' >.pawlconfig
git -c protocol.file.allow=always submodule --quiet add "$T/part" sub
git -C sub checkout -q HEAD~1 && commit_all . one
git -C sub checkout -q main && commit_all . eight
mv .git/modules "$T/modules"
runs 4 'without their submodule two commits are not compared' pawl compare --submodules --quick --reuse
like 'as nobody would see what it changes' "$T/err" "submodule 'sub' moved and is not here"
mv "$T/modules" .git/modules
runs 1 'once it is here they are compared anew' pawl compare --submodules --quick --reuse
like 'and found out' "$T/out" 'regressed'
