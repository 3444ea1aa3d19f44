# pawld behind a real nginx: as docs/howto/server.md has it, with TLS, and as nginx is without a word said.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

nginx=$(PATH=$PATH:/usr/sbin:/sbin command -v nginx) || {
	skip 'nginx in front' 'nginx is not installed'
	exit 0
}
if ! "$nginx" -V 2>&1 | grep -q http_ssl_module; then
	skip 'nginx in front' 'nginx was built without TLS'
	exit 0
fi
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$T/pawl.key" -out "$T/pawl.pem" \
	-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -days 2 2>/dev/null || {
	skip 'nginx in front' 'no openssl program that can make a certificate'
	exit 0
}
start_server --behind-proxy || exit 1
token=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write,read)
direct=$SERVER

# configure TLS-PORT PLAIN-PORT: the block of the page, and one with nothing but an address
configure() {
	mkdir -p "$T/logs"
	# Its workers would be of another user, whom our folder is closed to.
	[ "$(id -u)" != 0 ] || echo 'user root;'
	echo "daemon off; pid $T/nginx.pid; error_log stderr; worker_processes 1; events { }
http { access_log $T/logs/access;"
	for folder in client_body proxy fastcgi uwsgi scgi; do
		echo "${folder}_temp_path $T/logs/$folder;"
	done
	sed -n '/^server {/,/^}/p' "$ROOT/docs/howto/server.md" | sed "s|listen 443|listen 127.0.0.1:$1|
		s|/etc/ssl|$T|; s|http://127.0.0.1:7295|$direct|"
	echo "server { listen 127.0.0.1:$2; location / { proxy_pass $direct; } } }"
}
answers() {
	! kill -0 "$nginx_pid" 2>/dev/null || curl -s -o /dev/null "http://127.0.0.1:$plain/healthz"
}
# A port that is free now may be another's a moment later.
for try in 1 2 3 4 5; do
	ports=$(/usr/bin/python3 -ISc 'import socket
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(s.getsockname()[1] for s in held))')
	tls=${ports% *} plain=${ports#* }
	configure "$tls" "$plain" >"$T/nginx.conf"
	"$nginx" -e stderr -p "$T" -c "$T/nginx.conf" 2>"$T/nginx.err" &
	nginx_pid=$!
	to_stop="$to_stop $nginx_pid"
	wait_for answers
	kill -0 "$nginx_pid" 2>/dev/null && break
	grep -q 'Address already in use' "$T/nginx.err" || break
	forget "$nginx_pid"
done
check 'nginx takes the block of the page' kill -0 "$nginx_pid" || {
	sed 's/^/# /' "$T/nginx.err"
	exit 1
}

# ---- with TLS, as the page says -----------------------------------------------------------------

SERVER=https://127.0.0.1:$tls
# through FILE [TOKEN]
through() {
	send "$1" --cacert "$T/pawl.pem" -H "Authorization: Bearer ${2:-$token}"
}
doc one 'summary(1)'
through one
is 'a summary goes through' "$status" 201
ask /api/v1/projects/zlib/summaries/01JD0000000000000000000001 --cacert "$T/pawl.pem" \
	-H "Authorization: Bearer $token"
check 'and comes back byte for byte' cmp "$T/one" "$T/body"
doc two 'summary(2)'
through two pawl_s_wrong
is 'a wrong token does not' "$status" 401
like 'and is challenged' "$T/head" '[Ww][Ww][Ww]-[Aa]uthenticate: Bearer'
doc large '(lambda d: d.update(benchmarks=[dict(d["benchmarks"][0], name="b%d" % i) for i in range(4000)]) or d)(summary(3))'
check 'a document is larger than nginx takes unless told' [ "$(wc -c <"$T/large")" -gt 1048576 ]
through large
is 'and goes through all the same' "$status" 201
for n in 1 2 3 4 5 6 7 8 9 10; do
	send large --cacert "$T/pawl.pem" -H "Authorization: Bearer $token" -H 'Content-Encoding: x'
	echo "$status"
done | sort | uniq -c >"$T/statuses"
is 'ten that pawld refuses by their head are told so' "$(echo $(cat "$T/statuses"))" '10 415'
ask /login --cacert "$T/pawl.pem" --data-urlencode "token=$token" -H 'Sec-Fetch-Site: same-origin'
is 'a browser logs in' "$status" 303
like 'with a cookie for TLS and this host alone' "$T/head" '[Ss]et-[Cc]ookie: __Host-.*Secure'

# ---- pawl, through it -----------------------------------------------------------------------------

new_repo "$T/repo"
cd "$T/repo" || exit 1
commit_all . one
pawl import --no-push --project zlib "$ROOT/tests/data/foreign/google-single.json" >/dev/null 2>&1
git config pawl.server "$SERVER"
PAWL_TOKEN=$token
export PAWL_TOKEN
runs 6 'pawl push trusts no certificate that is not known' pawl push --all --require-push
runs 0 'pawl push posts through it' env CURL_CA_BUNDLE="$T/pawl.pem" pawl push --all --require-push
ask /api/v1/projects/zlib/summaries --cacert "$T/pawl.pem" -H "Authorization: Bearer $token"
is 'and it is there' "$(json "$T/body" 'len(d["summaries"])')" 3

# ---- nginx as it is ---------------------------------------------------------------------------------

SERVER=http://127.0.0.1:$plain
send large -H "Authorization: Bearer $token"
is 'without the limit raised it answers 413 by itself' "$status" 413
like 'in HTML' "$T/body" '<html>'
through two
is 'small ones go through' "$status" 201
kill "$SERVER_PID"
wait "$SERVER_PID" 2>/dev/null
forget "$SERVER_PID"
through two
is 'without pawld it is 502' "$status" 502

exit 0
