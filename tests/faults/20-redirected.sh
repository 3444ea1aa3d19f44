# Row 20: a redirection is never followed, and the token reaches no second server.
# See: tests/unit/reporter/deliver/test_reporter_transport_curl_trust.c: the_token_never_reaches_the_target_of_a_redirection
# See: tests/unit/reporter/deliver/test_reporter_post.c: a_redirection_names_the_new_address_and_the_command
