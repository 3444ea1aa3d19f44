#!/usr/bin/python3 -IS
"""Lets one allocation or one system call of a command fail after the other, and looks what came of it.

usage: loop.py memory|calls|kills|signals|damage COMMAND... [--every N] [--most N] [--part I/N] [--all-errors]
               [--places [--near N]]

memory, calls: it fails, once or from there on.  kills: SIGKILL before or after a system call.  signals: SIGINT, SIGTERM
or SIGHUP at some moment, to the process or to its group, once or twice.  damage: of files in .git/pawl, before it runs.
--part: of all steps only those that are I modulo N, for runs in slices.  --near: the innermost N calls make a place, and
what is one of an earlier COMMAND is none of a later one.

Runs in a repository whose .git/pawl is as each step is to find it; PRELOAD (memory) or STEP (calls, kills)
names the helper.  COMMAND is a row of the table in loops/commands.py; "imports" are those of all formats.  After
each step:

 1. the exit status is in pawl's table, and nothing crashed;
 2. an answer that ends as without a fault is the same answer, or stderr says more than without;
 3. what ends otherwise says why, in at most 6 lines;
 4. the store is sound, has all it had, nothing twice, and what was told to be stored;
 5. no process is left, and nothing that a clean run of the same command does not remove;
 6. the canary is in no output and no file.

Prints a line for each violation, and a line with counts.  Exit 1 where there was a violation.
"""
import argparse
import os
import shutil
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from loops.commands import COMMANDS, IMPORTS, States, run
from loops.inject import HOWS, Injector
from loops.look import look, rows, told

parser = argparse.ArgumentParser()
parser.add_argument("loop", choices=HOWS)
parser.add_argument("commands", nargs="+", choices=[*COMMANDS, "imports"])
parser.add_argument("--every", type=int, default=1)
parser.add_argument("--most", type=int, default=10**9, help="steps of each command")
parser.add_argument("--part", default="0/1")
parser.add_argument("--all-errors", action="store_true")
parser.add_argument("--places", action="store_true", help="of the allocations only the first of each place")
parser.add_argument("--near", type=int, default=0)
args = parser.parse_args()
part, parts = map(int, args.part.split("/"))


def prepare(name):
    """Runs it without a fault; what it says, and how many steps there may be."""
    command = COMMANDS[name]
    states.make(name)
    states.restore(name)
    if args.loop not in ("signals", "damage"):
        clean, n, _ = injector.step(command, "count", 0)
        return clean, n
    start = time.monotonic()
    clean = run(command.words, stdin=command.stdin, program=command.program)
    injector.usual_s = time.monotonic() - start
    injector.steps = args.most
    return clean, args.most


def go(name):
    command = COMMANDS[name]
    clean, n = prepare(name)
    places = injector.places() if args.places else []
    states.restore(name)
    before = set(rows())
    if name == "repair":
        before = set(sorted(before)[1:])
    hows = HOWS[args.loop]
    steps = places if args.places else range(1, n + 1)
    every = max(args.every, -(-len(steps) // args.most))
    done = 0
    for i, k in enumerate(steps[(every - 1) // 2::every]):
        if i % parts != part:
            continue
        for how in hows if args.all_errors else [hows[i % len(hows)]]:
            if command.writes or args.loop == "damage":
                states.restore(name)
            got, _, where = injector.step(command, how, k)
            told["steps"] += 1
            told["failed"] += where != "-"
            look("%s: %s %d (%s)" % (name, how, k, where), name, args.loop, got, clean, before)
            done += 1
    print("%s %s: %d of %d, %d steps" % (args.loop, name, -(-len(steps) // every), len(steps), done), flush=True)


scratch = tempfile.mkdtemp()
states = States(scratch)
injector = Injector(args.loop, scratch, args.near)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was counted by then is told
try:
    for one in args.commands:
        for wanted in IMPORTS if one == "imports" else [one]:
            go(wanted)
finally:
    print("%s: %d steps, %d injected; %d wrong answers without a word, %d lost, %d doubled, %d left; %d violations" % (
        args.loop, told["steps"], told["failed"], told["wrong"], told["lost"], told["doubled"], told["left"],
        told["bad"]), flush=True)
    states.end()
    shutil.rmtree(scratch)
sys.exit(1 if told["bad"] else 0)
