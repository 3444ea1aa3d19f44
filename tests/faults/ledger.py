#!/usr/bin/python3 -IS
"""Lets one allocation or one system call of a command of pawld fail after the other, and looks what came of it.

usage: ledger.py memory|calls COMMAND... [--most N] [--all-errors]

Runs in a repository, as loop.py does; PRELOAD (memory) or STEP (calls) names the helper, LEDGER the file of a ledger with some
summaries of project zlib.  COMMAND is a row of the table below, "all" are all of them.  After each step:

 1. the exit status is in pawl's table, and nothing crashed;
 2. an answer that ends as without a fault is the same answer; what ends otherwise says why;
 3. the ledger is sound and has all it had;
 4. a file that was to be made is there, and as without a fault, where the status says so; elsewhere what is there is
    sound, and a clean run makes it, or says that it is there;
 5. nothing else is left beside them.

Prints a line for each violation, and a line with counts.  Exit 1 where there was a violation.
"""
import argparse
import contextlib
import os
import re
import shutil
import sqlite3
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from loops.commands import Command, run
from loops.inject import HOWS, Injector
from loops.look import told, violation

STORE, OTHER, FILE = "sqlite:l/store.db", "sqlite:l/other.db", "l/file"
ID = "01JD0000000000000000000050"
BEFORE = {"import": ["export", "--store", STORE, "--project", "zlib", FILE], "restore": ["backup", "--store", STORE, FILE]}
TOKEN = run(["token", "list", "--store", "sqlite:" + os.environ["LEDGER"]], program="pawld")[1].decode().split("\n")[1].split()[0]
COMMANDS = {  # words; always the same answer; what it makes; does it write to the ledger
    "fsck": (["fsck", "--store", STORE], True, None, False),
    "repair": (["fsck", "--store", STORE, "--repair"], True, None, True),
    "export": (["export", "--store", STORE, "--project", "zlib", FILE], True, FILE, False),
    "import": (["import", "--store", OTHER, FILE], True, OTHER, False),
    "backup": (["backup", "--store", STORE, FILE], True, "sqlite:" + FILE, False),
    "restore": (["restore", "--store", OTHER, FILE], True, OTHER, False),
    "migrate": (["migrate", STORE, OTHER], True, OTHER, False),
    "retain": (["retain", "--store", STORE, "--days", "0", "--keep", "2"], True, None, True),
    "retract": (["retract", "--store", STORE, "--project", "zlib", ID], True, None, True),
    "retracted": (["retract", "--store", STORE, "--project", "zlib", "--list"], True, None, False),
    "token": (["token", "add", "--store", STORE, "--project", "zlib", "--scope", "write"], False, None, True),
    "tokens": (["token", "list", "--store", STORE], True, None, False),
    "revoke": (["token", "revoke", "--store", STORE, TOKEN], True, None, True),
    "target": (["alert", "add", "--store", STORE, "--project", "zlib", "--webhook", "https://example.org/",
                "--secret-file", os.path.abspath("secret")], True, None, True),
    "targets": (["alert", "list", "--store", STORE, "--project", "zlib"], True, None, False),
}


def pawld(*words):
    return run(words, program="pawld")


