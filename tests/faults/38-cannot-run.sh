# Row 38: missing, not executable, of another processor, setuid, without its interpreter: told with the path.
# See: tests/cli/cli/bad_input.sh: with its path and a cure
# See: tests/unit/collector/child/test_collector_child_left.c: a_setuid_program_is_refused
# See: tests/unit/collector/child/test_collector_child_left.c: a_program_of_another_processor_is_named
# See: tests/unit/collector/child/test_collector_child_left.c: a_script_without_its_interpreter_is_named
