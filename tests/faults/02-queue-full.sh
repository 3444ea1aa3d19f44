# Row 2: no room in the queue: the result is kept, and told that it is not queued.
# See: tests/unit/lib/store/local/test_store_queue.c: full_queue_keeps_the_result_and_refuses_the_entry
# See: tests/cli/server/push.sh: but what was never queued, and how
