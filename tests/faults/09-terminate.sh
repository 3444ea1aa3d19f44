# Row 9: SIGTERM and SIGHUP: as Ctrl-C, with their own status.
# See: tests/cli/collector/signals.sh: SIGTERM ends it with status 143
# See: tests/cli/collector/signals.sh: SIGHUP ends it with status 129
# See: tests/cli/collector/signals.sh: no child is left after SIGTERM
. "$(dirname "$0")/loop_lib"

start_bad_server
loop 'SIGINT, SIGTERM and SIGHUP at any moment, once and twice, leave nothing' 2 250 signals compare push
loop 'nor where a collection gets them' 1 500 signals collect
nasty
nasty_ones=git-push
[ -z "${PAWL_TEST_SLOW:-}" ] || nasty_ones='git-push compare bisect'
# shellcheck disable=SC2086  # words
loop 'nor where builds and benchmarks heed none, fork and hold what they print to' 1 250 signals $nasty_ones
