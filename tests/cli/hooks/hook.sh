# The pre-push hook against real bare repositories: every kind of push, chaining, budgets.
. "$(dirname "$0")/../../lib.sh"

git init -q --bare "$T/remote.git"
new_work_repo "$T/repo" steps
cd "$T/repo" || exit 1
set_work 1000 'one'
git remote add origin "$T/remote.git"
git push -q origin main 2>/dev/null
export PAWL_MIN_TIME=1ms
git config pawl.hook.budget 20m # it may wait for others who measure

# another N MESSAGE: a commit that is compared: of other work in the long tests, and else of the same, since what
# is asked of it is with what it is compared
another() {
	if [ -n "${PAWL_TEST_SLOW:-}" ]; then
		set_work "$1" "$2"
	else
		git commit -q --allow-empty -m "$2"
	fi
}

push() { # push STATUS NAME ARGUMENTS...
	wanted=$1
	name=$2
	shift 2
	runs "$wanted" "$name" git push "$@"
}

# ---- installing -----------------------------------------------------------------------------

runs 0 'status tells that nothing is there' pawl hook status
like 'for both events' "$T/out" '^post-commit +not installed'
runs 0 'the hook is installed' pawl hook install
like 'and it says where' "$T/out" "pre-push hook is installed: '.*/repo/.git/hooks/pre-push'"
like 'and what a regression does' "$T/out" 'a regression is reported but does not stop the push'
check 'it is a script for sh that parses' sh -n .git/hooks/pre-push
is 'of ten lines at most' "$(($(wc -l <.git/hooks/pre-push) <= 10))" 1
runs 0 'a second time nothing happens' pawl hook install
like 'and it says so' "$T/out" 'installed already'
runs 2 'an unknown word is refused' pawl hook instal
like 'with the nearest word' "$T/err" "^hint: did you mean 'pawl hook install'"
runs 2 'an unknown event is refused' pawl hook run pre-commit

new_repo "$T/none"
runs 0 'a repository without benchmarks may have it' env -C "$T/none" pawl hook install
like 'and hears both ways to name some' "$T/out" \
	"^no benchmark is configured yet: run 'pawl init', or write '\[benchmark \"NAME\"\]' with a command into"

# ---- pushes that change nothing ---------------------------------------------------------------

git commit -q --allow-empty -m 'nothing'
push 0 'an empty commit is pushed' origin main
like 'it was compared' "$T/err" '^pawl: comparing main with what origin has'
like 'and is identical without a build' "$T/err" 'identical'
push 0 'a push that is up to date' origin main
unlike 'compares nothing' "$T/err" 'comparing'
git config pawl.hook.ignored '*.md'
echo text >README.md
commit_all . 'words'
push 0 'words alone are pushed' origin main
like 'and nothing is compared' "$T/err" "nothing to compare: what changed, such as 'README.md', reaches no build"
touch "$(printf 'a\033[31m\nb.md')"
commit_all . 'a hostile name'
push 0 'a file whose name would change the terminal' origin main
like 'is told in one line' "$T/err" "such as 'a\?\[31m b.md', reaches no build"
git config --unset pawl.hook.ignored

# ---- a regression -------------------------------------------------------------------------------

set_work 2000 'twice the work'
push 0 'a regression is reported but does not stop the push' origin main
like 'with its table' "$T/err" 'regressed'
like 'and how such a push could be stopped' "$T/err" 'git config pawl.hook.block true'
is 'the remote has it' "$(git -C "$T/remote.git" rev-parse main)" "$(git rev-parse main)"
is 'nothing came on stdout, which is git'"'"'s' "$(cat "$T/out")" ''
git config pawl.hook.block true
set_work 3900 'nearly four times the work'
before=$(git -C "$T/remote.git" rev-parse main)
push 1 'with pawl.hook.block it is stopped' origin main
like 'and how to let it pass is told, with its commit' "$T/err" \
	"pawl accept $(git rev-parse --short=12 main) --benchmark work/chain --change \+[0-9.]+% --because WHY"
