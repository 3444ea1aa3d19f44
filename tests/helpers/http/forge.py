"""A server that speaks as much of the APIs of GitHub, GitLab and Gitea as pawl publish uses.

usage: forge.py DIR

Written from their documentation: docs.github.com/rest (2022-11-28), docs.gitlab.com/api (v4), and
Gitea's swagger document (1.22).  DIR/port gets its port once it listens.  DIR/state.json holds all
comments, statuses and files and is written after each request; DIR/log gets a line a request.  DIR/faults:
lines "METHOD WORD COUNT ANSWER", each for the next COUNT requests of that method whose path holds
WORD: a status, "STATUS:SECONDS" with a Retry-After, "drop" (no answer), "late" (done, and no answer),
"redirect", "html".
"""
import email
import json
import os
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree

folder = sys.argv[1]
lock = Lock()
PAGE = 20  # at most so many at once, whatever is asked for
TOKENS = {"good-token": "pawl-bot", "other-token": "somebody", "job-token": None}


def path_of(name):
    return os.path.join(folder, name)


def load():
    try:
        with open(path_of("state.json"), encoding="utf-8") as f:
            return json.load(f)
    except FileNotFoundError:
        return {"next": 1000, "comments": [], "statuses": [], "pulls": [], "files": []}


def save(state):
    with open(path_of("state.json.new"), "w", encoding="utf-8") as f:
        json.dump(state, f)
    os.replace(path_of("state.json.new"), path_of("state.json"))


def next_fault(method, path):
    """The answer of the first line that fits, which is counted down."""
    try:
        with open(path_of("faults"), encoding="utf-8") as f:
            lines = [line.split() for line in f if line.strip()]
    except FileNotFoundError:
        return None
    found = None
    for line in lines:
        if not found and line[0] == method and line[1] in path and int(line[2]) > 0:
            found = line[3]
            line[2] = str(int(line[2]) - 1)
    with open(path_of("faults"), "w", encoding="utf-8") as f:
        f.writelines(" ".join(line) + "\n" for line in lines)
    return found


