"""One step of a loop: a command that runs with its fault."""
import glob
import os
import random
import signal
import subprocess
import time

from loops.commands import ENV, HANGS_S, STATE, run

ERRORS = ["ENOSPC", "EIO", "EDQUOT", "EROFS", "EMFILE", "EINTR", "EAGAIN", "short"]
SIGNALS = [s + to + n for s in ("INT", "TERM", "HUP") for to in ("", "-group") for n in ("", "-twice")]
HOWS = {"memory": ["once", "on"], "calls": ERRORS, "kills": ["kill-before", "kill-after"], "signals": SIGNALS,
        "damage": ["bit", "bytes", "zeroes", "cut"]}
rng = random.Random(1)


def stop(command, how, after_s, usual_s):
    """Runs it and sends a signal after so long."""
    number = getattr(signal, "SIG" + how.split("-")[0])
    with subprocess.Popen([command.program, *command.words], env=ENV, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as child:
        time.sleep(after_s)
        for again in (False, True)[:1 + ("twice" in how)]:
            try:
                (os.killpg if "group" in how else os.kill)(child.pid, number)
            except ProcessLookupError:
                break
            if not again:
                time.sleep(usual_s * rng.random())
        try:
            out, err = child.communicate(timeout=HANGS_S)
        except subprocess.TimeoutExpired:
            child.kill()
            return -999, b"", b"it hangs"
        return child.returncode, out, err


def spoil(command, how):
    """One of its files with some bytes changed; which."""
    paths = [p for glob_ in command.spoils for p in sorted(glob.glob(STATE + "/" + glob_))
             if os.path.isfile(p) and os.path.getsize(p)]
    path = rng.choice(paths)
    was_mode = os.stat(path).st_mode
    os.chmod(path, 0o600)
    with open(path, "r+b") as f:
        size = f.seek(0, 2)
        n = min({"bit": 1, "bytes": 20, "zeroes": 512, "cut": 0}[how], size)
        at = rng.randrange(max(1, size - n))
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
    os.chmod(path, was_mode)
    return "%s:%d" % (os.path.relpath(path, STATE), at)


class Injector:
    """The loop's kind of fault; usual_s: how long the command takes without one."""

    def __init__(self, loop, scratch, near=0):
        self.near, self.known = near, set()
        self.loop, self.count_file = loop, os.path.join(scratch, "count")
        self.places_file = os.path.join(scratch, "places")
        self.usual_s, self.steps = 0.0, 0

    def step(self, command, how, k):
        """Status, stdout, stderr; how many there were; where it was."""
        if self.loop == "signals":
            return stop(command, how, self.usual_s * k / (self.steps + 1), self.usual_s), self.steps, how
        if self.loop == "damage":
            where = spoil(command, how) if k else "-"
            return run(command.words, stdin=command.stdin), self.steps, where
        if os.path.exists(self.count_file):
            os.unlink(self.count_file)
        if self.loop == "memory":
            # Of each step as many variables: a program that starts another copies each of them.
            more = {"LD_PRELOAD": os.environ["PRELOAD"], "NOMEM_AT": str(k), "NOMEM_COUNT": self.count_file,
                    "NOMEM_ON": "1" if how == "on" else "0", "NOMEM_NEAR": str(self.near),
                    "NOMEM_PLACES": self.places_file if how == "count" else ""}
            got = run(command.words, more=more, stdin=command.stdin, program=command.program)
        else:
            got = run(command.words, before=[os.environ["STEP"], how, self.count_file, str(k)], stdin=command.stdin,
                      program=command.program)
        try:
            with open(self.count_file, encoding="utf-8") as f:
                n, where = f.read().split()
        except (OSError, ValueError):
            n, where = "0", "?"
        return got, int(n), where

    def places(self):
        """After a count: which allocations are the first from their place, which no other command had where so many
        calls make one."""
        with open(self.places_file, encoding="utf-8") as f:
            found = [line.split() for line in f]
        new = [int(number) for number, place in found if place not in self.known]
        if self.near:
            self.known.update(place for _, place in found)
        return new
