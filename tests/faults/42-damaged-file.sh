# Row 42: a damaged store: refused with the cure, kept aside, what is intact is saved.
# See: tests/cli/cli/bad_input.sh: is refused with the cure
# See: tests/cli/cli/bad_input.sh: lets the next collection work
# See: tests/unit/lib/store/local/test_store_store_damaged.c: damaged_page_costs_only_the_rows_on_it
