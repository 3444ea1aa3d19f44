# Shared by the scripts that speak to a real pawld; behind tests/lib.sh.
#
#   . "$ROOT/tests/server.sh"
#
# A and B are commits; the summaries and clients of tests/helpers/posts.py.
A=aaaa456789abcdef0123456789abcdef01234567
B=bbbb456789abcdef0123456789abcdef01234567

py() {
	PYTHONPATH=$ROOT/tests/helpers /usr/bin/python3 -c "
import sys; sys.dont_write_bytecode = True
from posts import *
$1" "${SERVER:-}"
}

# doc FILE EXPRESSION
doc() {
	py "print(json.dumps($2))" >"$T/$1"
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
