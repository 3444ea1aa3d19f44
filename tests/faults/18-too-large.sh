# Row 18: 413, early or of a proxy: stays queued with what to do.
# See: tests/unit/reporter/deliver/test_reporter_transport_curl.c: an_early_413_is_heard_while_the_body_is_on_its_way
# See: tests/cli/server/push.sh: what a proxy refused stays queued
# See: tests/cli/server/push.sh: with what to do
