# Row 61: every kind of push.
# See: tests/cli/hooks/hook.sh: it was compared
# See: tests/cli/hooks/hook.sh: compared with where it left the remote
# See: tests/cli/hooks/hook.sh: is compared with what is replaced
# See: tests/cli/hooks/hook.sh: a line that is none
# See: tests/cli/hooks/hook.sh: is compared with what is there