like 'and how to see what got slower' "$T/err" '^pawl: to see what got slower: pawl why '
unlike 'of one commit nobody has to ask which' "$T/err" 'pawl bisect'
like 'or to accept it for everyone' "$T/err" "^pawl: to accept it for everyone: run the 'pawl accept' line above"
like 'with the way round it' "$T/err" 'to push anyway: PAWL=0 git push$'
is 'the remote has not got it' "$(git -C "$T/remote.git" rev-parse main)" "$before"
push 1 'a second try is stopped too' origin main
like 'by the receipt of the first' "$T/err" 'compared already on this machine'
pushed=$(sed -n 's/.* \([0-9a-f]*\.\.[0-9a-f]*\), within.*/\1/p' "$T/err")
runs 1 'which another command can use' pawl compare --quick --strict --reuse "$pushed"
like 'too' "$T/err" 'compared already on this machine'
git branch other HEAD~1
git checkout -q other
set_work 4100 'a little more than that'
git checkout -q main
push 1 'two branches that are slower' origin main other
is 'are stopped, with both commits to accept' \
	"$(sed -n 's/.*pawl accept \([0-9a-f]*\) .*/\1/p' "$T/err" | sort)" \
	"$(git for-each-ref --format='%(objectname:short=12)' refs/heads/main refs/heads/other | sort)"
like 'the one that is not checked out is named, too' "$T/err" '"a little more than that" on other$'
git branch -q -D other
runs 0 'what is accepted' pawl accept main --benchmark work/chain --change any --because why
push 1 'and not committed lets no push through' origin main
runs 0 'though compare, which may come before the commit, takes it' pawl compare --quick --reuse "$pushed"
runs 1 'unless it is asked for what is committed' pawl compare --quick --reuse --committed "$pushed"
rm .pawlaccepted
cp .pawlconfig "$T/kept"
sed -i.old 's/^\[benchmark.*/&\n\tthreshold = 100%/' .pawlconfig
push 1 'nor does a threshold that is not committed' origin main
runs 0 'though compare takes that, too' pawl compare --quick --reuse "$pushed"
git config benchmark.work.threshold 100%
push 0 'while one of the clone counts' origin main
git config --unset benchmark.work.threshold
git push -q -f --no-verify origin "$before:main"
printf '[benchmark' >.pawlconfig
push 1 'nor a configuration that is broken in the work tree' origin main
rm .pawlconfig
push 1 'nor one that is not there any more' origin main
cp "$T/kept" .pawlconfig
rm .pawlconfig.old
push_with() { env "$1" git push origin main; }
runs 1 'with other flags of the compiler' push_with CFLAGS=-O1
unlike 'it is compared anew' "$T/err" 'compared already on this machine'
git config benchmark.work.timeout 55s
push 1 'and with another setting of the benchmark' origin main
unlike 'too, anew' "$T/err" 'compared already on this machine'
git config --unset benchmark.work.timeout
push 1 'also a dry run, which git does not tell apart' --dry-run origin main
runs 0 'PAWL=0 skips it' env PAWL=0 git push origin main
git push -q -f --no-verify origin "$before:main"
runs 0 'and so does git push --no-verify' git push --no-verify origin main

# ---- every kind of ref ----------------------------------------------------------------------------

