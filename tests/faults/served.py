#!/usr/bin/python3 -IS
"""Lets allocations of a running pawld fail, one of so many, while it takes summaries and answers, and looks at it.

usage: served.py [--most N]

Runs in a repository, as loop.py does; PRELOAD names the helper, LEDGER the file of a ledger with some summaries of
project zlib.  Of N rounds each has another distance between two that fail.  In each:

 1. an answer is one of the table, or the connection ends; an answer to a question that is 200 is the one that is given
    without a fault;
 2. pawld ends by SIGTERM as it should;
 3. the ledger is sound; what was acknowledged is there; nothing is there twice.

Prints a line for each violation, and a line with counts.  Exit 1 where there was a violation.
"""
import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from loops.commands import ENV, run
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
from posts import connect, http, judged, summary

STATUSES = {200, 201, 204, 400, 404, 409, 500, 503}
P = "/api/v1/projects"
Z = P + "/zlib"
PATHS = [P, Z, Z + "/benchmarks", Z + "/machines", Z + "/commits", Z + "/summaries", Z + "/summaries?untrusted=1",
         Z + "/summaries/01JD0000000000000000000050", Z + "/regressions", Z + "/retractions", Z + "/alerts",
         Z + "/messages", Z + "/history?benchmark=deflate/6", Z + "/history?benchmark=deflate/6&branch=main&limit=3",
         Z + "/history?benchmark=deflate/6&metric=wall&since=2026-11-20T03:00:00Z",
         Z + "/compare?base=%s&head=%s" % ("%040x" % 0xabc0001, "%040x" % 0xabc0002),
         "/", "/p/zlib", "/p/zlib/b/deflate%2F6", "/p/zlib/runs?id=01JD0000000000000000000001&benchmark=deflate/6",
         "/p/zlib/compare?base=%040x&head=%040x" % (0xabc0001, 0xabc0002), "/p/zlib/regressions",
         "/p/zlib/alerts", "/p/zlib/messages", "/badge/zlib.svg", "/api/v1/openapi.json"]
TYPES = {"batch": "application/x-ndjson"}
DISTANCES = [2003, 401, 20011, 997, 5003, 149, 1000000, 43, 89, 17]
told = {"asked": 0, "failed": 0, "refused": 0, "wrong": 0, "lost": 0, "bad": 0}


def violation(at, what):
    told["bad"] += 1
    if told["bad"] <= 60:
        print("%s: %s" % (at, what), flush=True)


