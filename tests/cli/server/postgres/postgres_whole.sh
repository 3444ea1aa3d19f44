# The tests of the server that know no engine, over PostgreSQL.
. "$(dirname "$0")/../../../lib.sh"

slow_only 'the server tests over PostgreSQL' || exit 0
for name in server login metrics pages push crowd batch coded fold serve history lists reads archive openapi retract tags \
	others alert/alert_webhook alert/alert_people alert/alert_status alert/alert_mail alert/alert_killed alert/alert_gone alert/alert_creep; do
	PAWL_TEST_ENGINE=postgresql BUILD=$BUILD sh "$ROOT/tests/cli/server/$name.sh" >"$T/out" 2>&1 </dev/null
	status=$?
	grep -A 12 '^not ok' "$T/out" | sed 's/^/# /'
	if [ "$status" = 0 ] && why=$(sed -n 's/^ok .*# SKIP //p' "$T/out" | grep -i postgres); then
		skip "$name" "$why"
	else
		is "$name over PostgreSQL" "$status" 0
	fi
done