git config pawl.hook.block false
git checkout -q -b topic
set_work 4001 'a topic'
push 0 'a new branch is pushed' origin topic
like 'compared with where it left the remote' "$T/err" "comparing topic .*, $(git rev-parse --short=12 main)\.\."
git tag -a -m 'a tag' v1
push 0 'a tag of a commit that is there is pushed' origin v1
unlike 'and nothing compared' "$T/err" 'comparing'
git tag blob "$(git rev-parse HEAD:.pawlconfig)"
push 0 'a tag of a file is pushed' origin blob
unlike 'without a fault' "$T/err" 'not compared:'
push 0 'a branch is deleted' origin :topic
unlike 'and nothing compared' "$T/err" 'comparing'
another 4002 'more'
push 0 'a raw id is pushed' origin "$(git rev-parse HEAD):refs/heads/raw"
like 'under the name it gets' "$T/err" 'comparing raw with'
git checkout -q --detach
another 4003 'detached'
push 0 'a detached HEAD is pushed' origin HEAD:refs/heads/detached
like 'and compared' "$T/err" 'comparing detached with'
git checkout -q topic
git commit -q --amend --allow-empty -m 'otherwise'
push 0 'a forced push' --force origin topic:raw
like 'is compared with what is replaced' "$T/err" 'comparing raw with'
git clone -q "$T/remote.git" "$T/other"
git -C "$T/other" commit -q --allow-empty -m 'from elsewhere'
git -C "$T/other" push -q origin HEAD:raw
another 4004 'after it'
push 0 'a forced push over what is not here' --force origin topic:raw
like 'is compared with what both have' "$T/err" 'comparing raw with'
unlike 'without a fault' "$T/err" 'not compared:'
seq -f "create refs/tags/t%g $(git rev-parse main~1)" 100 | git update-ref --stdin
push 0 'a hundred tags are pushed' origin --tags
unlike 'of commits that are there' "$T/err" 'comparing'
push 0 'a push to a path' "$T/remote.git" topic:by-path
git worktree add -q "$T/linked" -b linked main
cd "$T/linked" || exit 1
another 4005 'in a linked worktree'
push 0 'a push from a linked worktree' origin linked
like 'is compared' "$T/err" 'comparing linked with'
cd "$T/repo" || exit 1
branch='x;$(touch$IFS'"$T/owned)"
git branch "$branch" topic
push 0 'a branch with a hostile name' origin "$branch:refs/heads/hostile"
check 'runs nothing' [ ! -e "$T/owned" ]
git init -q --bare "$T/empty.git"
push 0 'a first push to an empty remote' "$T/empty.git" main
printf 'rubbish\n' >"$T/lines"
runs 0 'a line that is none' sh -c 'pawl hook run pre-push origin x <"$1"' sh "$T/lines"
like 'lets the push through with one line' "$T/err" '^pawl: not compared: line 1 is not one of a pre-push hook; the push goes on'
is 'of one line' "$(wc -l <"$T/err")" 1
echo "refs/heads/topic $(git rev-parse topic) refs/heads/new $(git rev-parse main)" >"$T/lines"
rm -f "$T/written"
runs 0 'a remote that is called as an option is' \
	sh -c 'pawl hook run pre-push "--output=$2" "--output=$2" --help -- <"$1"' sh "$T/lines" "$T/written"
like 'is a remote' "$T/err" 'comparing new with what the remote has'
check 'and no option' [ ! -e "$T/written" ]

# ---- another kind of ids, and half a history --------------------------------------------------------

if git init -q --bare --object-format=sha256 "$T/sha256.git" 2>/dev/null; then
	git init -q --object-format=sha256 "$T/long"
	git archive main | tar -x -C "$T/long"
	cd "$T/long" || exit 1
	git remote add origin "$T/sha256.git"
	git config pawl.hook.budget 20m # as above
	set_work 100 'one'
	git push -q origin main 2>/dev/null
	set_work 200 'two'
	pawl hook install >/dev/null
	seq -f "create refs/tags/t%g $(git rev-parse main~1)" 300 | git update-ref --stdin
	push 0 'a push of ids of sha256' origin main
	like 'is compared' "$T/err" 'regressed'
	git push -q --no-verify origin :main 2>/dev/null
	# Nobody can look for leaks in a program that is traced.
	if strace -f -qq -o "$T/trace" true 2>/dev/null; then
		runs 0 'three hundred tags of it are pushed' \
			env ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace=execve \
			-o "$T/trace" git push origin --tags
		check 'with a handful of git commands' [ "$(grep -c 'execve(.*"git"' "$T/trace")" -lt 150 ]
	else
		skip 'three hundred tags of it take a handful of git commands' 'strace does not work here'
	fi
	cd "$T/repo" || exit 1
else
	skip 'a push of ids of sha256' 'this git has none'
fi
git clone -q --depth 1 "file://$T/remote.git" "$T/shallow" 2>/dev/null
cd "$T/shallow" || exit 1
pawl hook install >/dev/null
git commit -q --allow-empty -m 'on a shallow clone'
push 0 'a push from a shallow clone' origin HEAD:shallow
like 'is compared with what is there' "$T/err" 'comparing shallow with'
cd "$T/repo" || exit 1

# ---- faults, and time -------------------------------------------------------------------------------

