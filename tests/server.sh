# Shared by the scripts that speak to a real pawld; behind tests/lib.sh.
#
#   . "$ROOT/tests/server.sh"
#
# A and B are commits; the summaries and clients of tests/helpers/posts.py.  STORE is where pawld keeps
# its results: a file, or with PAWL_TEST_ENGINE=postgresql a database of the test's own.
A=aaaa456789abcdef0123456789abcdef01234567
B=bbbb456789abcdef0123456789abcdef01234567

py() {
	/usr/bin/python3 -ISB -c "
import sys; sys.path.append('$ROOT/tests/helpers')
from posts import *
$1" "${SERVER:-}" "${2:-}" "${3:-}"
}

# doc FILE EXPRESSION: when that fails the file is empty
doc() {
	: >"$T/$1"
	answered "$ROOT/tests/helpers/posts.py" "posts.py:put('$T/$1', $2)" >"$T/.doc"
}

# ask PATH [CURL OPTION...]: status in $status, body in $T/body, head in $T/head
ask() {
	path=$1
	shift
	: >"$T/body"
	status=$(curl -sS --path-as-is -o "$T/body" -D "$T/head" -w '%{http_code}' "$@" "$SERVER$path")
}

# send FILE [CURL OPTION...]: posts it
send() {
	file=$1
	shift
	ask /api/v1/summaries -H 'Content-Type: application/json' --data-binary "@$T/$file" "$@"
}

# new_store: an empty one
new_store() {
	case ${PAWL_TEST_ENGINE:-sqlite} in
	sqlite)
		rm -f "$T"/server.db*
		STORE=sqlite:$T/server.db
		;;
	*) new_database || exit 1 ;;
	esac
}

if [ "${PAWL_TEST_ENGINE:-sqlite}" = sqlite ]; then
	# sql QUERY: what the store answers, a column after another
	sql() {
		answered "$ROOT/tests/helpers/rows.py" "rows.py:rows('$T/server.db', r\"\"\"$1 \"\"\")"
	}

	# store_bytes: all that it keeps, as it keeps it
	store_bytes() {
		cat "$T"/server.db*
	}
else
	. "$ROOT/tests/postgres.sh"
	start_postgres || {
		skip 'a store on PostgreSQL' "$postgres_why"
		exit
	}
fi
new_store
