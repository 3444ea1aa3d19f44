# A short form of `make crash-server`, and in the long run of outage-server and attack-server: what is never run rots.
. "$(dirname "$0")/../../lib.sh"

case $BUILD in
*asan* | *tsan*)
	skip 'sieges' 'what a sanitizer takes of memory and time is not what is asked'
	exit 0
	;;
esac

# siege NAME WHAT VARIABLE...
siege() {
	name=$1
	what=$2
	shift 2
	env "$@" /usr/bin/python3 -B "$ROOT/tests/siege/$name" >"$T/$name" 2>&1
	status=$?
	tail -n 1 "$T/$name" | sed 's/^/# /'
	[ "$status" -ne 77 ] || { skip "$what" "$(sed -n 's/^skipped: //p' "$T/$name")"; return; }
	[ "$status" -eq 0 ] || { result 1 "$what" "$(tail -n 40 "$T/$name")"; return; }
	result 0 "$what"
}

siege crash 'killed while clients post, it loses nothing and has nothing twice' ROUNDS=$((${PAWL_TEST_SLOW:+22} + 2))
slow_only 'kills over PostgreSQL, an outage, attacks' || exit 0
siege crash 'killed itself, or its database, over PostgreSQL' ENGINE=postgresql ROUNDS=12
siege outage 'what runners kept is stored once when the server is back' RUNNERS=40 EACH=5
siege attack 'attacks take bounded memory, and no good post is lost' DOCUMENTS=1000 SLOW=3000 SECONDS=3
