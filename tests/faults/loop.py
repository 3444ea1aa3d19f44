#!/usr/bin/python3 -IS
"""Lets one allocation or one system call of a command fail after the other, and looks what came of it.

usage: loop.py memory|calls|kills|signals|damage COMMAND... [--every N] [--most N] [--all-errors]

memory, calls: it fails, once or from there on.  kills: SIGKILL before or after a system call.  signals: SIGINT, SIGTERM
or SIGHUP at some moment, to the process or to its group, once or twice.  damage: of the store, before the command runs.

Runs in a repository whose .git/pawl is as each step is to find it; PRELOAD (memory) or STEP (calls, kills)
names the helper.  COMMAND is a row of the table below.  After each step:

 1. the exit status is in pawl's table, and nothing crashed;
 2. an answer that ends as without a fault is the same answer, or stderr says more than without;
 3. what ends otherwise says why, in at most 6 lines;
 4. the store is sound, has all it had, and what was told to be stored;
 5. no process is left, and nothing that a clean run of the same command does not remove;
 6. the canary is in no output and no file.

Prints a line for each violation, and a line with counts.  Exit 1 where there was a violation.
"""
import argparse
import glob
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

CANARY = "canary" + "-token-7f3a"
STATE = ".git/pawl"
MARK = "PAWL_TEST_MARK=%d" % os.getpid()
# name: (words, answer is always the same, writes)
COMMANDS = {
    "report": (["report", "--project", "proj"], True, False),
    "json": (["report", "--project", "proj", "--json"], True, False),
    "history": (["history", "--project", "proj", "--machine", "0123456789abcdef"], True, False),
    "fsck": (["fsck"], True, False),
    "repair": (["fsck", "--repair"], False, True),
    "export": (["export", "--project", "proj", "--format", "lnt"], True, False),
    "push": (["push", "--all", "--require-push"], False, True),
    "import": (["import", "--no-push", "--project", "proj", os.environ.get("IMPORTED", "")], False, True),
    "compare": (["compare", "--pairs", "6", "--min-time", "1ms", "--seed", "1"], False, True),
    "collect": (["collect", "--no-push", "--runs", "2..2", "--min-time", "1ms", "--", "true"], False, True),
}
ERRORS = ["ENOSPC", "EIO", "EDQUOT", "EROFS", "EMFILE", "EINTR", "EAGAIN", "short"]
STOPPED = {1, 2, 15}
SIGNALS = [s + to + n for s in ("INT", "TERM", "HUP") for to in ("", "-group") for n in ("", "-twice")]
DAMAGES = ["bit", "bytes", "zeroes", "cut"]
STATUSES = {0, 1, 2, 3, 4, 5, 6}

parser = argparse.ArgumentParser()
parser.add_argument("loop", choices=["memory", "calls", "kills", "signals", "damage"])
parser.add_argument("commands", nargs="+", choices=COMMANDS)
parser.add_argument("--every", type=int, default=1)
parser.add_argument("--most", type=int, default=10**9, help="steps of each command")
parser.add_argument("--all-errors", action="store_true")
args = parser.parse_args()
scratch = tempfile.mkdtemp()
count_file = os.path.join(scratch, "count")
saved = os.path.join(scratch, "saved")
shutil.copytree(STATE, saved)
bad = 0
steps = 0  # of signals and damages
usual_s = 0.0
rng = random.Random(1)
told = {"steps": 0, "failed": 0, "wrong": 0}
ENV = dict(os.environ, PAWL_TOKEN=CANARY, PAWL_TEST_MARK=str(os.getpid()))


def restore(name):
    """The state as each step finds it; a repair has something to do."""
    shutil.rmtree(STATE)
    shutil.copytree(saved, STATE)
    if name == "repair":
        db = sqlite3.connect(STATE + "/results.db")
        packed = db.execute("SELECT packed FROM result WHERE seq=1").fetchone()[0]
        db.execute("UPDATE result SET packed=? WHERE seq=1", (packed[:-1] + bytes([packed[-1] ^ 1]),))
        db.commit()
        db.close()


