# What the tests of ci/ share: repositories as a CI checks them out, and the step as it runs there.
#
#   . "$(dirname "$0")/../../lib.sh"
#   . "$ROOT/tests/ci.sh"
STEP=$ROOT/ci/shell/pawl-step
PATH=$BUILD:$PATH
export PATH PAWL_MIN_TIME=1ms PAWL_RUNS=12..12
python='/usr/bin/python3 -IS' # nothing of the machine's own, and half the time

# new_origin: $T/origin.git and $T/author: main with two commits and, from the first, the branch
# "change", which does twice the work
new_origin() {
	new_work_repo "$T/author" steps
	cd "$T/author" || exit 1
	set_work 1000 one
	first=$(git rev-parse HEAD)
	echo text >README && commit_all . 'words on main'
	tip=$(git rev-parse HEAD)
	git checkout -q -b change "$first"
	set_work 2000 'twice the work'
	change=$(git rev-parse HEAD)
	git clone -q --bare "$T/author" "$T/origin.git"
	# as GitHub does: the merge of the change into its target
	git checkout -q --detach "$tip"
	git merge -q --no-ff -m 'Merge change into main' "$change"
	merge=$(git rev-parse HEAD)
	git push -q "$T/origin.git" HEAD:refs/pull/7/merge "$change:refs/pull/7/head"
	git -C "$T/origin.git" config uploadpack.allowAnySHA1InWant true
	git checkout -q change
}

# new_young DIR N: a repository, which is entered, whose first N commits have no benchmark yet
new_young() {
	new_work_repo "$1" steps
	cd "$1" || exit 1
	for each in $(seq "$2"); do
		git commit -q --allow-empty -m "commit $each"
	done
	set_work 1000 'the first benchmark'
	set_work 2000 'twice the work'
}

# checkout DIR REF [OPTION...]: what actions/checkout leaves: a detached work tree
checkout() {
	dir=$1
	ref=$2
	shift 2
	git init -q "$dir"
	cd "$dir" || exit 1
	git remote add origin "file://$T/origin.git"
	git fetch -q "$@" origin "+$ref:refs/remotes/pull/7/merge" &&
		git checkout -q --detach refs/remotes/pull/7/merge
}

# given NAME: what the step gave to later ones; read as the runner does
given() {
	answered "$GITHUB_OUTPUT" "actions.py:given(d, '$1')"
}

# commands FILE: the workflow commands that GitHub's runner would obey in this log
commands() {
	answered "$1" 'actions.py:commands(d)'
}

# page_commands PAGE: its commands, with the step of this tree for the installed one
page_commands() {
	sed -n '/^```sh$/,/^```$/{/^```/d;p}' "$ROOT/$1" | sed "s#/usr/share/pawl/ci#$ROOT/ci#"
}
