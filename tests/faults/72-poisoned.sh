# Row 72: results of strangers touch nothing trusted.
# See: tests/unit/lib/store/ledger/test_store_ledger_trust.c: untrusted_results_touch_nothing_trusted
# See: tests/unit/lib/store/ledger/test_store_ledger_trust.c: untrusted_head_is_compared_only_when_asked_and_is_never_a_base
