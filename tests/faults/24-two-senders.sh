# Row 24: the same result from many: one row.
# See: tests/cli/server/server.sh: one id from eight clients is created once
# See: tests/unit/reporter/deliver/test_reporter_deliver.c: only_one_sends_at_a_time
