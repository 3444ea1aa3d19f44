# Row 12: the server is down: the result is kept and queued, one line, the verdict stands.
# See: tests/cli/server/serve.sh: with the server down the verdict stands
# See: tests/cli/server/serve.sh: the result is kept
# See: tests/unit/reporter/deliver/test_reporter_transport_curl.c: a_closed_port_is_unreachable
