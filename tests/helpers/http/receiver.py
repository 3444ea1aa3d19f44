"""Receives what pawld sends: webhooks, or mail where it is started as receiver.py --mail.

usage: receiver.py DIR [CERTIFICATE KEY]
       receiver.py --mail DIR [CERTIFICATE KEY]

DIR/port gets its port once it listens.  DIR/got gets a line of JSON a request or mail.  DIR/how: words,
one a line, each for the next request: a status, "STATUS:SECONDS" with a Retry-After, "hang" (never
answers), "drop", "redirect", "huge" (200, and a body of 1 GB), "heads" (a head without end).  Behind
the last one all is taken.
"""
import json
import os
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

arguments = sys.argv[1:]
is_mail = arguments[:1] == ["--mail"]
folder = arguments[is_mail]
certificate = arguments[is_mail + 1 :]
lock = threading.Lock()


def path_of(name):
    return os.path.join(folder, name)


def told(port):
    with open(path_of("port.new"), "w", encoding="utf-8") as f:
        f.write(str(port))
    os.replace(path_of("port.new"), path_of("port"))


def note(what):
    with open(path_of("got"), "a", encoding="utf-8") as f:
        f.write(json.dumps(what) + "\n")


def next_word():
    with lock:
        try:
            with open(path_of("how"), encoding="utf-8") as f:
                words = f.read().split()
        except FileNotFoundError:
            return "200"
        with open(path_of("how"), "w", encoding="utf-8") as f:
            f.write("\n".join(words[1:]))
        return words[0] if words else "200"


def context():
    c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    c.load_cert_chain(*certificate)
    return c


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_POST(self):
        word = next_word()
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        note({"path": self.path, "head": {k.lower(): v for k, v in self.headers.items()},
              "body": body.decode(), "how": word})
        if word == "drop":
            self.close_connection = True
            return
        if word == "hang":
            threading.Event().wait()
        try:
            self.answer(word)
        except OSError:
            self.close_connection = True

    def answer(self, word):
        if word == "heads":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            for i in range(10000000):
                self.wfile.write(b"X-%d: %s\r\n" % (i, b"x" * 1000))
        if word == "huge":
            self.send_response(200)
            self.send_header("Content-Length", str(1 << 30))
            self.end_headers()
            for _ in range(1 << 10):
                self.wfile.write(b"x" * (1 << 20))
            return
        if word == "redirect":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:%d/elsewhere" % self.server.server_port)
            word = ""
        status, _, seconds = word.partition(":")
        if status:
            self.send_response(int(status))
        if seconds:
            self.send_header("Retry-After", seconds)
        self.send_header("Content-Length", "0")
        self.end_headers()


def receive_mail():
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import SMTP, AuthResult

    class Sink:
        async def handle_DATA(self, server, session, envelope):
            word = next_word()
            note({"from": envelope.mail_from, "to": envelope.rcpt_tos, "how": word,
                  "body": envelope.content.decode(), "tls": session.ssl is not None,
                  "as": (session.auth_data or b"").decode()})
            if word == "hang":
                import asyncio
                await asyncio.Event().wait()
            return {"200": "250 taken"}.get(word, word + " as asked for")

    def login(server, session, envelope, mechanism, data):
        ok = data.login == b"pawld" and data.password == b"hunter2"
        return AuthResult(success=ok, auth_data=data.login)

    class Sinks(Controller):
        def factory(self):
            if not certificate:
                return SMTP(self.handler)
            return SMTP(self.handler, tls_context=context(), require_starttls=True,
                        authenticator=login, auth_required=os.path.exists(path_of("login")))

    import socket
    probe = socket.create_server(("127.0.0.1", 0))
    port = probe.getsockname()[1]
    probe.close()
    Sinks(Sink(), hostname="127.0.0.1", port=port).start()
    told(port)
    threading.Event().wait()


if is_mail:
    receive_mail()
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if certificate:
    server.socket = context().wrap_socket(server.socket, server_side=True)
told(server.server_port)
server.serve_forever()
