# Row 15: an answer cut off, empty or reset: sent again, stored once.
# See: tests/unit/reporter/deliver/test_reporter_transport_curl.c: failures_end_in_one_delivery
# See: tests/unit/reporter/deliver/test_reporter_deliver_wait.c: a_lost_answer_is_sent_again
