# Row 21: 200 with HTML, another id, no body, garbage, a huge body: no acknowledgement.
# See: tests/unit/reporter/deliver/test_reporter_transport_curl.c: every_misbehaviour_is_recognised
