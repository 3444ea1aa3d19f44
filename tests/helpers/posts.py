"""Summaries to post, and clients that post many at once; its functions are for answer.py, too."""
import copy, gzip, json, socket, sys, threading, time, urllib.parse

class Http:
    """The package of this name, read when it is asked for, without TLS: two thirds of all that a start reads."""
    one_at_a_time = threading.Lock()
    def __getattr__(self, name):
        with self.one_at_a_time:
            if "http.client" not in sys.modules:
                sys.modules["ssl"] = sys.modules.get("ssl")
                __import__("http.client")
                sys.modules["ssl"] or sys.modules.pop("ssl")
        return getattr(sys.modules["http"], name)
http = Http()

A = "aaaa456789abcdef0123456789abcdef01234567"
B = "bbbb456789abcdef0123456789abcdef01234567"

def metric(name, median):
    return {"name": name, "unit": "ns", "better": "lower",
            "samples": [median - 1, median, median + 1], "n": 3, "mean": median,
            "ci": [median - 1, median + 1], "median": median, "stddev": 1,
            "min": median - 1, "max": median + 1, "p99": median + 1}

def summary(n, commit=A, at="2026-11-20T10:00:00Z", project="zlib"):
    return {"schema": "pawl.summary/1", "id": "01JD00000000000000%08d" % n, "project": project,
            "commit": {"id": commit, "parents": [], "tree": None, "branch": "main",
                       "subject": "<b>faster</b>", "author_time": at, "commit_time": at,
                       "dirty": False},
            "machine": {"id": "0011223344556677", "cpu": "some", "cores": 8},
            "environment": {"warnings": []},
            "settings": {"runs": [20, 30], "min_time_ns": 250000000, "confidence": 0.95,
                         "threshold": 0.02},
            "baseline": {"commit": None, "how": None, "why": None},
            "started": at, "finished": at, "pawl": "0.1.0",
            "benchmarks": [{"name": "deflate/6", "status": "ok", "gate": "cpu",
                            "metrics": [metric("cpu", 1000 + n), metric("wall", 2000 + n)]}]}

def judged(n):
    """Commit B measured against A and found slower."""
    d = summary(n, B, "2026-11-20T11:00:00Z")
    d["commit"]["parents"] = [A]
    d["baseline"] = {"commit": A, "how": "rerun", "why": None}
    d["benchmarks"][0]["metrics"][0]["delta"] = {
        "ratio": 1.034, "ci": [1.021, 1.047], "confidence": 0.95, "p": 0.0004,
        "p_adjusted": 0.002, "verdict": "regressed"}
    return d

def frame(plain):
    """A frame of zstd (RFC 8878) that holds plain as it is."""
    out = [b"\x28\xb5\x2f\xfd\xa0", len(plain).to_bytes(4, "little")]
    pieces = [plain[i:i + 131072] for i in range(0, len(plain), 131072)]
    for i, piece in enumerate(pieces):
        out += (len(piece) << 3 | (i + 1 == len(pieces))).to_bytes(3, "little"), piece
    return b"".join(out)

def bomb(n, told):
    """A frame of n times 128 KiB of blanks in 4 bytes each; told: it says how many they are."""
    start = b"\x28\xb5\x2f\xfd" + (b"\xa0" + (n << 17).to_bytes(4, "little") if told else b"\x00\x38")
    block = (131072 << 3 | 2).to_bytes(3, "little") + b" "
    return start + block * (n - 1) + (131072 << 3 | 3).to_bytes(3, "little") + b" "

def put(path, d):
    """Writes d there; says nothing."""
    with open(path, "w") as file:
        print(json.dumps(d), file=file)
    return ""

def connect(url):
    return http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=300)

def post(connection, d):
    connection.request("POST", "/api/v1/summaries", json.dumps(d),
                       {"Content-Type": "application/json"})
    reply = connection.getresponse()
    body = json.loads(reply.read())
    assert reply.status not in (200, 201) or body["id"] == d["id"]
    return reply.status

def many(url, n_clients, each, same):
    """Statuses of n_clients clients that post at once, each on its own connection."""
    statuses = []
    start = threading.Barrier(n_clients)
    def one(k):
        connection = connect(url)
        start.wait()
        for i in range(each):
            statuses.append(post(connection, summary(500000 if same else 1000 + k * each + i)))
    threads = [threading.Thread(target=one, args=(k,)) for k in range(n_clients)]
    for t in threads: t.start()
    for t in threads: t.join()
    return statuses

def raw(url):
    host, port = urllib.parse.urlsplit(url).netloc.split(":")
    return socket.create_connection((host, int(port)), timeout=300)

def head_of(body):
    return ("POST /api/v1/summaries HTTP/1.1\r\nHost: localhost\r\n"
            "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)).encode()

def refuses(url):
    """Waits until nobody listens there any more."""
    while True:
        try:
            raw(url).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.01)

def dribble(url, first):
    """Sends first, then a byte now and then; whether the server ends it within 100 of them."""
    s = raw(url)
    try:
        s.sendall(first)
        s.settimeout(0.05)
        for _ in range(100):
            s.sendall(b"x")
            try:
                if not s.recv(4096):
                    return True
            except socket.timeout:
                pass
    except OSError:
        return True
    return False

def idle(url, n, first=b""):
    """n connections that send no complete request, open until the process ends."""
    sockets = []
    for _ in range(n):
        s = raw(url)
        s.sendall(first)
        sockets.append(s)
    return sockets

def is_open(s):
    """Whether the other end has not closed it."""
    s.setblocking(False)
    try:
        return s.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False

def closes(s):
    """Whether the other end closes it, sooner or later."""
    for _ in range(1200):
        if not is_open(s):
            return True
        time.sleep(0.05)
    return False
