# Row 26: a clock that steps: ids rise, order is that of the commits.
# See: tests/unit/lib/record/test_record_ulid.c: ids_rise_when_the_clock_steps_back
# See: tests/unit/lib/record/test_record_ulid.c: ids_rise_on_a_machine_without_a_clock
# See: tests/unit/lib/base/test_base_when.c: times_beyond_four_digits_fall_back
# See: tests/unit/lib/store/ledger/test_store_ledger_order.c: child_stands_behind_its_parent_whatever_their_dates
