# Row 1: a full disk while results are written: the answer is shown, the store stays sound.
# See: tests/cli/server/full_disk.sh: no room for the second
# See: tests/cli/server/full_disk.sh: its result is shown all the same
# See: tests/cli/server/full_disk.sh: the store is sound
# See: tests/unit/lib/store/local/test_store_store.c: full_disk_is_told_and_loses_nothing_stored
