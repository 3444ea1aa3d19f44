# Row 63: a build that takes too long is not waited for.
# See: tests/cli/hooks/hook.sh: is not waited for
# See: tests/cli/hooks/hook.sh: and does not go on
