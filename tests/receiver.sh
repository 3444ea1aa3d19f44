# Shared by the scripts that let pawld send something; behind tests/lib.sh.
#
# receive NAME [OPTION...]: starts tests/helpers/http/receiver.py with the folder $T/NAME; its port in $port
receive() {
	name=$1
	shift
	mkdir -p "$T/$name"
	rm -f "$T/$name/port"
	: >"$T/$name/got"
	case ${1:-} in
	--mail) shift; set -- --mail "$T/$name" "$@" ;;
	*) set -- "$T/$name" "$@" ;;
	esac
	PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$ROOT/tests/helpers/http/receiver.py" "$@" >"$T/$name/out" 2>&1 &
	RECEIVER_PID=$!
	to_stop="$to_stop $RECEIVER_PID"
	wait_for [ -s "$T/$name/port" ] || return 1
	port=$(cat "$T/$name/port")
}

# got NAME: how many requests or mails came there
got() {
	wc -l <"$T/$1/got"
}

got_at_least() {
	[ "$(got "$1")" -ge "$2" ]
}

# of NAME N EXPRESSION: of the Nth (from 1) of them, d; in h its head
of() {
	answered "$T/$1/got" "received.py:of(d, $2, r\"\"\"$3 \"\"\")"
}

# alert VERB [OPTION...]: pawld alert of the project zlib
alert() {
	verb=$1
	shift
	"$BUILD/pawld" alert "$verb" --store "$STORE" --project zlib "$@"
}

# settled STATE N: whether so many messages are in that state (1 waits, 2 delivered, 3 failed)
settled() {
	[ "$(sql "SELECT count(*) FROM message WHERE state=$1")" = "$2" ]
}

# certificate NAME HOST: a key and a certificate signed by itself
certificate() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$T/$1.key" -out "$T/$1.pem" \
		-subj "/CN=$2" -addext "subjectAltName=$2" -days 2 2>/dev/null
}
