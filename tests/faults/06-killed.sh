# Row 6: SIGKILL before and after each system call: the store is sound, nothing is left that the next run does not remove.
. "$(dirname "$0")/loop_lib"

"$STEP" count "$T/count" 0 true
if [ $? -eq 125 ]; then
	skip 'kills' 'no process may be traced here, or its calls are not known'
	exit 0
fi
start_bad_server
loop 'imports, repairs and pushes that are killed lose nothing' 4 1000000 kills import repair push
loop 'nor does a collection' 2 1200 kills collect
loop 'nor does a comparison or a hook, and no tree stays registered' 1 400 kills compare hook
