# Row 16: 500 and its like: tried again with growing waits, inside the budget.
# See: tests/unit/reporter/deliver/test_reporter_post.c: every_answer_has_its_meaning
# See: tests/unit/reporter/deliver/test_reporter_post.c: waits_double_up_to_a_cap_with_full_jitter
