# Row 14: an answer byte by byte: the time for all of it ends it, and the same id is sent again.
# See: tests/unit/reporter/deliver/test_reporter_transport_curl.c: every_misbehaviour_is_recognised
# See: tests/unit/reporter/deliver/test_reporter_deliver_wait.c: the_budget_is_kept_and_given_to_every_attempt
