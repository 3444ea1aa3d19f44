# Row 55: somebody else's repository: refused, with the line that allows it.
# See: tests/cli/hooks/repositories.sh: gets the command that allows it
# See: tests/unit/lib/git/test_git_open.c: repository_of_another_user_is_refused_until_trusted