def ids(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        return {row[0] for row in db.execute("SELECT id FROM run")}


def restore(name):
    shutil.rmtree("l", ignore_errors=True)
    os.mkdir("l")
    shutil.copy(os.environ["LEDGER"], "l/store.db")
    if name in BEFORE:
        pawld(*BEFORE[name])
    elif name == "repair":
        with contextlib.closing(sqlite3.connect("l/store.db")) as db:
            row, points = db.execute("SELECT rowid, points FROM sheet ORDER BY rowid LIMIT 1").fetchone()
            db.execute("UPDATE sheet SET points=? WHERE rowid=?", (points[:-1] + bytes([points[-1] ^ 4]), row))
            db.commit()


def made_as(path):
    """What a file holds, whatever its bytes are."""
    if path.startswith("sqlite:"):
        return pawld("fsck", "--store", path)[:2]
    with open(path, "rb") as file:
        return file.read()


def is_there(path):
    return os.path.exists(path.replace("sqlite:", ""))


def look(at, name, where, got, clean, before, made):
    words, is_same, makes, writes = COMMANDS[name]
    status, out, err = got
    if status == 120 or (status == 127 and b"error while loading" in err):
        return
    if status not in range(7):
        violation(at, "ended with %d" % status, got)
        return
    if status == clean[0] and is_same and out != clean[1] and len(err) <= len(clean[2]):
        told["wrong"] += 1
        violation(at, "another answer without a word: %s" % out.decode(errors="replace")[:300], got)
    if status != clean[0] and not err.strip() and out == clean[1]:
        violation(at, "ended with %d without a word" % status, got)
    if re.search(rb"(error|warning): *$", err, re.M):
        violation(at, "an error without a text", got)
    if makes:
        look_at_made(at, words, makes, got, clean, made)
    checked = pawld("fsck", "--store", STORE)
    if name == "repair" and status:
        again = pawld(*words)
        checked = pawld("fsck", "--store", STORE)
        if again[0]:
            violation(at, "a second repair ends with %d" % again[0], again)
    if checked[0]:
        violation(at, "the ledger is not sound: %s" % (checked[1] + checked[2]).decode()[-300:], got)
    if not before <= ids("l/store.db"):
        told["lost"] += 1
        violation(at, "summaries are lost", got)
    if writes and status and name != "repair":
        again = pawld(*words)
        if again[0] != clean[0]:
            violation(at, "the next run ends with %d" % again[0], again)
    rest = [f for f in os.listdir("l") if not re.fullmatch(r"(store|other)\.db(-wal|-shm)?|file(-wal|-shm)?", f)]
    if rest and where != "unlink":
        violation(at, "left: %s" % rest, got)


def look_at_made(at, words, makes, got, clean, made):
    if got[0] == 0:
        if not is_there(makes) or made_as(makes) != made:
            told["lost"] += 1
            violation(at, "what it made is not as without a fault: %s" % (made_as(makes) if is_there(makes) else "-",), got)
        return
    if is_there(makes):
        checked = pawld("fsck", "--store", makes) if makes.startswith("sqlite:") else None
        if checked and checked[0] and b"is empty" not in checked[2]:
            violation(at, "what it left is not sound: %s" % (checked[1] + checked[2]).decode()[-300:], got)
    # What could be read is in it, and it says so; or it is whole, and that could not be printed.
    if is_there(makes) and re.search(rb"damaged or lost|cannot write to stdout", got[2]):
        return
    again = pawld(*words)
    if again[0] != clean[0] and b"there already" not in again[2] and b"not empty" not in again[2]:
        violation(at, "the next run ends with %d" % again[0], again)
    if again[0] == 0 and made_as(makes) != made:
        violation(at, "the next run made another: %s" % (made_as(makes),), again)


def go(name):
    words, _, makes, _ = COMMANDS[name]
    command = Command(words, program="pawld")
    restore(name)
    before = ids("l/store.db")
    clean, n, _ = injector.step(command, "count", 0)
    made = made_as(makes) if makes else None
    if clean[0]:
        violation(name, "without a fault it ends with %d" % clean[0], clean)
        return
    hows = HOWS[args.loop]
    steps = injector.places() if args.places else range(1, n + 1)
    every = max(1, -(-len(steps) // args.most))
    done = 0
    for i, k in enumerate(steps[(every - 1) // 2::every]):
        for how in hows if args.all_errors else [hows[i % len(hows)]]:
            restore(name)
            got, _, where = injector.step(command, how, k)
            told["steps"] += 1
            told["failed"] += where != "-"
            look("%s: %s %d (%s)" % (name, how, k, where), name, where, got, clean, before, made)
            done += 1
    print("%s pawld-%s: %d of %d, %d steps" % (args.loop, name, -(-len(steps) // every), len(steps), done), flush=True)


parser = argparse.ArgumentParser()
parser.add_argument("loop", choices=["memory", "calls"])
parser.add_argument("commands", nargs="+", choices=[*COMMANDS, "all"])
parser.add_argument("--most", type=int, default=10**9, help="steps of each command")
parser.add_argument("--all-errors", action="store_true")
parser.add_argument("--places", action="store_true", help="of the allocations only the first of each place")
args = parser.parse_args()
scratch = tempfile.mkdtemp()
injector = Injector(args.loop, scratch)
try:
    for one in args.commands:
        for wanted in COMMANDS if one == "all" else [one]:
            go(wanted)
finally:
    print("%s: %d steps, %d injected; %d wrong answers without a word, %d lost; %d violations" % (
        args.loop, told["steps"], told["failed"], told["wrong"], told["lost"], told["bad"]), flush=True)
    shutil.rmtree(scratch)
sys.exit(1 if told["bad"] else 0)
