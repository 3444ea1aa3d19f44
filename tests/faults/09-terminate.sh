# Row 9: SIGTERM and SIGHUP: as Ctrl-C, with their own status.
# See: tests/cli/collector/signals.sh: SIGTERM ends it with status 143
# See: tests/cli/collector/signals.sh: SIGHUP ends it with status 129
# See: tests/cli/collector/signals.sh: no child is left after SIGTERM
. "$(dirname "$0")/loop_lib"

start_bad_server
# In the long form 500 of each command; half of those of compare where builds heed none.
loop 'SIGINT, SIGTERM and SIGHUP at any moment, once and twice, leave nothing' 2 250 signals compare
loop 'nor where results are sent' 2 500 signals push
loop 'nor where a collection gets them' 1 500 signals collect
nasty
loop 'nor where builds and benchmarks heed none, fork and hold what they print to' 1 500 signals git-push
slow_only 'compare and bisect with those' || exit 0
loop 'nor with those in a comparison' 1 250 signals compare
loop 'nor in a search' 1 500 signals bisect