set_work ')(' 'does not compile'
push 0 'what does not build is pushed' origin topic
like 'and it is said' "$T/err" 'topic: a build or a benchmark failed; the push goes on'
set_work 5000 'compiles'
nap=617.$$ # nobody else's
git config pawl.build "sleep $nap"
git config pawl.hook.budget 2s
push 0 'a build that takes too long' origin topic
like 'is not waited for' "$T/err" 'topic: not compared in time \(pawl.hook.budget\); the push goes on'
check 'and does not go on' not running "^sleep $nap"
git config --unset pawl.build
git config pawl.hook.budget 1s
push 0 'a budget in which nothing can be compared' origin topic
like 'is refused, with what it takes' "$T/err" \
	"not compared: .*bad value '1s' for 'budget': expected a time from 2\.00 s to"
git config pawl.hook.budget 20m # it may wait for others who measure
git config pawl.threshold nonsense
set_work 5100 'whatever'
push 0 'a fault of the configuration lets it through' origin topic
like 'and is told' "$T/err" "^pawl: not compared: git config"
git config --unset pawl.threshold
git config pawl.hook.enabled false
set_work 5200 'more'
push 0 'pawl.hook.enabled false' origin topic
is 'is silent' "$(grep -c '^pawl' "$T/err")" 0
git config --unset pawl.hook.enabled
set_work 5300 'without pawl'
mkdir -p "$T/bin"
for tool in git sh cat; do ln -sf "$(command -v $tool)" "$T/bin/$tool"; done
runs 0 'without pawl the push goes on' env PATH="$T/bin" git push origin topic
is 'with one line' "$(grep '^pawl' "$T/err")" 'pawl: nothing is compared: pawl is not in PATH'
set_work 5301 'what is pushed cannot be read'
mkdir -p "$T/killed"
printf '#!/bin/sh\nkill -9 $$\n' >"$T/killed/cat"
chmod +x "$T/killed/cat"
runs 0 'where what is pushed cannot be read the push goes on' env PATH="$T/killed:$PATH" git push origin topic
is 'with one line, too' "$(grep '^pawl' "$T/err")" 'pawl: nothing is compared: what is pushed could not be read'

# ---- chaining ---------------------------------------------------------------------------------------

runs 0 'the hook is taken away' pawl hook uninstall
check 'nothing is left' [ ! -e .git/hooks/pre-push ]
runs 0 'a second time nothing happens' pawl hook uninstall
like 'and it says so' "$T/out" "no hook of pawl's is installed"
cat >.git/hooks/pre-push <<'END'
#!/bin/sh
printf '%s\n' "$@" >"$(git rev-parse --git-common-dir)/seen.args"
cat >"$(git rev-parse --git-common-dir)/seen.lines"
[ ! -e "$(git rev-parse --git-common-dir)/refuse" ]
END
chmod +x .git/hooks/pre-push
cp .git/hooks/pre-push "$T/theirs"
runs 0 'beside another hook it is installed' pawl hook install
like 'which is kept' "$T/out" "the hook that was there runs first: '.*/chained/pre-push'"
sed -i '2s/^/[ "${0##*\/}" = pre-push ] || exit 1 # as overcommit asks\n/' .git/hooks/chained/pre-push "$T/theirs"
another 5400 'chained'
line="refs/heads/topic $(git rev-parse topic) refs/heads/topic $(git -C "$T/remote.git" rev-parse topic)"
push 0 'both run' origin topic
is 'the other one gets the same lines' "$(cat .git/seen.lines)" "$line"
is 'and the same arguments' "$(head -n 1 .git/seen.args)" origin
like 'and ours compares' "$T/err" 'comparing topic with'
touch .git/refuse
set_work 5500 'refused'
push 1 'its refusal wins' origin topic
unlike 'before anything is compared' "$T/err" 'comparing'
runs 1 'also where PAWL=0 skips ours' env PAWL=0 git push origin topic
runs 1 'also without pawl' env PATH="$T/bin" git push origin topic
rm .git/refuse
runs 0 'the status names it' pawl hook status
like 'as what runs first' "$T/out" 'runs first .*/chained/pre-push'
runs 0 'uninstalling' pawl hook uninstall
check 'puts it back' cmp .git/hooks/pre-push "$T/theirs"
check 'executable' [ -x .git/hooks/pre-push ]
check 'and nothing else is left' [ ! -e .git/hooks/chained ]
cp .git/hooks/pre-push "$T/kept"
rm -f .git/hooks/pre-push

