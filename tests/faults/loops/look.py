"""The looks after each step."""
import contextlib
import glob
import os
import re
import sqlite3
import sys
import time

from loops.commands import CANARY, COMMANDS, MARK, STATE, git, run

STATUSES = {0, 1, 2, 3, 4, 5, 6}
STOPPED = {1, 2, 15}
UNDECIDED = re.compile(rb"suspect|no-baseline|failed|inconclusive")
told = {"steps": 0, "failed": 0, "wrong": 0, "lost": 0, "doubled": 0, "left": 0, "bad": 0}


def rows():
    """The ids of the store, through SQLite alone."""
    try:
        with contextlib.closing(sqlite3.connect("file:%s/results.db?mode=ro" % STATE, uri=True)) as db:
            return [row[0] for row in db.execute("SELECT id FROM result")]
    except sqlite3.Error:
        return []


def violation(at, what, got=None):
    told["bad"] += 1
    if told["bad"] <= 60:
        print("%s: %s" % (at, what))
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
                    with open(path.replace("environ", "cmdline"), "rb") as words:
                        found.append(words.read().replace(b"\0", b" ")[:80])
        except OSError:
            pass
    return found


def answer(command, out):
    """What of it is the answer."""
    if not command.line:
        return out
    return b"\n".join(re.findall(command.line.encode(), out, re.M))


def lines_said(err):
    """Without those of progress: how many these are hangs on how busy the machine is."""
    return sum(not re.match(rb"pawl: (building|looking at|calibrating|checking out|\[ *[0-9]+ %\])", line)
               for line in err.splitlines())


def look(at, name, loop, got, clean, before):
    command = COMMANDS[name]
    status, out, err = got
    is_loader = status == 127 and b"error while loading" in err
    killed = (loop == "kills" and status in (-9, 137)) or (
        loop == "signals" and (-status in STOPPED or status - 128 in STOPPED))
    if loop in ("calls", "kills") and status == 120:
        return  # so many calls there were not this time
    if status == -999:
        violation(at, "it hangs", got)
        return
    if status not in STATUSES and not is_loader and not killed:
        violation(at, "ended with %d" % status, got)
        return
    if CANARY.encode() in out + err:
        violation(at, "the canary was printed", got)
    look_at_answer(at, command, killed, got, clean)
    if loop == "memory" and status == 2 and clean[0] != 2:
        violation(at, "no memory is told as a mistake in what was written", got)
    if re.search(rb"(error|warning): *$", err, re.M):
        violation(at, "an error without a text", got)
    if lines_said(err) > lines_said(clean[2]) + 6 and command.program == "pawl":
        violation(at, "talks too much", got)
    if command.writes:
        look_at_store(at, name, loop, got, clean, before)


def look_at_answer(at, command, killed, got, clean):
    status, out, err = got
    was, now = answer(command, clean[1]), answer(command, out)
    if command.line and status in (0, 1, 3) and now != was and not UNDECIDED.search(now):
        told["wrong"] += 1
        violation(at, "another answer without a word: %s" % now.decode(errors="replace"), got)
    if not killed and status == clean[0] and command.same and now != was and len(err) <= len(clean[2]):
        told["wrong"] += 1
        violation(at, "another answer without a word", got)
    if not killed and status != clean[0] and not err.strip() and not out.strip():
        violation(at, "ended with %d without a word" % status, got)


def look_at_store(at, name, loop, got, clean, before):
    command = COMMANDS[name]
    checked = run(["fsck"])
    if name == "repair" and got[0] != 0:
        again = run(command.words)
        if again[0] != 0:
            violation(at, "a second repair ends with %d" % again[0], again)
        checked = run(["fsck"])
    if checked[0] != 0:
        violation(at, "the store is not sound: %s" % checked[1].decode()[-200:], got)
    now = rows()
    if not before <= set(now):
        told["lost"] += 1
        violation(at, "results are lost: %s" % (before - set(now)), got)
    most = 1 if name == "repair" else command.adds or 0  # the damaged one is none of those before
    if len(now) != len(set(now)) or len(now) > len(before) + most:
        told["doubled"] += 1
        violation(at, "there are %d results, not %d" % (len(now), len(before)), got)
    if command.adds and got[0] == 0 and len(now) != len(before) + 1:
        told["lost"] += 1
        violation(at, "status 0, and nothing stored", got)
    if name == "collect" and got[0] not in (0, 4) and b"not stored" in got[2] and len(now) != len(before):
        violation(at, "stored, and told otherwise", got)
    for path in glob.glob(STATE + "/**", recursive=True):
        if os.path.isfile(path):
            with open(path, "rb") as f:
                if CANARY.encode() in f.read():
                    violation(at, "the canary is in " + path, got)
    if command.grows:
        look_at_grown(at, command.grows, loop, got)
    look_at_rest(at, name, loop, got, clean)


def look_at_grown(at, path, loop, got):
    """A file that it adds to has what it had, and more where it says so.  What is written may not be on the disk for
    certain, and what is said of it may not be said any more."""
    was = git("show", "HEAD:" + path).rstrip("\n")
    with open(path, encoding="utf-8") as f:
        now = f.read().rstrip("\n")
    if not now.startswith(was):
        told["lost"] += 1
        violation(at, "'%s' has lost something" % path, got)
    is_late = re.search(rb"cannot (sync|write to stdout)", got[2]) or ": on " in at
    if (got[0] == 0) != (len(now) > len(was)) and not (got[0] and is_late):
        violation(at, "status %d, and '%s' %s" % (got[0], path, "as it was" if now == was else "has more"), got)
    rest = [p for p in glob.glob(path + "*") if p != path]
    if rest and loop == "memory":  # where it could not be removed, the next one removes it
        told["left"] += 1
        violation(at, "it leaves %s" % rest, got)


def look_at_rest(at, name, loop, got, clean):
    command = COMMANDS[name]
    for _ in range(60):  # what was killed takes a moment to be gone
        if not processes():
            break
        time.sleep(0.05)
    else:
        told["left"] += 1
        violation(at, "processes are left: %s" % processes(), got)
    if loop in ("kills", "signals") or name == "push" or left_over():
        for path in left_over():  # what lies there for days is nobody's
            os.utime(path, (1, 1), follow_symlinks=False)
        again = run(command.words, stdin=command.stdin, program=command.program)
        if again[0] != clean[0]:
            violation(at, "the next run ends with %d" % again[0], again)
        rest = left_over()
        if rest:
            told["left"] += 1
            violation(at, "the next run (%d) leaves %s" % (again[0], rest), got)
