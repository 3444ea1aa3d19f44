# A push from a repository without a work tree: compared by the configuration of what is pushed.
. "$(dirname "$0")/../../lib.sh"

git init -q --bare "$T/remote.git"
new_work_repo "$T/repo" steps
cd "$T/repo" || exit 1
set_work 1000 one
git remote add origin "$T/remote.git"
git push -q origin main
set_work 2000 two
git clone -q --bare . "$T/bare.git"
cd "$T/bare.git" || exit 1
git remote set-url origin "$T/remote.git"
git config pawl.hook.budget 20m # it may wait for others who measure
git config pawl.hook.block true
export PAWL_MIN_TIME=1ms
runs 0 'the hook is installed' pawl hook install
runs 1 'twice the work is not pushed' git push origin main
like 'it is compared with what the remote has' "$T/err" '^pawl: comparing main with what origin has'
like 'and is a regression' "$T/err" 'regressed'
is 'the remote is as it was' "$(git -C "$T/remote.git" rev-parse main)" "$(git rev-parse main~1)"

git init -q --bare "$T/other.git"
git symbolic-ref HEAD refs/heads/none
runs 1 'whatever its HEAD has' git push origin main
like 'what is pushed is compared' "$T/err" 'regressed'
bare=$(git commit-tree -p main -m 'no configuration' "$(git mktree </dev/null)")
runs 0 'a commit without a configuration is pushed' git push -f origin "$bare:main"
like 'and says why' "$T/err" "^pawl: main: nothing is compared: [0-9a-f]{12} has no .pawlconfig with benchmarks"