# Links lead where they led, and what lies beside the hook lies beside it still.
mkdir ours
{ sed 1q "$T/theirs"; echo '. "${0%/*}/common.sh"'; sed 1d "$T/theirs"; } >ours/pre-push
chmod +x ours/pre-push
echo ': >"$(git rev-parse --git-common-dir)/seen.common"' >.git/hooks/common.sh
ln -s ../../ours/pre-push .git/hooks/pre-push
runs 0 'beside a link to a hook it is installed' pawl hook install
set_work 5600 'linked'
touch .git/refuse
rm -f .git/seen.args
push 1 'what it leads to wins' origin topic
is 'as it runs' "$(head -n 1 .git/seen.args)" origin
check 'with what lies beside it' [ -e .git/seen.common ]
rm .git/refuse
runs 0 'uninstalling' pawl hook uninstall
is 'puts the link back' "$(readlink .git/hooks/pre-push)" ../../ours/pre-push
check 'and nothing else is left' [ ! -e .git/hooks/chained ]
check 'nor is anything gone' [ -e .git/hooks/common.sh ]
rm -r .git/hooks/pre-push .git/hooks/common.sh ours
mv "$T/kept" .git/hooks/pre-push
pawl hook install >"$T/out"
mv .git/hooks/chained/pre-push .git/hooks/pre-push.chained
rmdir .git/hooks/chained
echo >>.git/hooks/pre-push
runs 0 'one that an older pawl kept' pawl hook install
check 'is moved' cmp .git/hooks/chained/pre-push "$T/theirs"
rm -f .git/hooks/pre-push.edited
mv .git/hooks/chained/pre-push .git/hooks/pre-push.chained
runs 0 'and found where it was' pawl hook uninstall
check 'too' cmp .git/hooks/pre-push "$T/theirs"
rm -rf .git/hooks/chained
printf '#!/bin/sh\n# generated by pre-commit: https://pre-commit.com\nexit 0\n' >.git/hooks/pre-push
runs 0 'a hook of pre-commit' pawl hook install
like 'is known for one' "$T/out" "it is pre-commit's: if pre-commit writes it anew, install again"
printf 'left' >.git/hooks/pre-push
runs 5 'over a chained one another is not moved' pawl hook install
like 'with the cure' "$T/err" '^hint: remove it, or put it back'
rm .git/hooks/pre-push .git/hooks/chained/pre-push
printf '#!/bin/sh\n# our checks, then pawl'"'"'s\n./checks || exit\npawl hook run pre-push "$@"\n' \
	>.git/hooks/pre-push
chmod +x .git/hooks/pre-push
cp .git/hooks/pre-push "$T/theirs"
runs 0 'a hook that calls pawl by itself' pawl hook install
like 'is told' "$T/out" "'.*/pre-push' runs it already"
check 'and not changed' cmp .git/hooks/pre-push "$T/theirs"
runs 0 'nor' pawl hook uninstall
check 'is it taken away' cmp .git/hooks/pre-push "$T/theirs"
rm .git/hooks/pre-push
pawl hook install >"$T/out"
echo 'echo mine' >>.git/hooks/pre-push
cp .git/hooks/pre-push "$T/theirs"
runs 0 'one of ours that was changed' pawl hook install
check 'is kept beside' cmp .git/hooks/pre-push.edited "$T/theirs"
echo 'echo mine too' >>.git/hooks/pre-push
cp .git/hooks/pre-push "$T/theirs"
runs 0 'and where it is taken away' pawl hook uninstall
check 'too' cmp .git/hooks/pre-push.edited "$T/theirs"
check 'and no longer runs' [ ! -e .git/hooks/pre-push ]
rm .git/hooks/pre-push.edited

# ---- after a commit ----------------------------------------------------------------------------------

runs 0 'the post-commit hook is an option' pawl hook install --post-commit
git commit -q --allow-empty -m 'measured'
wait_for sh -c 'pawl report -q >"$1" 2>/dev/null' sh "$T/report"
like 'the commit is measured in the background' "$T/report" 'work'
runs 0 'and both are taken away' pawl hook uninstall
check 'together' [ ! -e .git/hooks/post-commit ]
