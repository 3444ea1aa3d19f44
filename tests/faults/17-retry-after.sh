# Row 17: Retry-After in seconds, as a date, huge, negative: capped.
# See: tests/unit/reporter/deliver/test_reporter_post.c: retry_after_is_seconds_or_a_date
# See: tests/unit/reporter/deliver/test_reporter_post.c: retry_after_is_capped
# See: tests/unit/reporter/deliver/test_reporter_post.c: what_is_no_time_is_not_waited_for
