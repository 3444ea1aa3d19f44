# Row 25: the server stored it and its answer is lost: sent again, stored once.
# See: tests/unit/reporter/deliver/test_reporter_transport_curl.c: failures_end_in_one_delivery
# See: tests/unit/lib/store/ledger/test_store_ledger.c: same_post_again_is_same_other_content_is_a_conflict
. "$(dirname "$0")/loop_lib"

"$STEP" count "$T/count" 0 true
if [ $? -eq 125 ]; then
	skip 'pawld is killed' 'no process may be traced here, or its calls are not known'
	exit 0
fi
most=8
[ -z "${PAWL_TEST_SLOW:-}" ] || most=1000000
/usr/bin/python3 -IS "$ROOT/tests/faults/ingest.py" --most "$most" >"$T/ingest" 2>&1
status=$?
sed 's/^/# /' "$T/ingest" | tail -n 3
if [ "$status" -eq 0 ]; then
	result 0 'pawld that is killed at any call loses nothing that it acknowledged, and has nothing twice'
else
	result 1 'pawld that is killed at any call loses nothing that it acknowledged, and has nothing twice' "$(head -n 40 "$T/ingest")"
fi
