# Row 25: the server stored it and its answer is lost: sent again, stored once.
# See: tests/unit/reporter/deliver/test_reporter_transport_curl.c: failures_end_in_one_delivery
# See: tests/unit/lib/store/ledger/test_store_ledger.c: same_post_again_is_same_other_content_is_a_conflict
