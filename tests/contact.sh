# Shared by the scripts that try a newcomer's first two commands; behind tests/lib.sh.
#
# project NAME: a new repository of that name, which is entered
project() {
	new_repo "$T/$1"
	cd "$T/$1" || exit 1
}

# twice: two commits of what is there
twice() {
	commit_all . one
	commit_all . two
}

export PAWL_MIN_TIME=1ms
