# Row 9: SIGTERM and SIGHUP: as Ctrl-C, with their own status.
# See: tests/cli/collector/signals.sh: SIGTERM ends it with status 143
# See: tests/cli/collector/signals.sh: SIGHUP ends it with status 129
# See: tests/cli/collector/signals.sh: no child is left after SIGTERM
