# Row 60: a committed file says nothing of where results go, nor of hooks.
# See: tests/cli/cli/bad_input.sh: is ignored with a warning
# See: tests/cli/cli/bad_input.sh: nothing is posted
# See: tests/unit/lib/config/test_config_load.c: committed_file_does_not_say_where_data_goes
