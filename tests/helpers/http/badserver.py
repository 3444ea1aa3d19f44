#!/usr/bin/python3
"""An HTTP server that misbehaves on demand, for the tests of the poster.

usage: badserver.py [--log FILE] [--modes SEQUENCE]

Listens on two loopback ports of its own choice and prints them: "badserver: PORT TARGET".  The second
one is where redirections point to.  A request is answered by the mode that the first part of its path
names (/500/api/v1/summaries), else by the sequence: "500,2:429,ok" is one 500, two 429, then ok for ever
(the last mode stays).  One connection at a time.  Every request becomes a line of FILE before it is
answered, so a test can count them and see where a token went.  Ends by SIGTERM, or when nobody holds the
other end of its stdout any more.
"""
import argparse
import http.server
import re
import select
import socket
import struct
import sys

REFUSAL = (b'{"error": {"code": "refused", "message": "no\\u001b[2Jthanks", '
           b'"where": "benchmarks[0]"}}')
JSON = "application/json"
seen = set()  # ids that were stored


def acknowledge(rq):
    """As a pawld of before, which takes nothing compressed and no batches."""
    if rq.path.endswith(":batch") or "Content-Encoding" in rq.headers:
        refuse(404 if rq.path.endswith(":batch") else 415)(rq)
        return
    status = 200 if rq.id in seen else 201
    seen.add(rq.id)
    rq.reply(status, JSON, b'{"id": "%s"}' % rq.id)


def truncated(rq):
    """Stores the summary as a server would whose answer is lost on the way."""
    seen.add(rq.id)
    rq.reply(201, JSON, b'{"id": "', length=500)


def redirect(rq):
    rq.reply(int(rq.mode), "text/html", b"moved",
             "Location: http://127.0.0.1:%d/ok/api/v1/summaries\r\n" % ports[1])


def reset(rq):
    rq.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def hang(rq):
    """Until the client goes away."""
    while rq.connection.recv(65536):
        pass


def drip(rq):
    """One byte of an endless header every 50 ms, until the client goes away."""
    rq.connection.sendall(b"HTTP/1.1 201 X\r\nX-Slow: ")
    while not select.select([rq.connection], [], [], 0.05)[0]:
        rq.connection.sendall(b"x")


def refuse(status, more=""):
    return lambda rq: rq.reply(status, JSON, REFUSAL, more)


def later(status, when):
    return refuse(status, "Retry-After: %s\r\n" % when)


MODES = {
    "ok": acknowledge,
    "200-html": lambda rq: rq.reply(200, "text/html", b"<html>Please log in</html>"),
    "204": lambda rq: rq.reply(204),
    "wrong-id": lambda rq: rq.reply(200, JSON, b'{"id": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}'),
    "garbage": lambda rq: rq.reply(200, JSON, b'{"id": '),
    "truncated": truncated,
    "empty": lambda rq: None,
    "reset": reset,
    "hang": hang,
    "drip": drip,
    # a good acknowledgement of more than 2 MiB
    "big": lambda rq: rq.reply(200, JSON, b'{"id": "%s", "more": "%s"}' % (rq.id, b"x" * (2 << 20))),
    "not-http": lambda rq: rq.connection.sendall(b"220 mail.invalid ready\r\n"),
    "302": redirect, "307": redirect, "308": redirect,
    "400": refuse(400), "401": refuse(401), "403": refuse(403), "404": refuse(404),
    "404-html": lambda rq: rq.reply(404, "text/html", b"<html>Not here</html>"),
    "409": refuse(409), "413-early": refuse(413),
    # as nginx does it
    "413-html": lambda rq: rq.reply(413, "text/html", b"<html>413 Request Entity Too Large</html>"),
    "422": refuse(422),
    "429": later(429, 7), "500": refuse(500),
    "503-seconds": later(503, 7),
    "503-date": later(503, "Fri, 31 Dec 2100 23:59:59 GMT"),
    "503-huge": later(503, "99999999999999999999999"),
    "503-negative": later(503, -5),
}


class Request(http.server.BaseHTTPRequestHandler):
    """Reads one request, notes it, answers it by its mode, and closes."""
    protocol_version = "HTTP/1.1"
    timeout = 20
    mode = id = None

    def handle(self):
        try:
            self.raw_requestline = self.rfile.readline(65537)
            # 0x16 begins TLS
            if self.raw_requestline[:1] not in (b"", b"\x16") and self.parse_request():
                self.answer()
        except OSError:
            pass  # the client has gone, as it may

    def handle_expect_100(self):
        return True  # only once the body is wanted

    def answer(self):
        first = self.path[1:].split("/")[0]
        self.mode = first if first in MODES else next_mode()
        body, coding = b"", self.headers.get("Content-Encoding", "")
        if self.mode != "413-early":
            if "Expect" in self.headers:
                self.connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        found = re.search(rb'"id"\s*:\s*"([0-9A-Z]{1,63})', body)
        self.id = found.group(1) if found else b""
        note("%s %s port=%d body=%s id=%s authorization='%s' type='%s' encoding='%s' agent='%s' coding='%s'\n" % (
            self.command, self.path, ports.index(self.server.server_port),
            self.headers.get("Content-Length", 0), self.id.decode(),
            *(self.headers.get(name, "") for name in
              ("Authorization", "Content-Type", "Accept-Encoding", "User-Agent")), coding))
        MODES[self.mode](self)
        if self.mode != "reset":
            self.connection.shutdown(socket.SHUT_WR)
            hang(self)  # closing with bytes unread would reset the connection

    def reply(self, status, kind=None, body=b"", more="", length=None):
        """more: header lines with their ends."""
        head = "HTTP/1.1 %d X\r\nConnection: close\r\n%s" % (status, more)
        if kind:
            head += "Content-Type: %s\r\nContent-Length: %d\r\n" % (
                kind, len(body) if length is None else length)
        self.connection.sendall(head.encode() + b"\r\n" + body)


class Server(http.server.HTTPServer):
    def shutdown_request(self, request):
        request.close()  # a polite shutdown would keep "reset" from being one


def note(line):
    if log:
        log.write(line)


def next_mode():
    return sequence.pop(0) if len(sequence) > 1 else sequence[0]


parser = argparse.ArgumentParser()
parser.add_argument("--log")
parser.add_argument("--modes", default="ok")
args = parser.parse_args()
log = args.log and open(args.log, "a", encoding="utf-8", buffering=1)
sequence = []
for part in args.modes.split(","):
    times, _, name = part.rpartition(":")
    if name not in MODES:
        sys.exit("badserver: error: no mode '%s'" % name)
    sequence += [name] * int(times or 1)
servers = [Server(("127.0.0.1", 0), Request) for _ in range(2)]
ports = [server.server_port for server in servers]
print("badserver:", *ports, flush=True)
watch = select.poll()
watch.register(sys.stdout, select.POLLERR)
for server in servers:
    watch.register(server, select.POLLIN)
while True:
    for fd, _ in watch.poll():
        if fd == sys.stdout.fileno():
            sys.exit()
        next(server for server in servers if server.fileno() == fd).handle_request()
