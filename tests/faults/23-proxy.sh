# Row 23: a proxy of the environment is honoured, shown by doctor, and named when it is dead.
# See: tests/unit/reporter/deliver/test_reporter_transport_curl_trust.c: a_dead_proxy_is_named_without_its_password
# See: tests/unit/reporter/deliver/test_reporter_transport_curl_trust.c: a_proxy_never_sees_what_is_for_this_machine
# See: tests/unit/reporter/deliver/test_reporter_proxy.c: the_first_variable_that_is_set_is_told
