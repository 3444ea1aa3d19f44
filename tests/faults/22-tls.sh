# Row 22: a certificate that is self-signed, of another host, expired, changed, or a TLS of before: nothing is sent.
# See: tests/unit/reporter/deliver/test_reporter_transport_curl_trust.c: a_server_that_speaks_no_tls_is_not_trusted
. "$(dirname "$0")/../lib.sh"

if ! command -v openssl >/dev/null || ! openssl req -help 2>&1 | grep -q -e -addext; then
	skip 'certificates' 'no openssl program that can make them'
	exit 0
fi
# certificate NAME HOST DAYS: a key and a certificate signed by itself
certificate() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$T/$1.key" -out "$T/$1.pem" \
		-subj "/CN=$2" -addext "subjectAltName=$2" -days "$3" 2>/dev/null
}
certificate good IP:127.0.0.1 2
certificate other DNS:elsewhere.invalid 2
certificate changed IP:127.0.0.1 2
# -days takes no past before OpenSSL 3.4: signed as of two years ago.
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$T/old.key" -subj /CN=127.0.0.1 \
	-out "$T/old.csr" 2>/dev/null
mkdir "$T/ca"
: >"$T/ca/index"
echo 01 >"$T/ca/serial"
printf '[ca]\ndefault_ca=d\n[d]\ndatabase=%s\nserial=%s\nnew_certs_dir=%s\npolicy=p\ndefault_md=sha256\nx509_extensions=x\n[p]\ncommonName=supplied\n[x]\nsubjectAltName=IP:127.0.0.1\nbasicConstraints=CA:TRUE\n' \
	"$T/ca/index" "$T/ca/serial" "$T/ca" >"$T/ca/conf"
openssl ca -batch -config "$T/ca/conf" -selfsign -keyfile "$T/old.key" -in "$T/old.csr" -out "$T/old.pem" -notext \
	-startdate 20200101000000Z -enddate 20200201000000Z >/dev/null 2>&1
check 'certificates are made' [ -s "$T/good.pem" -a -s "$T/old.pem" ]

cat >"$T/server.py" <<'END_OF_PY'
import http.server, re, ssl, sys, threading
folder, log = sys.argv[1], open(sys.argv[1] + "/requests", "a", buffering=1)

class Request(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if "Content-Encoding" in self.headers or self.path.endswith(":batch"):
            # as a pawld of before, which takes documents one by one and as they are
            self.send_error(404 if self.path.endswith(":batch") else 415)
            return
        log.write("%s %s\n" % (self.server.called, self.headers.get("Authorization")))
        answer = b'{"id": "%s"}' % re.search(rb'"id"\s*:\s*"([0-9A-Z]+)', body).group(1)
        self.send_response(201)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
    def log_message(self, *args):
        pass

class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    def finish_request(self, request, address):
        try:
            request = self.tls.wrap_socket(request, server_side=True)
            super().finish_request(request, address)
        except OSError:
            pass

for called in sys.argv[2:]:
    name = called.split(":")[0]
    server = Server(("127.0.0.1", 0), Request)
    server.called = called
    server.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.tls.load_cert_chain(folder + "/" + name + ".pem", folder + "/" + name + ".key")
    if called.endswith(":1.1"):
        server.tls.set_ciphers("ALL:@SECLEVEL=0")
        server.tls.minimum_version = ssl.TLSVersion.TLSv1
        server.tls.maximum_version = ssl.TLSVersion.TLSv1_1
    print(called, server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
print("ready", flush=True)
threading.Event().wait()
END_OF_PY
: >"$T/requests"
/usr/bin/python3 -W ignore "$T/server.py" "$T" good other old changed good:1.1 >"$T/ports" 2>"$T/server.err" &
to_stop="$to_stop $!"
wait_for grep -q ready "$T/ports"
port_of() {
	sed -n "s/^$1 //p" "$T/ports"
}
new_repo "$T/repo"
cd "$T/repo" || exit 1
commit_all . one
export PAWL_TOKEN=canary.token
pawl import --no-push --project p "$ROOT/tests/data/foreign/google-single.json" >/dev/null 2>&1

# refused WHAT SERVER AUTHORITY
refused() {
	git config pawl.server "https://127.0.0.1:$(port_of "$2")"
	runs 6 "$1" env CURL_CA_BUNDLE="$T/$3.pem" pawl push --all --require-push
	like '  is said as such' "$T/err" 'TLS|certificate|SSL'
	is '  and nothing was sent' "$(cat "$T/requests")" ''
	unlike '  the token is shown nowhere' "$T/err" canary
}
refused 'a certificate that nobody signed' good other
refused 'one of another host' other other
refused 'one that has expired' old old
refused 'one that is another than it was' changed good
refused 'a TLS of before 1.2' good:1.1 good
pawl doctor >"$T/out" 2>&1
like 'the result waits for a server that can be trusted' "$T/out" 'queue +1 to be posted, 0 refused by the server'
git config pawl.server "https://127.0.0.1:$(port_of good)"
runs 0 'which gets it' env CURL_CA_BUNDLE="$T/good.pem" pawl push --all --require-push
is 'once' "$(cat "$T/requests")" 'good Bearer canary.token'
