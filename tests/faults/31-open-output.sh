# Row 31: a leftover that holds stdout open is not waited for.
# See: tests/unit/collector/child/test_collector_child_left.c: an_open_stdout_of_a_leftover_does_not_hang
