# Row 9: SIGTERM and SIGHUP: as Ctrl-C, with their own status.
# See: tests/cli/collector/signals.sh: SIGTERM ends it with status 143
# See: tests/cli/collector/signals.sh: SIGHUP ends it with status 129
# See: tests/cli/collector/signals.sh: no child is left after SIGTERM
. "$(dirname "$0")/loop_lib"

start_bad_server
loop 'SIGINT, SIGTERM and SIGHUP at any moment, once and twice, leave nothing' 4 250 signals compare push
loop 'nor where a collection gets them' 2 500 signals collect
nasty
loop 'nor where builds and benchmarks heed none, fork and hold what they print to' 1 500 signals compare bisect git-push
