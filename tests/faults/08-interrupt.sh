# Row 8: Ctrl-C: what was started ends, finished runs are kept, the status is 130.
# See: tests/cli/collector/signals.sh: SIGINT ends it with status 130
# See: tests/cli/collector/signals.sh: what was finished is stored
# See: tests/cli/hooks/interrupt.sh: the build goes on until: once
# See: tests/cli/hooks/interrupt.sh: the build goes on until: twice
# See: tests/cli/hooks/interrupt.sh: and nothing is left