class Server:
    """A pawld on a copy of the ledger; more: its environment."""

    def __init__(self, more):
        self.out = open(os.path.join(scratch, "out"), "wb")
        self.child = subprocess.Popen(["pawld", "--listen", "127.0.0.1:0", "--no-auth", "--budget", "60s", "--rate", "1000000",
                                       "--store", "sqlite:" + store], env={**ENV, **more}, stdin=subprocess.DEVNULL,
                                      stdout=self.out, stderr=self.out)
        self.url = None
        while not self.url and self.child.poll() is None:
            found = re.search(r"listening on (\S+)\n", self.said())
            self.url = found and found.group(1)
            time.sleep(0.01)

    def said(self):
        with open(os.path.join(scratch, "out"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def ask(self, method, path, body=None):
        """Status and body; None where the connection ended."""
        try:
            connection = connect(self.url)
            connection.request(method, path, body, {"Content-Type": TYPES.get(path.split(":")[-1], "application/json")})
            reply = connection.getresponse()
            return reply.status, reply.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def end(self):
        self.child.send_signal(signal.SIGTERM)
        try:
            return self.child.wait(timeout=600)
        except subprocess.TimeoutExpired:
            self.child.kill()
            return -999
        finally:
            self.out.close()


def fresh():
    for name in os.listdir(scratch):
        if name.startswith("store.db"):
            os.unlink(os.path.join(scratch, name))
    shutil.copy(os.environ["LEDGER"], store)


def failing(at, distance):
    return {"LD_PRELOAD": os.environ["PRELOAD"], "NOMEM_AT": str(at), "NOMEM_ON": str(distance), "NOMEM_COUNT": counted}


def n_of_start():
    """How many allocations a start takes."""
    server = Server({"LD_PRELOAD": os.environ["PRELOAD"], "NOMEM_COUNT": counted})
    server.end()
    with open(counted, encoding="utf-8") as file:
        return int(file.read().split()[0])


def started(at, distance):
    """One that came to listen; a start that fails says why."""
    for more in range(100):
        server = Server(failing(n_start + 16 * more, distance))
        if server.url:
            return server
        if server.child.returncode not in range(1, 7) or "error: " not in server.said():
            violation(at, "it does not start, and ends with %d: %s" % (server.child.returncode, server.said()[-300:]))
        server.out.close()
    sys.exit("%s: it never started" % at)


def asked(at, server, method, path, body=None):
    got = server.ask(method, path, body)
    told["asked"] += 1
    if got is None or got[0] >= 500:
        told["refused"] += 1
    if server.child.poll() is not None:
        return None
    if got and got[0] not in STATUSES:
        violation(at, "%s %s is answered with %d: %s" % (method, path, got[0], got[1][:200]))
    if got and got[0] >= 500 and not path.startswith("/p/") and path != "/" and b'"error"' not in got[1]:
        violation(at, "%s %s: %d without a reason: %s" % (method, path, got[0], got[1][:200]))
    return got


def give(at, server):
    """Posts, each until it is taken; the ids of those that were acknowledged."""
    acked = set()
    for n in range(100, 112):
        d = judged(n) if n % 3 == 0 else summary(n, "%040x" % (0xabd0000 + n), "2026-11-21T10:%02d:00Z" % (n - 100))
        for _ in range(4):
            got = asked(at, server, "POST", "/api/v1/summaries", json.dumps(d))
            if got and got[0] in (200, 201):
                acked.add(d["id"])
                break
            if got and got[0] in (400, 404, 409):
                violation(at, "%s is refused with %d: %s" % (d["id"], got[0], got[1][:200]))
    batch = [summary(n, "%040x" % (0xabe0000 + n), "2026-11-22T10:00:00Z") for n in range(200, 206)]
    asked(at, server, "POST", "/api/v1/summaries:batch", "\n".join(map(json.dumps, batch)) + "\n")
    asked(at, server, "DELETE", Z + "/summaries/01JD0000000000000000000102?why=busy")
    asked(at, server, "POST", Z + "/summaries/01JD0000000000000000000102/restore", "")
    asked(at, server, "DELETE", Z + "/summaries/01JD0000000000000000000104?benchmark=deflate/6")
    for n in range(1, 4):
        asked(at, server, "POST", Z + "/alerts/%d" % n, json.dumps({"state": "accepted", "why": "wanted"}))
    for path in PATHS:
        asked(at, server, "GET", path)
    return acked


def finish(at, server, acked):
    status = server.end()
    if status not in (0, 5) or "anitizer" in server.said():
        violation(at, "it ends with %d: %s" % (status, server.said()[-2000:]))
    checked = run(["fsck", "--store", "sqlite:" + store], program="pawld")
    if checked[0]:
        violation(at, "the ledger is not sound: %s" % (checked[1] + checked[2]).decode()[-300:])
    with contextlib.closing(sqlite3.connect(store)) as db:
        ids = [row[0] for row in db.execute("SELECT id FROM run")]
    if not acked <= set(ids):
        told["lost"] += 1
        violation(at, "acknowledged and lost: %s" % (acked - set(ids)))
    if len(ids) != len(set(ids)):
        violation(at, "there are %d summaries, %d of them once" % (len(ids), len(set(ids))))
    try:
        with open(counted, encoding="utf-8") as file:
            n = int(file.read().split()[0])
        os.unlink(counted)
    except (OSError, ValueError):
        n = 0
    return n


def steady(body):
    """Without what is of the moment."""
    return re.sub(rb"\b\d+ (second|minute|hour|day|month|year)s? ago\b", b"", body)


def read(at, server, clean):
    for path in PATHS:
        got = asked(at, server, "GET", path)
        if got and got[0] == 200 and steady(got[1]) != clean[path]:
            told["wrong"] += 1
            violation(at, "GET %s gives another answer: %s" % (path, got[1][:2000]))


parser = argparse.ArgumentParser()
parser.add_argument("--most", type=int, default=10, help="rounds")
args = parser.parse_args()
scratch = tempfile.mkdtemp()
store, counted = os.path.join(scratch, "store.db"), os.path.join(scratch, "count")
try:
    fresh()
    n_start = n_of_start()
    plain = Server({})
    answers = {path: plain.ask("GET", path) for path in PATHS}
    for path in PATHS:
        if answers[path] is None or answers[path][0] != 200:
            violation("without a fault", "GET %s: %s" % (path, answers[path]))
    answers = {path: steady(answers[path][1]) for path in PATHS}
    plain.end()
    for r in range(args.most):
        away = DISTANCES[r % len(DISTANCES)] + 2 * (r // len(DISTANCES))
        fresh()
        one = started("reading %d" % away, away)
        read("reading %d" % away, one, answers)
        asked_for = finish("reading %d" % away, one, set())
        fresh()
        one = started("writing %d" % away, away)
        taken = give("writing %d" % away, one)
        asked_for += finish("writing %d" % away, one, taken)
        told["failed"] += max(0, asked_for - 2 * n_start) // away
    print("memory pawld: %d of %d, %d steps" % (args.most, args.most, told["asked"]))
finally:
    print("memory: %d requests, about %d allocations failed, %d requests refused; %d wrong answers without a word, %d lost; "
          "%d violations" % (told["asked"], told["failed"], told["refused"], told["wrong"], told["lost"], told["bad"]),
          flush=True)
    shutil.rmtree(scratch)
sys.exit(1 if told["bad"] else 0)
