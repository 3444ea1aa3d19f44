"""What the sieges share: a pawld that can be killed and looked at, clients, documents."""
import hashlib
import http.client
import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "bench", "server"))
import documents

BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build/release"))
PAWLD = os.path.join(BUILD, "pawld")
HISTORY = "/api/v1/projects/bench/history?limit=1000&benchmark=suite/case-%d"

_templates = {}


def text(kind, n):
    """Document number n; like its siblings but for its id, its commit and its times."""
    if kind not in _templates:
        _templates[kind] = [json.loads(documents.text(kind, i)) for i in range(4)]
    d = _templates[kind][n % 4]
    fresh = documents.document(d["benchmarks"], n)
    return json.dumps(fresh, separators=(",", ":")).encode()


def id_of(n):
    return "01JD00000000000000%08d" % n


def sha(plain):
    return hashlib.sha256(plain).hexdigest()


class Pawld:
    """A pawld of this build on a port of its own that it keeps over restarts."""

    def __init__(self, folder, *options, store=None):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.address = "127.0.0.1:%d" % self.port
        self.store = store or "sqlite:" + os.path.join(folder, "ledger.db")
        self.path = os.path.join(folder, "ledger.db")
        self.options = options
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [PAWLD, "--listen", self.address, "--store", self.store, "--no-auth", *self.options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = self.process.stdout.readline()
        if "listening on" not in said:
            sys.exit("pawld does not start: " + said + self.process.stdout.read())
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait()

    def status(self, name):
        """A figure of /proc/PID/status, in MiB."""
        with open("/proc/%d/status" % self.process.pid, encoding="ascii") as f:
            for line in f:
                if line.startswith(name + ":"):
                    return int(line.split()[1]) / 1024
        return 0.0

    def forget_peak(self):
        with open("/proc/%d/clear_refs" % self.process.pid, "w", encoding="ascii") as f:
            f.write("5")

    def fsck(self, path=None):
        """What pawld fsck finds wrong; None: nothing."""
        got = subprocess.run([PAWLD, "fsck", "--store", "sqlite:" + path if path else self.store], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return got.stdout if got.returncode else None

    def ids(self, path=None):
        """The ids of all documents, one for each time it is there."""
        db = sqlite3.connect("file:%s?mode=ro" % (path or self.path), uri=True)
        try:
            return [row[0] for row in db.execute("SELECT id FROM run")]
        finally:
            db.close()


class Client:
    """One connection, made anew after an error."""

    def __init__(self, address, timeout=60):
        self.address, self.timeout, self.connection = address, timeout, None

    def ask(self, method, path, body=None, headers=None):
        """Status, head and body; raises OSError or HTTPException when there is no answer."""
        try:
            if not self.connection:
                self.connection = http.client.HTTPConnection(self.address, timeout=self.timeout)
            self.connection.request(method, path, body, headers or {})
            reply = self.connection.getresponse()
            return reply.status, reply, reply.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def post(self, plain):
        return self.ask("POST", "/api/v1/summaries", plain, {"Content-Type": "application/json"})[0]

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None


def in_threads(works):
    """Runs each of the functions in a thread of its own, and waits for all."""
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


class Faults:
    def __init__(self):
        self.n = 0
        self.lock = threading.Lock()

    def say(self, what):
        with self.lock:
            self.n += 1
            if self.n <= 40:
                print("FAULT: " + what, flush=True)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def now():
    return time.monotonic()
