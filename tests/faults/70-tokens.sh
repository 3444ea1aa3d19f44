# Row 70: tokens are of one project, kept as digests, compared whole.
# See: tests/unit/lib/store/ledger/test_store_token.c: token_allows_its_scope_in_its_project_only
# See: tests/unit/lib/store/ledger/test_store_token.c: token_has_its_form_and_is_kept_as_a_digest_only
# See: tests/unit/server/http/test_server_listen.c: ten_a_minute_and_address
