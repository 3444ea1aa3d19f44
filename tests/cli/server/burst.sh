# Clients that all ask at once are all answered, however many they are: libmicrohttpd's own thread waits for
# one more where exactly 128 of its sockets are ready.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

start_server --no-auth --deadline 1h || exit 1
# More by one each time, so that each of the HTTP threads has exactly so many once.  The server stands still
# while they ask: what it finds then is all of them.  Who is not answered waits until the helper gives up.
is 'all are answered at once, with 200 to 300 connections' \
	"$(py 'import os, signal
pid, kept, left = int(sys.argv[2]), [], 0
for n in range(200, 300):
    kept += idle(sys.argv[1], 200 if n == 200 else 1, b"")
    os.kill(pid, signal.SIGSTOP)
    for one in kept: one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    os.kill(pid, signal.SIGCONT)
    for one in kept: left += not one.recv(65536).startswith(b"HTTP/1.1 200")
    if left: break
print(n + 1, left)' "$SERVER_PID")" '300 0'
stop_server
is 'it ends well' "$SERVER_STATUS" 0

exit 0