class Refusal(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def file_of(body, field):
    """The one part of a form: its name and its bytes."""
    kind, raw = body
    message = email.message_from_bytes(b"Content-Type: " + kind.encode() + b"\n\n" + raw)
    parts = message.get_payload() if message.is_multipart() else []
    if len(parts) != 1 or parts[0].get_param("name", header="content-disposition") != field:
        raise Refusal(400, field + " is missing")
    data = parts[0].get_payload(decode=True)
    ElementTree.fromstring(data)  # a browser shows no other
    return parts[0].get_filename(), data.decode()


def text_of(body, key, most):
    text = body.get(key)
    if not isinstance(text, str) or not text.strip():
        raise Refusal(422, key + " is missing")
    if len(text) > most:
        raise Refusal(422, key + " is too long (maximum is %d characters)" % most)
    return text


class Forge:
    """What all three do; the names of fields are theirs."""

    author, login, number, context = "user", "login", "number", "context"
    states = ("success", "failure", "error", "pending")
    pages = True

    def comment(self, c, state):
        return {"id": c["id"], "body": c["body"], self.author: {self.login: c["by"]}}

    def pull(self, p):
        return {"number": p["number"], "state": p["state"], "head": {"sha": p["sha"]}}

    def slice(self, items, query):
        if not self.pages:
            return items
        size = int(query.get(self.size, [str(PAGE)])[0])
        page = int(query.get("page", ["1"])[0])
        size = max(1, min(size, PAGE))
        return items[(page - 1) * size : page * size]

    size = "per_page"


class GitHub(Forge):
    prefix = "/api/v3"
    routes = [
        ("GET", r"/user", "user"),
        ("GET", r"/repos/([^/]+/[^/]+)/issues/(\d+)/comments", "list"),
        ("POST", r"/repos/([^/]+/[^/]+)/issues/(\d+)/comments", "create"),
        ("PATCH", r"/repos/([^/]+/[^/]+)/issues/comments/(\d+)", "update"),
        ("GET", r"/repos/([^/]+/[^/]+)/commits/([0-9a-f]+)/pulls", "pulls"),
        ("GET", r"/repos/([^/]+/[^/]+)/pulls", "pulls"),
        ("POST", r"/repos/([^/]+/[^/]+)/statuses/([0-9a-f]+)", "status"),
    ]
    auth = ("Authorization", "Bearer ")


class GitLab(Forge):
    field = "file"

    def file(self, f):
        return {"id": f["id"], "url": "/uploads/%032x/%s" % (f["id"], f["name"])}

    prefix = "/api/v4"
    author, login, number, context = "author", "username", "iid", "name"
    states = ("success", "failed", "pending", "running", "canceled")
    routes = [
        ("GET", r"/user", "user"),
        ("GET", r"/projects/([^/]+)/merge_requests/(\d+)/notes", "list"),
        ("POST", r"/projects/([^/]+)/merge_requests/(\d+)/notes", "create"),
        ("PUT", r"/projects/([^/]+)/merge_requests/\d+/notes/(\d+)", "update"),
        ("POST", r"/projects/([^/]+)/uploads", "upload"),
        ("GET", r"/projects/([^/]+)/repository/commits/([0-9a-f]+)/merge_requests", "pulls"),
        ("POST", r"/projects/([^/]+)/statuses/([0-9a-f]+)", "status"),
    ]
    auth = ("PRIVATE-TOKEN", "")

    def pull(self, p):
        return {"iid": p["number"], "id": 7, "state": p["state"] + "ed", "sha": p["sha"]}


class Gitea(GitHub):
    prefix = "/api/v1"
    pages = False  # the list of comments knows none
    size = "limit"
    auth = ("Authorization", "token ")
    field = "attachment"
    routes = [r for r in GitHub.routes if "/commits/" not in r[1]] + [
        ("POST", r"/repos/([^/]+/[^/]+)/issues/comments/(\d+)/assets", "upload"),
        ("DELETE", r"/repos/([^/]+/[^/]+)/issues/comments/\d+/assets/(\d+)", "delete"),
    ]

    def file(self, f):
        return {"id": f["id"], "name": f["name"],
                "browser_download_url": "https://git.example.org/attachments/%08x" % f["id"]}

    def comment(self, c, state):
        files = [self.file(f) for f in state["files"] if f["of"] == c["id"]]
        return dict(super().comment(c, state), assets=files)


forges = [GitHub(), GitLab(), Gitea()]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, document, headers=(), kind="application/json"):
        data = document.encode() if isinstance(document, str) else json.dumps(document).encode()
        if status == 204:
            data = b""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def drop(self):
        self.close_connection = True
        self.connection.shutdown(2)

    def who(self, forge, action):
        header, scheme = forge.auth
        value = self.headers.get(header) or ""
        token = value[len(scheme):] if value.startswith(scheme) else ""
        if token not in TOKENS:
            raise Refusal(401, "Bad credentials")
        if TOKENS[token] is None and action == "user":
            raise Refusal(403, "Resource not accessible by integration")
        if token == "other-token" and action in ("create", "update", "status", "upload", "delete"):
            raise Refusal(403, "Resource not accessible by personal access token")
        return TOKENS[token] or "github-actions[bot]"

    def act(self, forge, action, repository, rest, query, body):
        state = load()
        who = self.who(forge, action)
        if repository and unquote(repository) != "team/zlib":
            raise Refusal(404, "Not Found")
        if action == "user":
            return 200, {forge.login: who, "id": 1}
        if action == "list":
            found = [forge.comment(c, state) for c in state["comments"] if c["number"] == int(rest)]
            return 200, forge.slice(found, query)
        if action == "pulls":
            # GitHub does not promise to know the commits of forks
            found = [forge.pull(p) for p in state["pulls"]
                     if not rest or (p["sha"] == rest and not (p["fork"] and forge is forges[0]))]
            return 200, forge.slice(found, query)
        if action == "status":
            if body.get("state") not in forge.states:
                raise Refusal(422, "state is not included in the list")
            entry = {"sha": rest, "state": body["state"], "name": body.get(forge.context),
                     "description": text_of(body, "description", 140),
                     "link": body.get("target_url")}
            state["statuses"].append(entry)
            save(state)
            return 201, {"id": 5}
        if action == "upload":
            name, data = file_of(body, forge.field)
            entry = {"id": state["next"], "name": name, "data": data, "of": rest and int(rest)}
            state["next"] += 1
            state["files"].append(entry)
            save(state)
            return 201, forge.file(entry)
        if action == "delete":
            state["files"] = [f for f in state["files"] if f["id"] != int(rest)]
            save(state)
            return 204, None
        text = text_of(body, "body", 65536)
        if action == "create":
            entry = {"id": state["next"], "number": int(rest), "body": text, "by": who}
            state["next"] += 1
            state["comments"].append(entry)
            save(state)
            return 201, forge.comment(entry, state)
        for c in state["comments"]:
            if c["id"] == int(rest):
                if c["by"] != who:
                    raise Refusal(403, "not yours")
                c["body"] = text
                save(state)
                return 200, forge.comment(c, state)
        raise Refusal(404, "Not Found")

    def route(self, method, address, body):
        for forge in forges:
            if not address.path.startswith(forge.prefix + "/"):
                continue
            path = address.path[len(forge.prefix):]
            for verb, pattern, action in forge.routes:
                m = re.fullmatch(pattern, path)
                if m and verb == method:
                    parts = list(m.groups()) + [None, None]
                    return self.act(forge, action, parts[0], parts[1],
                                    parse_qs(address.query), body)
        raise Refusal(404, "Not Found")

    def serve(self, method):
        address = urlsplit(self.path)
        n = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(n)
        with lock:
            fault = next_fault(method, address.path)
            with open(path_of("log"), "a", encoding="utf-8") as f:
                f.write("%s %s%s\n" % (method, self.path, " " + fault if fault else ""))
            if fault == "drop":
                return self.drop()
            if fault == "html":
                return self.answer(200, "<p>Sign in", kind="text/html")
            if fault == "redirect":
                return self.answer(301, {}, [("Location", "http://127.0.0.1:9/elsewhere")])
            if fault and fault != "late":
                status, _, rest = fault.partition(":")
                return self.answer(int(status), {"message": "as asked for ::error::x"},
                                   [("Retry-After", rest)] if rest else [])
            try:
                kind = self.headers.get("Content-Type") or ""
                body = (kind, raw) if kind.startswith("multipart/") else json.loads(raw or "{}")
                status, document = self.route(method, address, body)
            except Refusal as refusal:
                status, document = refusal.status, {"message": str(refusal)}
            if fault == "late":
                return self.drop()
            return self.answer(status, document)

    def do_GET(self):
        self.serve("GET")

    def do_POST(self):
        self.serve("POST")

    def do_PUT(self):
        self.serve("PUT")

    def do_DELETE(self):
        self.serve("DELETE")

    def do_PATCH(self):
        self.serve("PATCH")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(path_of("port.new"), "w", encoding="utf-8") as f:
    f.write(str(server.server_port))
os.replace(path_of("port.new"), path_of("port"))
server.serve_forever()
