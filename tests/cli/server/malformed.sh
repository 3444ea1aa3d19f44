# Requests that are no HTTP, HTTP in more than one way, or without an end: refused, nothing changed, and what is behind
# them is not read.
. "$(dirname "$0")/../../lib.sh"

. "$ROOT/tests/server.sh"

start_server --no-auth || exit 1

# told REQUEST: of the reply to these bytes the status, and of JSON its code and where; whether another reply is behind
# it, and whether the connection ends
told() {
	py 's = raw(sys.argv[1]); data = b""
s.sendall(sys.argv[2].encode().decode("unicode_escape").encode("latin-1"))
try:
    while True:
        piece = s.recv(65536)
        if not piece: break
        data += piece
except OSError: pass
if not data: print("closed"); sys.exit()
head, _, body = data.partition(b"\r\n\r\n")
status = head.split()[1].decode()
try: error = json.loads(body)["error"]; print(status, error["code"], error["where"])
except ValueError: print(status, "of the library" if b"<html>" in body and b"x-sent" not in body else body)' "$1"
}
get='GET /healthz HTTP/1.1\r\n'
post='POST /api/v1/summaries HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
behind='GET /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

# What the library gives to pawld is answered as any other error.
is 'no Host' "$(told "$get\r\n$behind")" '400 syntax Host'
is 'two of them' "$(told "${get}Host: localhost\r\nhost: localhost\r\n\r\n$behind")" '400 syntax Host'
is 'of HTTP/1.0 none is needed' \
	"$(py 's = raw(sys.argv[1]); s.sendall(b"GET /healthz HTTP/1.0\r\n\r\n"); print(s.recv(65536).split()[1].decode())')" 200
is 'a blank in the address' "$(told "GET /healthz x-sent HTTP/1.1\r\nHost: localhost\r\n\r\n$behind")" '400 syntax None'
is 'an address that is none' "$(told 'GET healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')" '400 syntax None'
is 'a length and chunks' "$(told "${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n$behind")" \
	'400 syntax Transfer-Encoding'
is 'a coding that is none' "$(told "${post}Transfer-Encoding: x-sent\r\n\r\n$behind")" '400 syntax Transfer-Encoding'
is 'two lengths' "$(told "${post}Content-Length: 0\r\nContent-Length: 6\r\n\r\n$behind")" '400 syntax Content-Length'

# The rest it answers by itself, or not at all: nothing of it is pawld's, and nothing of the request is in it.
library() {
	told "$2$behind" >"$T/told"
	like "$1" "$T/told" "$3"
}
html='^(4..|505) of the library$'
library 'no version' 'GET /x-sent\r\n\r\n' "$html"
library 'one that there is not' 'GET /x-sent HTTP/9.9\r\nHost: localhost\r\n\r\n' "$html"
library 'a word in its place' 'GET /x-sent SMTP\r\nHost: localhost\r\n\r\n' "$html"
library 'HTTP/2' 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' "$html"
library 'a header without a colon' "${get}Host: localhost\r\nx-sent\r\n\r\n" "$html"
library 'a length that is none' "${post}Content-Length: x-sent\r\n\r\n" "$html"
library 'a length below 0' "${post}Content-Length: -1\r\n\r\n" "$html"
library 'a length of 23 digits' "${post}Content-Length: 99999999999999999999999\r\n\r\n" "$html"
library 'one word' 'x-sent\r\n\r\n' '^closed$'
library 'TLS' '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n' '^closed$'

ask /healthz
is 'the server goes on' "$status" 200
ask /api/v1/projects
is 'and nothing was stored' "$(json "$T/body" 'd["projects"]')" '[]'
stop_server
is 'and it ends well' "$SERVER_STATUS" 0

# ---- slow and broken clients ---------------------------------------------------------

start_server --no-auth --deadline 200ms || exit 1
is 'a head that never ends is cut off' \
	"$(py 'print(dribble(sys.argv[1], b"GET / HTTP/1.1\r\nX-Slow: "))')" True
is 'a body that never ends is cut off' \
	"$(py 'print(dribble(sys.argv[1], head_of(b" " * 100000)))')" True
is 'a refused body that never ends is cut off' \
	"$(py 'print(dribble(sys.argv[1], head_of(b" " * 17000000)))')" True
is 'two ways to say a length are refused' \
	"$(py 's = raw(sys.argv[1]); s.sendall(b"POST /api/v1/summaries HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
data = b""
try:
    while True:
        piece = s.recv(65536)
        if not piece: break
        data += piece
except OSError: pass
print(b" 200 " in data)')" False
is 'a head of 70 KB is refused' \
	"$(py 's = raw(sys.argv[1])
try:
    s.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 70000 + b"\r\n\r\n")
    print(b" 200 " in s.recv(65536))
except OSError: print(False)')" False
# What is held up on its way may be late itself.
is_healthy() {
	ask /healthz
	[ "$status" = 200 ]
}
check 'the server still answers' wait_for is_healthy
stop_server
is 'and ends well' "$SERVER_STATUS" 0
