# Row 46: two collectors: they take turns, and lose nothing.
# See: tests/cli/collector/two_collectors.sh: the second says that it waits
# See: tests/cli/collector/two_collectors.sh: and holds both
# See: tests/unit/lib/store/local/test_store_store.c: two_processes_lose_nothing
