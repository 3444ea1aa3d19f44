# Row 19: 400, 422: not tried again, set aside; 401, 403, 404 may be put right and stay queued; the cure is told.
# See: tests/unit/reporter/deliver/test_reporter_post.c: no_token_and_a_wrong_token_have_their_own_cure
# See: tests/unit/reporter/deliver/test_reporter_deliver.c: a_refused_summary_does_not_block_the_others
# See: tests/cli/server/push.sh: is set aside, and told
