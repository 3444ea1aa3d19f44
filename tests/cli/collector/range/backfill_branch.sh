# Which branch each commit of a range belongs to: the one whose first-parent line has it, wherever HEAD is.
. "$(dirname "$0")/../../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\tbuild = cc -o t t.c\n[benchmark "t"]\n\tcommand = ./t\n' >.pawlconfig
echo 'int main(void) { return 0; }' >t.c
echo /t >.gitignore
commit_all . one
git tag v1
# add NAME...: commits that change no program
add() {
	for name; do
		echo "$name" >>notes
		commit_all . "$name"
	done
}
add m1
git branch feat
add m2
git checkout -q feat
add f1 f2
git checkout -q main

# told WHAT RANGE BRANCH...: backfills the range from nothing; of each commit its branch
told() {
	what=$1 range=$2
	shift 2
	rm -rf .git/pawl
	runs 0 "$what" pawl backfill "$range"
	is 'each has its branch' "$(for commit in $(git rev-list --reverse --first-parent "$range" --); do
		pawl export --format json "$commit" 2>/dev/null |
			sed 's/.*"branch":\(null\|"[^"]*"\),"subject":"\([^"]*\)".*/\2 \1/'
	done | tr -d '"' | tr '\n' ' ')" "$*"
}

told 'the default branch' v1..main m1 main m2 main ''
told 'another one' v1..feat m1 main f1 feat f2 feat ''
git checkout -q feat
told 'and where HEAD is on it' v1..HEAD m1 main f1 feat f2 feat ''
git checkout -q -b fresh main
told 'what a new branch begins with is not its own' v1..HEAD m1 main m2 main ''
git checkout -q --detach feat
told 'where HEAD is on none' 'v1..HEAD' m1 main f1 null f2 null ''
git checkout -q --orphan empty
told 'where HEAD has no commit' v1..main m1 main m2 main ''
git rm -rqf . && git checkout -q main

git tag feat main
told 'a tag of that name is meant' v1..feat m1 main m2 main ''
git tag -d feat >/dev/null
git tag main v1
told 'nor is a tag the default branch' v1..refs/heads/main m1 main m2 main ''
git tag -d main >/dev/null

# As in a clone, of which the newest commit is not pushed.
git update-ref refs/remotes/origin/main main~1
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
git checkout -q feat
told 'what origin does not have yet' v1..main m1 main m2 main ''
git branch origin/main feat
told 'a branch with such a name' v1..main m1 main m2 main ''
git branch -qD origin/main
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/gone
told 'the default branch of origin is gone' v1..main m1 main m2 main ''

# As in a job for a pull request: a commit, no branch, and no HEAD of origin.
git symbolic-ref -d refs/remotes/origin/HEAD
git checkout -q --detach feat
git merge -q --no-ff -m merged main 2>/dev/null || {
	git checkout -q --theirs notes
	git commit -qam merged
}
git branch -qD main
git update-ref refs/remotes/origin/main HEAD^2
export GITHUB_ACTIONS=true GITHUB_REF=refs/pull/12/merge GITHUB_SHA
GITHUB_SHA=$(git rev-parse HEAD)
told 'a job for a pull request' v1..refs/remotes/origin/main m1 main m2 main ''
