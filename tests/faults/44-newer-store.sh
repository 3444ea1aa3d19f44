# Row 44: the store of a newer pawl: read, not written.
# See: tests/unit/lib/store/local/test_store_store_open.c: newer_schema_is_refused_for_writing_and_read_all_the_same
