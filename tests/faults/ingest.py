#!/usr/bin/python3 -IS
"""Kills pawld before and after its system calls while it takes results, and looks what came of it.

usage: ingest.py [--most N] [--part I/N]

Runs in a repository whose store has results; STEP names the stepper.  After each kill: the ledger is sound, it has
what pawl took for acknowledged, a restarted pawld takes the rest, and has each result once.
"""
import argparse
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
from loops.commands import ENV, STATE, copy, run
from loops.look import processes

parser = argparse.ArgumentParser()
parser.add_argument("--most", type=int, default=10**9)
parser.add_argument("--part", default="0/1")
args = parser.parse_args()
part, parts = map(int, args.part.split("/"))
scratch = tempfile.mkdtemp()
ledger, told_by, count_file, saved = (os.path.join(scratch, name) for name in ("ledger.db", "told", "count", "saved"))
copy(STATE, saved)
bad = kills = lost = doubled = 0


def start(before):
    """pawld and its address; None where it was killed before it had one."""
    with open(told_by, "wb") as out:
        server = subprocess.Popen([*before, "pawld", "--listen", "127.0.0.1:0", "--no-auth", "--store", "sqlite:" + ledger],
                                  env=ENV, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    while True:
        with open(told_by, encoding="utf-8") as f:
            found = re.search(r"listening on (\S+)\n", f.read())
        if found or server.poll() is not None:
            return server, found and found.group(1)
        time.sleep(0.01)


def push(url):
    return run(["push", "--all", "--require-push"], more={"PAWL_SERVER": url})


def end(stepper):
    """SIGTERM to what it runs."""
    with open("/proc/%d/task/%d/children" % (stepper.pid, stepper.pid), encoding="utf-8") as f:
        for pid in f.read().split():
            os.kill(int(pid), signal.SIGTERM)


def ids(path, sql):
    db = sqlite3.connect(path)
    try:
        return [row[0] for row in db.execute(sql)]
    except sqlite3.Error:
        return []
    finally:
        db.close()


def fault(at, what):
    global bad
    bad += 1
    if bad <= 40:
        print("%s: %s" % (at, what), flush=True)


def fresh():
    copy(saved, STATE)
    for name in os.listdir(scratch):
        if name.startswith("ledger.db"):
            os.unlink(os.path.join(scratch, name))


def acknowledged():
    return set(ids(STATE + "/results.db", "SELECT id FROM result WHERE posted=1"))


def documents():
    return ids(ledger, "SELECT id FROM run")


def count():
    fresh()
    server, url = start([os.environ["STEP"], "count", count_file, "0"])
    got = push(url)
    if got[0]:
        sys.exit("without a kill the push ends with %d: %s" % (got[0], got[2].decode()))
    end(server)
    server.wait()
    with open(count_file, encoding="utf-8") as f:
        return int(f.read().split()[0]), len(documents())


def step(how, k, n_results):
    global kills, lost, doubled
    at = "%s %d" % (how, k)
    fresh()
    server, url = start([os.environ["STEP"], how, count_file, str(k)])
    if url:
        push(url)
    if server.poll() is None:  # so many calls there were not, or they come with the end
        end(server)
    kills += server.wait() == 137
    acked = acknowledged()
    if os.path.exists(ledger):
        checked = subprocess.run(["pawld", "fsck", "--store", "sqlite:" + ledger], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, check=False)
        if checked.returncode and b"is empty" not in checked.stdout:
            fault(at, "the ledger is not sound: %s" % checked.stdout.decode())
    if not acked <= set(documents()):
        lost += 1
        fault(at, "acknowledged and lost: %s" % (acked - set(documents())))
    server, url = start([])
    if not url:
        with open(told_by, encoding="utf-8") as f:
            fault(at, "it does not start again: " + f.read())
        return
    got = push(url)
    server.terminate()
    server.wait()
    if got[0]:
        fault(at, "the next push ends with %d: %s" % (got[0], got[2].decode()))
    now = documents()
    if len(now) != len(set(now)) or len(now) > n_results:
        doubled += 1
        fault(at, "%d documents of %d results" % (len(now), n_results))
    if len(now) < n_results:
        lost += 1
        fault(at, "%d documents of %d results" % (len(now), n_results))


n, n_results = count()
every = max(1, -(-n // args.most))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
try:
    for k in range(1, n + 1, every):
        if k // every % parts == part:
            step("kill-before" if k // every % 2 else "kill-after", k, n_results)
    if processes():
        fault("at the end", "processes are left: %s" % processes())
finally:
    print("ingest: %d calls, %d kills; %d lost, %d doubled; %d violations" % (n, kills, lost, doubled, bad), flush=True)
    copy(saved, STATE)
    shutil.rmtree(scratch)
sys.exit(1 if bad else 0)
