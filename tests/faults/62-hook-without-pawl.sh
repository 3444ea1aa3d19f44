# Row 62: without pawl, or with a fault of it, the push goes on.
# See: tests/cli/hooks/hook.sh: without pawl the push goes on
# See: tests/cli/hooks/hook.sh: with one line
# See: tests/cli/hooks/hook.sh: and is told
