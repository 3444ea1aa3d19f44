# Row 27: the machine sleeps during a run: that run is void and repeated, no other.
# See: tests/unit/collector/run/test_collector_runner.c: only_the_run_during_which_the_machine_slept_is_void
# See: tests/unit/collector/schedule/test_collector_schedule_void.c: a_suspended_run_is_void_and_no_failure
# See: tests/unit/collector/schedule/test_collector_schedule_void.c: a_suspended_warm_up_changes_nothing
