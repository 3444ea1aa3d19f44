# Row 73: a client's clock in the future does not change the order.
# See: tests/unit/lib/store/ledger/test_store_ledger_order.c: commit_of_the_future_stands_at_its_receipt_and_shows_its_date
