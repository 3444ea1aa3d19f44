# Row 71: pawld on a full disk, and SIGTERM with requests under way.
# See: tests/unit/lib/store/ledger/test_store_ledger.c: full_disk_stores_nothing_of_the_batch_and_the_probe_tells_when_it_ends
# See: tests/cli/server/server.sh: SIGTERM ends it with 0
# See: tests/cli/server/server.sh: and what was in flight is finished