def run(words, before=(), more=None):
    try:
        done = subprocess.run([*before, "pawl", *words], env={**ENV, **(more or {})}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    except subprocess.TimeoutExpired:
        return -999, b"", b"it hangs"
    return done.returncode, done.stdout, done.stderr


def stop(words, how, share):
    """Runs it and sends a signal when that share of the usual time is over."""
    number = getattr(signal, "SIG" + how.split("-")[0])
    child = subprocess.Popen(["pawl", *words], env=ENV, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, start_new_session=True)
    time.sleep(share * usual_s)
    for again in (False, True)[:1 + ("twice" in how)]:
        try:
            (os.killpg if "group" in how else os.kill)(child.pid, number)
        except ProcessLookupError:
            break
        if not again:
            time.sleep(usual_s * rng.random())
    try:
        out, err = child.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        child.kill()
        return -999, b"", b"it hangs"
    return child.returncode, out, err


def spoil(how):
    """The store with some bytes of it changed."""
    with open(STATE + "/results.db", "r+b") as f:
        size = f.seek(0, 2)
        n = {"bit": 1, "bytes": 20, "zeroes": 512, "cut": 0}[how]
        at = rng.randrange(size - n)
        f.seek(at)
        if how == "cut":
            f.truncate(at)
        elif how == "zeroes":
            f.write(bytes(n))
        elif how == "bytes":
            f.write(rng.randbytes(n))
        else:
            was = f.read(1)[0]
            f.seek(at)
            f.write(bytes([was ^ 1 << rng.randrange(8)]))


def step(words, how, k, on=False):
    """Status, stdout, stderr, how many there were, and where it was."""
    if args.loop == "signals":
        return stop(words, how, k / steps), steps, how
    if args.loop == "damage":
        spoil(how)
        return run(words), steps, how
    if os.path.exists(count_file):
        os.unlink(count_file)
    if args.loop == "memory":
        more = {"LD_PRELOAD": os.environ["PRELOAD"], "NOMEM_AT": str(k), "NOMEM_COUNT": count_file}
        if on:
            more["NOMEM_ON"] = "1"
        got = run(words, more=more)
    else:
        got = run(words, before=[os.environ["STEP"], how, count_file, str(k)] + (["-p"] if on else []))
    try:
        with open(count_file, encoding="utf-8") as f:
            n, where = f.read().split()
    except (OSError, ValueError):
        n, where = "0", "?"
    return got, int(n), where


def rows():
    """The ids of the store, through SQLite alone."""
    db = sqlite3.connect("file:%s/results.db?mode=ro" % STATE, uri=True)
    try:
        return {row[0] for row in db.execute("SELECT id FROM result")}
    except sqlite3.Error:
        return set()
    finally:
        db.close()


def violation(name, how, k, where, what, got=None):
    global bad
    bad += 1
    if bad <= 60:
        print("%s: %s %d (%s): %s" % (name, how, k, where, what))
        if got:
            print("    status %s, stderr: %s" % (got[0], got[2].decode(errors="replace").strip()[-300:]))
            if "sanitizer" in got[2].decode(errors="replace").lower():
                print(got[2].decode(errors="replace")[:3000])
        sys.stdout.flush()


def left_over():
    """Temporary files and folders of a state folder."""
    found = [p for p in glob.glob(STATE + "/**", recursive=True)
             if re.search(r"\.tmp\.|\.repair|/run/.", p)]
    return found + glob.glob(".git/worktrees/*")


def processes():
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as f:
                if MARK.encode() in f.read().split(b"\0") and int(path.split("/")[2]) != os.getpid():
                    found.append(path)
        except OSError:
            pass
    return found


def look(name, how, k, where, got, clean, before):
    words, same, writes = COMMANDS[name]
    status, out, err = got
    is_loader = status == 127 and b"error while loading" in err
    killed = (args.loop == "kills" and status in (-9, 137)) or (
        args.loop == "signals" and (-status in STOPPED or status - 128 in STOPPED))
    if args.loop != "memory" and status == 120:
        return None # so many calls there were not this time
    if status == -999:
        return violation(name, how, k, where, "it hangs", got)
    if status not in STATUSES and not is_loader and not killed:
        return violation(name, how, k, where, "ended with %d" % status, got)
    if CANARY.encode() in out + err:
        violation(name, how, k, where, "the canary was printed", got)
    if not killed and status == clean[0] and same and out != clean[1] and len(err) <= len(clean[2]):
        told["wrong"] += 1
        violation(name, how, k, where, "another answer without a word", got)
    if not killed and status != clean[0] and not err.strip() and not out.strip():
        violation(name, how, k, where, "ended with %d without a word" % status, got)
    if re.search(rb"(error|warning): *$", err, re.M):
        violation(name, how, k, where, "an error without a text", got)
    if err.count(b"\n") > clean[2].count(b"\n") + 6:
        violation(name, how, k, where, "talks too much", got)
    if writes:
        look_at_store(name, how, k, where, got, clean, before)


def look_at_store(name, how, k, where, got, clean, before):
    words = COMMANDS[name][0]
    checked = run(["fsck"])
    is_unfinished = name == "repair" and got[0] != 0
    if is_unfinished:
        again = run(words)
        if again[0] != 0:
            violation(name, how, k, where, "a second repair ends with %d" % again[0], again)
        checked = run(["fsck"])
    if checked[0] != 0:
        violation(name, how, k, where, "the store is not sound: %s" % checked[1].decode()[-200:], got)
    now = rows()
    if not before <= now:
        violation(name, how, k, where, "results are lost: %s" % (before - now), got)
    if name in ("collect", "import") and got[0] == 0 and len(now) != len(before) + 1:
        violation(name, how, k, where, "status 0, and nothing stored", got)
    if name == "collect" and got[0] not in (0, 4) and b"not stored" in got[2] and len(now) != len(before):
        violation(name, how, k, where, "stored, and told otherwise", got)
    for path in glob.glob(STATE + "/**", recursive=True):
        if os.path.isfile(path):
            with open(path, "rb") as f:
                if CANARY.encode() in f.read():
                    violation(name, how, k, where, "the canary is in " + path, got)
    for _ in range(40):  # what was killed takes a moment to be gone
        if not processes():
            break
        time.sleep(0.05)
    else:
        violation(name, how, k, where, "processes are left: %s" % processes(), got)
    if args.loop in ("kills", "signals") or name == "push" or left_over():
        for path in left_over():  # what lies there for days is nobody's
            os.utime(path, (1, 1))
        again = run(words)
        if again[0] != clean[0]:
            violation(name, how, k, where, "the next run ends with %d" % again[0], again)
        rest = left_over()
        if rest:
            violation(name, how, k, where, "the next run (%d) leaves %s" % (again[0], rest), got)


def steps_of(name):
    """HOW of each step, in turn."""
    if args.loop == "memory":
        return ["once", "on"]
    if args.loop == "kills":
        return ["kill-before", "kill-after"]
    if args.loop == "signals":
        return SIGNALS
    if args.loop == "damage":
        return DAMAGES
    return ERRORS


for name in args.commands:
    words, same, writes = COMMANDS[name]
    restore(name)
    if args.loop in ("signals", "damage"):
        run(words)
        restore(name)
        start = time.monotonic()
        clean = run(words)
        usual_s = time.monotonic() - start
        n = steps = args.most
    else:
        clean, n, _ = step(words, "count", 0)
    restore(name)
    before = rows()
    if name == "repair":
        before = set(sorted(before)[1:])
    hows = steps_of(name)
    every = max(args.every, -(-n // args.most))
    done = 0
    for k in range(1 + done % every, n + 1, every):
        wanted = hows if args.all_errors else [hows[(k // every) % len(hows)]]
        for how in wanted:
            if writes or args.loop == "damage":
                restore(name)
            got, _, where = step(words, how, k, how == "on")
            told["steps"] += 1
            told["failed"] += where != "-"
            look(name, how, k, where, got, clean, before)
            done += 1
    print("%s %s: %d of %d, %d steps" % (args.loop, name, -(-n // every), n, done), flush=True)
restore("")
shutil.rmtree(scratch)
print("%s: %d steps, %d injected, %d wrong answers without a word, %d violations" % (
    args.loop, told["steps"], told["failed"], told["wrong"], bad))
sys.exit(1 if bad else 0)
